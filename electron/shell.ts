import { coreToShellSchema, type ShellToCore } from "#main/rpc/shell-protocol.ts";
import { fileOf, headersOf, mayNavigate, mayRequest, mayUse, scheme, webPreferences, windowUrl } from "./policy.ts";

/**
 * The desktop shell: opens the window, starts the core in its own process, and introduces them to each other.
 * It knows Electron only through these ports, so that all of it runs under test without Electron.
 */

/** One end of a channel; opaque to the shell, handed on. */
export type ChannelEnd = object;

export interface CorePort {
  post(message: ShellToCore, ports: ChannelEnd[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number) => void): void;
}

export interface WindowPort {
  load(url: string): Promise<void>;
  /** Hands the page its end of a channel. */
  sendPort(port: ChannelEnd): void;
  focus(): void;
  /** Each returns whether the page may go on. */
  guard(guards: { navigate(url: string): boolean; open(url: string): boolean }): void;
}

export interface KeychainPort {
  /** Null when the system's keychain protects; else why not. */
  refusal(): Promise<string | null>;
  wrap(bytes: Uint8Array): Promise<Uint8Array>;
  unwrap(bytes: Uint8Array): Promise<Uint8Array>;
}

export interface ShellPorts {
  /** False when another Understory already runs for this person. */
  isFirstInstance(): boolean;
  quit(): void;
  whenReady(): Promise<void>;
  onSecondInstance(listener: () => void): void;
  onLastWindowClosed(listener: () => void): void;
  /** Asks of the page, by the address of the frame that asks. */
  onConnect(listener: (frameUrl: string, window: WindowPort) => void): void;
  session: {
    /** Every request of the page; false blocks it. */
    onRequest(allow: (url: string) => boolean): void;
    onPermission(allow: (permission: string) => boolean): void;
    /** Serves the scheme; null is "not found". */
    handle(
      scheme: string,
      answer: (url: string) => Promise<{ body: Uint8Array; headers: Record<string, string> } | null>,
    ): void;
  };
  openWindow(options: { webPreferences: ReturnType<typeof webPreferences>; width: number; height: number }): WindowPort;
  startCore(): CorePort;
  channel(): [ChannelEnd, ChannelEnd];
  keychain: KeychainPort;
  /** Relative paths of the built window. */
  windowFiles(): Promise<ReadonlySet<string>>;
  readWindowFile(path: string): Promise<Uint8Array>;
  showError(title: string, message: string): void;
  paths: { preload: string; archiveDir: string; modelsDir: string };
}

export async function startShell(ports: ShellPorts): Promise<void> {
  if (!ports.isFirstInstance()) return ports.quit();
  await ports.whenReady();

  const files = await ports.windowFiles();
  ports.session.onRequest(mayRequest);
  ports.session.onPermission(mayUse);
  ports.session.handle(scheme, async (url) => {
    const file = fileOf(url, files);
    return file === null ? null : { body: await ports.readWindowFile(file), headers: headersOf(file) };
  });

  const core = ports.startCore();
  core.onMessage((raw) => {
    const message = coreToShellSchema.parse(raw);
    if (message.type === "failed") {
      ports.showError(
        "Understory could not start",
        [message.error.message, message.error.hint].filter(Boolean).join("\n\n"),
      );
      ports.quit();
    } else if (message.type === "keychain-ask") {
      const answer =
        message.operation === "wrap" ? ports.keychain.wrap(message.bytes) : ports.keychain.unwrap(message.bytes);
      answer.then(
        (bytes) =>
          core.post({ type: "keychain-answer", id: message.id, bytes: Uint8Array.from(bytes), reason: null }, []),
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          core.post({ type: "keychain-answer", id: message.id, bytes: null, reason }, []);
        },
      );
    }
  });
  core.onExit((code) => {
    if (code !== 0) {
      ports.showError("Understory's core stopped", "What was saved is safe. Start Understory again.");
    }
    ports.quit();
  });
  const { archiveDir, modelsDir } = ports.paths;
  core.post({ type: "start", archiveDir, modelsDir, keychainRefusal: await ports.keychain.refusal() }, []);

  const window = ports.openWindow({ webPreferences: webPreferences(ports.paths.preload), width: 1280, height: 840 });
  window.guard({ navigate: mayNavigate, open: () => false });
  ports.onConnect((frameUrl, asking) => {
    if (!mayNavigate(frameUrl)) return;
    const [forCore, forPage] = ports.channel();
    core.post({ type: "client" }, [forCore]);
    asking.sendPort(forPage);
  });
  ports.onSecondInstance(() => window.focus());
  ports.onLastWindowClosed(() => core.post({ type: "stop" }, []));
  await window.load(windowUrl);
}
