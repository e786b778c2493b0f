/** What the desktop window may do. Pure decisions, so that each can be tested without Electron. */

export const scheme = "understory";
export const windowUrl = `${scheme}://window/`;

/** The same policy as the loopback host's; the window talks to its core by a port, so it needs no connection at all. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Web preferences of every window: nothing of Node, nothing of Electron, its own world, its own sandbox. */
export function webPreferences(preload: string) {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
  } as const;
}

/** Whether a request may leave the renderer. Only our own scheme, and bytes the page already has. */
export function mayRequest(url: string): boolean {
  return url.startsWith(windowUrl) || url.startsWith("blob:") || url.startsWith("data:");
}

/** Whether the page may go to this address: only to itself. */
export function mayNavigate(url: string): boolean {
  return url === windowUrl || url.startsWith(`${windowUrl}#`) || url.startsWith(`${windowUrl}index.html`);
}

/** Permissions a page may have: writing to the clipboard (the recovery code, an answer), and no other. */
export function mayUse(permission: string): boolean {
  return permission === "clipboard-sanitized-write";
}

/**
 * The file of the built window that an address names, or null.
 * @param files the allow-list: relative paths of the built window with `/` between.
 */
export function fileOf(url: string, files: ReadonlySet<string>): string | null {
  let path: string;
  try {
    const parsed = new URL(url);
    if (parsed.protocol !== `${scheme}:` || parsed.host !== "window") return null;
    path = decodeURIComponent(parsed.pathname).replace(/^\//, "");
  } catch {
    return null;
  }
  const file = path === "" ? "index.html" : path;
  return files.has(file) ? file : null;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
};

export function headersOf(file: string): Record<string, string> {
  return {
    "content-type": types[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    "content-security-policy": contentSecurityPolicy,
    "x-content-type-options": "nosniff",
  };
}
