import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  MessageChannelMain,
  type MessagePortMain,
  protocol,
  safeStorage,
  session,
  utilityProcess,
} from "electron";
import { safeStorageKeychain } from "./keychain.ts";
import { scheme } from "./policy.ts";
import { startShell, type WindowPort } from "./shell.ts";

/** Wires Electron to the shell. Nothing is decided here; `shell.ts` and `policy.ts` decide, and are tested. */

const here = fileURLToPath(new URL(".", import.meta.url));
const windowFolder = join(here, "../renderer");
const channelEnds = new WeakMap<object, MessagePortMain>();

app.enableSandbox();
// Nothing leaves this machine: no crash reports, no background look-ups, no prefetching of names.
app.commandLine.appendSwitch("disable-background-networking");
app.commandLine.appendSwitch("disable-component-update");
app.commandLine.appendSwitch("dns-prefetch-disable");
protocol.registerSchemesAsPrivileged([
  { scheme, privileges: { standard: true, secure: true, supportFetchAPI: false } },
]);

function portOf(end: object): MessagePortMain {
  const port = channelEnds.get(end);
  if (!port) throw new Error("A channel end that this shell did not make.");
  return port;
}

function windowPort(window: BrowserWindow): WindowPort {
  return {
    load: (url) => window.loadURL(url),
    sendPort: (port) => window.webContents.postMessage("understory:port", null, [portOf(port)]),
    focus() {
      if (window.isMinimized()) window.restore();
      window.focus();
    },
    guard({ navigate, open }) {
      const stay = (event: { preventDefault(): void; url: string }) => {
        if (!navigate(event.url)) event.preventDefault();
      };
      window.webContents.on("will-navigate", stay);
      window.webContents.on("will-redirect", stay);
      window.webContents.on("will-attach-webview", (event) => event.preventDefault());
      window.webContents.setWindowOpenHandler(({ url }) => ({ action: open(url) ? "allow" : "deny" }));
    },
  };
}

await startShell({
  isFirstInstance: () => app.requestSingleInstanceLock(),
  quit: () => app.quit(),
  whenReady: () => app.whenReady(),
  onSecondInstance: (listener) => void app.on("second-instance", listener),
  onLastWindowClosed: (listener) => void app.on("window-all-closed", listener),
  onConnect: (listener) => {
    ipcMain.on("understory:connect", (event) => {
      const window = BrowserWindow.fromWebContents(event.sender);
      if (window && event.senderFrame) listener(event.senderFrame.url, windowPort(window));
    });
  },
  session: {
    onRequest: (allow) =>
      session.defaultSession.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !allow(details.url) })),
    onPermission: (allow) => {
      session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(allow(permission)));
      session.defaultSession.setPermissionCheckHandler((_contents, permission) => allow(permission));
      session.defaultSession.setDevicePermissionHandler(() => false);
    },
    handle: (name, answer) =>
      session.defaultSession.protocol.handle(name, async (request) => {
        const file = await answer(request.url);
        return file === null
          ? new Response("Not found.", { status: 404 })
          : new Response(Uint8Array.from(file.body), { headers: file.headers });
      }),
  },
  openWindow: (options) =>
    windowPort(new BrowserWindow({ ...options, minWidth: 360, minHeight: 480, title: "Understory" })),
  startCore() {
    const core = utilityProcess.fork(join(here, "../main/port.js"), [], { serviceName: "Understory core" });
    return {
      post: (message, ends) => core.postMessage(message, ends.map(portOf)),
      onMessage: (listener) => void core.on("message", listener),
      onExit: (listener) => void core.on("exit", listener),
    };
  },
  channel() {
    const { port1, port2 } = new MessageChannelMain();
    channelEnds.set(port1, port1);
    channelEnds.set(port2, port2);
    return [port1, port2];
  },
  keychain: safeStorageKeychain(safeStorage, process.platform),
  async windowFiles() {
    const entries = await readdir(windowFolder, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(windowFolder, join(entry.parentPath, entry.name)).split(sep).join("/")),
    );
  },
  readWindowFile: (path) => readFile(join(windowFolder, path)),
  showError: (title, message) => dialog.showErrorBox(title, message),
  paths: {
    preload: join(here, "preload.cjs"),
    archiveDir: join(app.getPath("userData"), "archive"),
    modelsDir: join(app.getPath("userData"), "models"),
  },
});
