import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";

/** Where a person's archive lies when nothing else is said, by the custom of each system. */
export function defaultArchiveDir(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.UNDERSTORY_ARCHIVE) return env.UNDERSTORY_ARCHIVE;
  const data =
    platform === "win32"
      ? (env.APPDATA ?? join(homedir(), "AppData", "Roaming"))
      : platform === "darwin"
        ? join(homedir(), "Library", "Application Support")
        : (env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"));
  return join(data, platform === "linux" ? "understory" : "Understory", "archive");
}

/** Where an archive keeps what was dropped into the window, and whether a root lies there. */
export const uploadsOf = (archiveDir: string): string => join(archiveDir, "uploads");
export const isUpload = (archiveDir: string, root: string): boolean => root.startsWith(uploadsOf(archiveDir) + sep);

/** The sample household lies beside the person's own archive and is never mixed with it. */
export function sampleDirOf(archiveDir: string): string {
  return join(dirname(archiveDir), "understory-sample");
}
