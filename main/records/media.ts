import { UnderstoryError } from "#contract";
import type { ArchiveFiles, MediaReader } from "./ports.ts";

/** Opens media.db for reading only; an archive whose media.db is gone simply has no thumbnails. */
export function openMediaReader(_files: ArchiveFiles): MediaReader {
  throw new UnderstoryError("internal", "The media reader is being built.");
}
