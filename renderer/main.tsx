import "@fontsource-variable/source-sans-3/wght.css";
import "@fontsource-variable/source-serif-4/wght.css";
import "./design/tokens.css";
import "./design/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./frame/App.tsx";
import { setClient, shownError } from "./state/client.ts";
import { followAddress } from "./state/route.ts";
import { useSession } from "./state/session.ts";
import { followPreferences, useUi } from "./state/ui.ts";
import { connect } from "./transport.ts";

followPreferences();
followAddress();

// What nobody caught is still told: an error never vanishes silently.
window.addEventListener("unhandledrejection", (event) => useUi.getState().report(event.reason));
window.addEventListener("error", (event) => {
  if (event.error) useUi.getState().report(event.error);
});

connect().then(
  (client) => {
    setClient(client);
    return useSession.getState().refresh();
  },
  (error: unknown) => useSession.setState({ error: shownError(error) }),
);

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
