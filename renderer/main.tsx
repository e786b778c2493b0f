import "@fontsource-variable/source-sans-3/wght.css";
import "@fontsource-variable/source-serif-4/wght.css";
import "./design/tokens.css";
import "./design/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./frame/App.tsx";
import { keepConnected, retryOnWaking } from "./state/connection.ts";
import { followAddress } from "./state/route.ts";
import { followPreferences, useUi } from "./state/ui.ts";
import { connector } from "./transport.ts";

followPreferences();
followAddress();

// What nobody caught is still told: an error never vanishes silently.
window.addEventListener("unhandledrejection", (event) => useUi.getState().report(event.reason));
window.addEventListener("error", (event) => {
  if (event.error) useUi.getState().report(event.error);
});

retryOnWaking();
void keepConnected(connector());

/** Longest wait for the typefaces, ms; they lie beside the page and are there in a fraction of it. */
const fontPatience = 400;

/** The first paint already stands in its own typefaces: text that changes its face later moves everything under it. */
const fonts = Promise.all(
  ["400 1em 'Source Sans 3 Variable'", "600 1em 'Source Sans 3 Variable'", "400 1em 'Source Serif 4 Variable'"].map(
    (font) => document.fonts.load(font),
  ),
);
const patience = new Promise((resolve) => setTimeout(resolve, fontPatience));

function show(): void {
  const root = document.getElementById("root");
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
// A face that does not load is no reason to show nothing: the system's own stands in.
Promise.race([fonts, patience]).then(show, show);
