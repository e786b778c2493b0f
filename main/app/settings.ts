import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings, type Settings, settingsSchema } from "#contract";

const fileOf = (modelsDir: string): string => join(modelsDir, "settings.json");

/**
 * The settings of this person, beside the models that they are about. A field that is missing or malformed has its
 * default, so that one bad line costs no other setting.
 */
export function readSettings(modelsDir: string): Settings {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(fileOf(modelsDir), "utf8"));
  } catch {
    return defaultSettings;
  }
  const fields = typeof given === "object" && given !== null ? given : {};
  const kept = Object.entries(fields).filter(
    ([name, value]) => settingsSchema.partial().safeParse({ [name]: value }).success,
  );
  return settingsSchema.parse({ ...defaultSettings, ...Object.fromEntries(kept) });
}

/** Changes the fields given and keeps the others; written whole and renamed, so that a crash leaves the old file. */
export function writeSettings(
  modelsDir: string,
  changes: { [K in keyof Settings]?: Settings[K] | undefined },
): Settings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const settings = settingsSchema.parse({ ...readSettings(modelsDir), ...Object.fromEntries(given) });
  mkdirSync(modelsDir, { recursive: true });
  const path = fileOf(modelsDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(settings, null, 2)}\n`, { flush: true });
  renameSync(`${path}.new`, path);
  return settings;
}
