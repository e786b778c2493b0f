import type { Client, Handlers } from "#contract";
import { modelsFolder } from "#models/installed.ts";
import { archiveHandlers } from "./app/archive-handlers.ts";
import { importHandlers } from "./app/import-handlers.ts";
import { libraryHandlers } from "./app/library-handlers.ts";
import { modelHandlers } from "./app/model-handlers.ts";
import { sampleDirOf } from "./app/places.ts";
import { needSession, openSession, type Session } from "./app/session.ts";
import type { Keychain, UnlockWith } from "./records/keyring.ts";
import { createClient } from "./rpc/client.ts";
import { serve } from "./rpc/server.ts";
import { memoryPair } from "./rpc/transports/memory.ts";

/** The one place where everything is put together. */

export interface AppOptions {
  readonly archiveDir: string;
  /** Where models lie; shared by all archives. */
  readonly modelsDir?: string;
  readonly host: "browser" | "electron";
  readonly keychain?: Keychain;
  /** False leaves out vectors and thumbnails: for an archive that is thrown away at once. */
  readonly derive?: boolean;
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
  session(): Session;
  current(): Session | null;
  /** Opens one archive; whichever was open is closed first. */
  open(which: { sample: boolean; how: UnlockWith }): Promise<Session>;
  closeSession(): Promise<void>;
}

export async function openApp(given: AppOptions): Promise<App> {
  const options: AppContext["options"] = {
    archiveDir: given.archiveDir,
    modelsDir: given.modelsDir ?? modelsFolder(),
    host: given.host,
    keychain: given.keychain,
    derive: given.derive ?? true,
  };
  const sampleDir = sampleDirOf(options.archiveDir);
  let current: Session | null = null;
  // Opening and closing happen one after another, whoever asks.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  const context: AppContext = {
    options,
    sampleDir,
    session: () => needSession(current),
    current: () => current,
    open: ({ sample, how }) =>
      inTurn(async () => {
        await current?.close();
        current = null;
        const { keychain, modelsDir, derive } = options;
        current = await openSession({
          dir: sample ? sampleDir : options.archiveDir,
          how,
          keychain,
          modelsDir,
          sample,
          derive,
        });
        return current;
      }),
    closeSession: () =>
      inTurn(async () => {
        await current?.close();
        current = null;
      }),
  };
  const handlers: Handlers = {
    ...archiveHandlers(context),
    ...importHandlers(context),
    ...libraryHandlers(context),
    ...modelHandlers(context),
  };
  const [server, end] = memoryPair();
  serve(handlers, server);
  const client = createClient(end);
  return {
    handlers,
    client,
    async close() {
      client.close();
      await context.closeSession();
    },
  };
}
