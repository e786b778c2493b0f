import type { Handlers } from "#contract";
import { modelsFolder } from "#models/installed.ts";
import { archiveHandlers } from "./app/archive-handlers.ts";
import type { App, AppContext, AppOptions } from "./app/context.ts";
import { importHandlers } from "./app/import-handlers.ts";
import { libraryHandlers } from "./app/library-handlers.ts";
import { modelHandlers } from "./app/model-handlers.ts";
import { sampleDirOf } from "./app/places.ts";
import { onBattery } from "./app/power.ts";
import { needSession, openSession, type Session } from "./app/session.ts";
import { readSettings } from "./app/settings.ts";
import { viewHandlers } from "./app/view-handlers.ts";
import { createInference } from "./inference/inference.ts";
import { createLanguage } from "./inference/language.ts";
import { createClient } from "./rpc/client.ts";
import { serve } from "./rpc/server.ts";
import { memoryPair } from "./rpc/transports/memory.ts";
import { oneAtATime } from "./workers/turn.ts";

/** The one place where everything is put together. */

export type { App, AppOptions } from "./app/context.ts";

export async function openApp(given: AppOptions): Promise<App> {
  const options: AppContext["options"] = {
    archiveDir: given.archiveDir,
    modelsDir: given.modelsDir ?? modelsFolder(),
    host: given.host,
    keychain: given.keychain,
    derive: given.derive ?? true,
    settleMs: given.settleMs ?? 10_000,
  };
  const sampleDir = sampleDirOf(options.archiveDir);
  const { modelsDir } = options;
  const inference = createInference({ modelsDir, settings: () => readSettings(modelsDir), power: onBattery });
  const language = createLanguage({ modelsDir, settings: () => readSettings(modelsDir), memory: inference });
  let current: Session | null = null;
  // Opening and closing happen one after another, whoever asks.
  const inTurn = oneAtATime();

  const context: AppContext = {
    options,
    sampleDir,
    inference,
    language,
    session: () => needSession(current),
    current: () => current,
    open: ({ sample, how }) =>
      inTurn(async () => {
        await current?.close();
        current = null;
        const { keychain, derive, settleMs } = options;
        current = await openSession({
          dir: sample ? sampleDir : options.archiveDir,
          how,
          keychain,
          modelsDir,
          inference,
          language,
          sample,
          derive,
          settleMs,
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
    ...viewHandlers(context),
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
      await language.close();
      await inference.close();
    },
  };
}
