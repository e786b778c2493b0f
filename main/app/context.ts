import type { Client, Handlers } from "#contract";
import type { LanguageHost } from "#main/inference/language.ts";
import type { InferenceHost } from "#main/inference/ports.ts";
import type { Keychain, UnlockWith } from "#main/records/keyring.ts";
import type { Session } from "./session.ts";

export interface AppOptions {
  readonly archiveDir: string;
  /** Where models lie; shared by all archives. */
  readonly modelsDir?: string;
  readonly host: "browser" | "electron";
  readonly keychain?: Keychain;
  /** False leaves out vectors and thumbnails: for an archive that is thrown away at once. */
  readonly derive?: boolean;
  /** Quiet before a change in a watched folder is read, ms; ten seconds when absent. */
  readonly settleMs?: number;
}

export interface App {
  readonly handlers: Handlers;
  /** A client over the memory transport, for whoever lives in the same process. */
  readonly client: Client;
  close(): Promise<void>;
}

/** What the handlers share: which archive is open, and how to open another. */
export interface AppContext {
  readonly options: Required<Omit<AppOptions, "keychain">> & { readonly keychain: Keychain | undefined };
  readonly sampleDir: string;
  /** All models of this machine. */
  readonly inference: InferenceHost;
  readonly language: LanguageHost;
  session(): Session;
  current(): Session | null;
  /** Opens one archive; whichever was open is closed first. */
  open(which: { sample: boolean; how: UnlockWith }): Promise<Session>;
  closeSession(): Promise<void>;
}
