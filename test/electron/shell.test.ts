import { describe, expect, test } from "vitest";
import type { CoreToShell, ShellToCore } from "#main/rpc/shell-protocol.ts";
import { safeStorageKeychain } from "../../electron/keychain.ts";
import {
  contentSecurityPolicy,
  fileOf,
  mayNavigate,
  mayRequest,
  mayUse,
  webPreferences,
} from "../../electron/policy.ts";
import { type ChannelEnd, type ShellPorts, startShell, type WindowPort } from "../../electron/shell.ts";

/** A desktop that remembers what the shell asked of it, and can be made to happen. */
function desktop(options: { first?: boolean } = {}) {
  const log: string[] = [];
  const toCore: { message: ShellToCore; ports: ChannelEnd[] }[] = [];
  const given: ChannelEnd[] = [];
  const events: {
    core?: (message: CoreToShell) => void;
    exit?: (code: number) => void;
    connect?: (frameUrl: string, window: WindowPort) => void;
    second?: () => void;
    closed?: () => void;
    request?: (url: string) => boolean;
    permission?: (permission: string) => boolean;
    serve?: (url: string) => Promise<{ body: Uint8Array; headers: Record<string, string> } | null>;
    navigate?: (url: string) => boolean;
    open?: (url: string) => boolean;
  } = {};
  const window: WindowPort = {
    load: async (url) => void log.push(`load ${url}`),
    sendPort: (port) => void given.push(port),
    focus: () => void log.push("focus"),
    guard(guards) {
      events.navigate = guards.navigate;
      events.open = guards.open;
    },
  };
  const ports: ShellPorts = {
    isFirstInstance: () => options.first ?? true,
    quit: () => void log.push("quit"),
    whenReady: async () => void log.push("ready"),
    onSecondInstance: (listener) => {
      events.second = listener;
    },
    onLastWindowClosed: (listener) => {
      events.closed = listener;
    },
    onConnect: (listener) => {
      events.connect = listener;
    },
    session: {
      onRequest: (allow) => {
        events.request = allow;
      },
      onPermission: (allow) => {
        events.permission = allow;
      },
      handle: (_scheme, answer) => {
        events.serve = answer;
      },
    },
    openWindow: ({ webPreferences: preferences }) => {
      log.push(
        `window sandbox=${preferences.sandbox} isolated=${preferences.contextIsolation} node=${preferences.nodeIntegration}`,
      );
      return window;
    },
    startCore: () => ({
      post: (message, sent) => void toCore.push({ message, ports: sent }),
      onMessage: (listener) => {
        events.core = listener;
      },
      onExit: (listener) => {
        events.exit = listener;
      },
    }),
    channel: () => [{ end: "core" }, { end: "page" }],
    keychain: {
      refusal: async () => null,
      wrap: async (bytes) => bytes.map((byte) => byte ^ 0xff),
      unwrap: async () => {
        throw new Error("the keyring is locked");
      },
    },
    windowFiles: async () => new Set(["index.html", "assets/app.js"]),
    readWindowFile: async (path) => new TextEncoder().encode(path),
    showError: (title) => void log.push(`error ${title}`),
    paths: { preload: "preload.cjs", archiveDir: "archive", modelsDir: "models" },
  };
  return { ports, log, toCore, given, events, window };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("the desktop shell", () => {
  test("starts the core, then opens one sandboxed window on its own scheme", async () => {
    const { ports, log, toCore } = desktop();
    await startShell(ports);
    expect(log).toEqual(["ready", "window sandbox=true isolated=true node=false", "load understory://window/"]);
    expect(toCore[0]?.message).toEqual({
      type: "start",
      archiveDir: "archive",
      modelsDir: "models",
      keychainRefusal: null,
    });
  });

  test("a second start only brings the first window forward", async () => {
    const second = desktop({ first: false });
    await startShell(second.ports);
    expect(second.log).toEqual(["quit"]);
    const first = desktop();
    await startShell(first.ports);
    first.events.second?.();
    expect(first.log.at(-1)).toBe("focus");
  });

  test("introduces page and core to each other, but no foreign frame", async () => {
    const { ports, events, toCore, given, window } = desktop();
    await startShell(ports);
    events.connect?.("https://evil.example/", window);
    expect(given).toEqual([]);
    events.connect?.("understory://window/", window);
    expect(given).toEqual([{ end: "page" }]);
    expect(toCore.at(-1)).toEqual({ message: { type: "client" }, ports: [{ end: "core" }] });
  });

  test("lends the core the keychain, and passes on a refusal in words", async () => {
    const { ports, events, toCore } = desktop();
    await startShell(ports);
    events.core?.({ type: "keychain-ask", id: 1, operation: "wrap", bytes: Uint8Array.of(1, 2) });
    events.core?.({ type: "keychain-ask", id: 2, operation: "unwrap", bytes: Uint8Array.of(1) });
    await settled();
    const answers = toCore.map(({ message }) => message).filter((message) => message.type === "keychain-answer");
    expect(answers).toContainEqual({ type: "keychain-answer", id: 1, bytes: Uint8Array.of(254, 253), reason: null });
    expect(answers).toContainEqual({ type: "keychain-answer", id: 2, bytes: null, reason: "the keyring is locked" });
  });

  test("says so when the core fails or dies, and leaves", async () => {
    const failed = desktop();
    await startShell(failed.ports);
    failed.events.core?.({ type: "failed", error: { code: "internal", message: "no", hint: null, details: {} } });
    expect(failed.log.slice(-2)).toEqual(["error Understory could not start", "quit"]);
    const died = desktop();
    await startShell(died.ports);
    died.events.exit?.(9);
    expect(died.log.slice(-2)).toEqual(["error Understory's core stopped", "quit"]);
  });

  test("closing the last window lets the core stop by itself", async () => {
    const { ports, events, toCore } = desktop();
    await startShell(ports);
    events.closed?.();
    expect(toCore.at(-1)?.message).toEqual({ type: "stop" });
  });

  test("serves only files of the built window, under the policy", async () => {
    const { ports, events } = desktop();
    await startShell(ports);
    const page = await events.serve?.("understory://window/");
    expect(new TextDecoder().decode(page?.body)).toBe("index.html");
    expect(page?.headers["content-security-policy"]).toBe(contentSecurityPolicy);
    expect(await events.serve?.("understory://window/../main/port.js")).toBeNull();
  });

  test("guards are in place before the page loads", async () => {
    const { ports, events } = desktop();
    await startShell(ports);
    expect(events.request?.("https://example.com/pixel.gif")).toBe(false);
    expect(events.navigate?.("https://example.com/")).toBe(false);
    expect(events.open?.("understory://window/")).toBe(false);
    expect(events.permission?.("media")).toBe(false);
  });
});

describe("the window's policy", () => {
  test.each([
    "http://127.0.0.1/",
    "https://example.com",
    "ws://127.0.0.1:80",
    "file:///etc/passwd",
    "understory://other/",
    "ftp://x",
  ])("no request leaves: %s", (url) => expect(mayRequest(url)).toBe(false));
  test.each(["understory://window/assets/a.js", "blob:understory://window/1", "data:image/png;base64,AA"])(
    "the page's own bytes pass: %s",
    (url) => expect(mayRequest(url)).toBe(true),
  );
  test("the page may move inside itself only", () => {
    expect(mayNavigate("understory://window/#/library")).toBe(true);
    expect(mayNavigate("understory://window.evil/")).toBe(false);
    expect(mayNavigate("javascript:alert(1)")).toBe(false);
  });
  test("no permission but writing to the clipboard", () => {
    expect(
      ["media", "geolocation", "notifications", "midi", "clipboard-read", "fullscreen", "openExternal"].filter(mayUse),
    ).toEqual([]);
    expect(mayUse("clipboard-sanitized-write")).toBe(true);
  });
  test("an address names a file of the allow-list or nothing", () => {
    const files = new Set(["index.html", "assets/app.js"]);
    expect(fileOf("understory://window/", files)).toBe("index.html");
    expect(fileOf("understory://window/assets/app.js?x#y", files)).toBe("assets/app.js");
    for (const url of [
      "understory://window/%2e%2e/x",
      "understory://evil/index.html",
      "not a url",
      "understory://window/%zz",
      "http://window/",
    ]) {
      expect(fileOf(url, files)).toBeNull();
    }
  });
  test("no door of Node or Electron is open in the page", () => {
    expect(webPreferences("p")).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
    });
    expect(contentSecurityPolicy).not.toMatch(/unsafe|http|\*/);
  });
});

describe("the system's keychain", () => {
  const storage = (backend: string, available = true) => ({
    isEncryptionAvailable: () => available,
    getSelectedStorageBackend: () => backend,
    encryptString: (text: string) => Buffer.from(`sealed:${text}`),
    decryptString: (bytes: Buffer) => bytes.toString().replace("sealed:", ""),
  });

  test("wraps and unwraps any bytes", async () => {
    const keychain = safeStorageKeychain(storage("gnome_libsecret"), "linux");
    const key = Uint8Array.from({ length: 32 }, (_, i) => i * 8);
    expect(await keychain.refusal()).toBeNull();
    expect(await keychain.unwrap(await keychain.wrap(key))).toEqual(key);
  });

  test("Linux's basic_text is no protection and is refused", async () => {
    const keychain = safeStorageKeychain(storage("basic_text"), "linux");
    expect(await keychain.refusal()).toMatch(/would not protect/);
    await expect(keychain.wrap(Uint8Array.of(1))).rejects.toThrow(/would not protect/);
  });

  test("a system without a keychain says so", async () => {
    expect(await safeStorageKeychain(storage("", false), "darwin").refusal()).toMatch(/no keychain/);
  });
});
