import type { PictureFormat } from "#native/images.ts";

/** What the endings of names promise. Content decides; a name says which files are worth a look. */

const pictures: Readonly<Record<string, PictureFormat>> = {
  jpg: "jpeg",
  jpeg: "jpeg",
  jpe: "jpeg",
  jfif: "jpeg",
  mpo: "jpeg",
  insp: "jpeg",
  png: "png",
  apng: "png",
  heic: "heic",
  heif: "heic",
  hif: "heic",
  avif: "avif",
  webp: "webp",
  gif: "gif",
  tif: "tiff",
  tiff: "tiff",
};
const raws =
  "3fr arw cr2 cr3 crw dcr dng erf gpr iiq k25 kdc mef mos mrw nef nrw orf pef raf raw rw2 rwl sr2 srf srw x3f".split(
    " ",
  );
const films =
  "mp4 m4v mov qt 3gp 3g2 3gpp mkv webm avi mpg mpeg mts m2ts m2t ts mod tod vob wmv asf flv insv 360 mp lrv".split(
    " ",
  );
const sounds = "m4a m4b mp3 opus ogg oga wav amr awb flac aac caf wma".split(" ");

export const extensionOf = (name: string): string => /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
export const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]+$/, "");

/** The format that a file name promises, or null. */
export function formatOfName(name: string): PictureFormat | null {
  const extension = extensionOf(name);
  return pictures[extension] ?? (raws.includes(extension) ? "raw" : null);
}

/** Whether a name promises a film or a sound. `.ts` is mostly a program's text: content has to say so. */
export function isFilmName(name: string): boolean {
  return films.includes(extensionOf(name)) || sounds.includes(extensionOf(name));
}
