import { contextBridge, ipcRenderer, webUtils } from "electron";

/** All that the page gets of the desktop: its line to the core, and where a dropped file lies. */
ipcRenderer.on("understory:port", (event) => {
  window.postMessage("understory:port", window.location.origin, event.ports);
});
contextBridge.exposeInMainWorld("understory", {
  /** Asks for a line to the core; it comes as a `message` event "understory:port" with one port. */
  connect: () => ipcRenderer.send("understory:connect"),
  pathOf: (file: File) => webUtils.getPathForFile(file),
});
