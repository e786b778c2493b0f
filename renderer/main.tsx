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

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
