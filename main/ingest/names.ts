import iconv from "iconv-lite";
import { limits } from "#contract";

/** Rules on the names of files, the same for folders, zips and uploads. */

/** Files that an operating system leaves behind: they are nobody's memory and get no row in the ledger. */
const litterFiles = new Set([".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", ".nomedia", "icon\r"]);
const litterFolders = new Set(["__macosx", ".spotlight-v100", ".trashes", ".fseventsd", "$recycle.bin"]);

export const isLitterFile = (name: string): boolean => litterFiles.has(name.toLowerCase());
export const isLitterFolder = (name: string): boolean => litterFolders.has(name.toLowerCase());

/** AppleDouble, RFC 1740: magic 0x00051607. A real file may begin with `._`, so the content decides. */
export const isAppleDouble = (name: string, head: Uint8Array): boolean =>
  name.startsWith("._") && head[0] === 0x00 && head[1] === 0x05 && head[2] === 0x16 && head[3] === 0x07;

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** Files that some program has not finished writing. */
export const isUnfinished = (name: string): boolean => ["crdownload", "part", "tmp"].includes(extensionOf(name));

/** Formats that are zips inside and files to a person. */
const zipBasedExtensions = new Set(
  "docx docm dotx xlsx xlsm xltx pptx pptm potx odt ods odp odg ott epub jar war apk aab ipa pages numbers key kmz xpi whl cbz vsix msix sketch 3mf".split(
    " ",
  ),
);
const zipBasedFirstMembers = ["[Content_Types].xml", "mimetype", "META-INF/", "_rels/", "word/", "xl/", "ppt/"];
/** Extensions of which a folder may hold hundreds of thousands: they are not opened only to see whether they are zips. */
const neverZip = new Set("jpg jpeg heic heif png gif webp mp4 mov m4v avi json eml emlx html".split(" "));

/** Whether the content must be looked at to know if this is a zip. */
export const mightBeZip = (name: string): boolean => {
  const extension = extensionOf(name);
  return !neverZip.has(extension) && !zipBasedExtensions.has(extension);
};

/** A zip that stands for a folder: by content, whatever its name says, unless it is an office file or the like. */
export function isZipFolder(name: string, head: Uint8Array): boolean {
  const signature = head[0] === 0x50 && head[1] === 0x4b;
  const local = signature && head[2] === 0x03 && head[3] === 0x04;
  const empty = signature && head[2] === 0x05 && head[3] === 0x06;
  if (!(local || empty)) return false;
  if (extensionOf(name) === "zip" || empty) return true;
  const length = (head[26] ?? 0) + 256 * (head[27] ?? 0);
  const first = Buffer.from(head.subarray(30, 30 + length)).toString("latin1");
  return !zipBasedFirstMembers.some((member) => first.startsWith(member));
}

/** Name of an archive format that is not opened, or null. */
export function closedArchive(head: Uint8Array): string | null {
  const begins = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  if (begins(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)) return "7z";
  if (begins(0x52, 0x61, 0x72, 0x21, 0x1a, 0x07)) return "RAR";
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x42, 0x5a, 0x68)) return "bzip2";
  if (begins(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)) return "xz";
  if (Buffer.from(head.subarray(257, 262)).toString("latin1") === "ustar") return "tar";
  return null;
}

export type PathCheck = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };

/**
 * Makes a relative path safe: `/` between, NFC, no step upwards, no root, no drive, no control characters.
 * APPNOTE 6.3.10 §4.4.17 forbids drive letters and leading slashes in zips; that nothing may leave the folder is our rule.
 */
export function safePath(raw: string): PathCheck {
  const refuse = (reason: string): PathCheck => ({ ok: false, reason });
  const path = raw.replaceAll("\\", "/").normalize("NFC");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused here.
  if (/[\u0000-\u001f\u007f]/.test(path)) return refuse("Its name holds control characters.");
  if (path.startsWith("/")) return refuse("Its name is an absolute path.");
  if (/^[a-z]:/i.test(path)) return refuse("Its name begins with a drive letter.");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return refuse("Its name points outside the folder it is in.");
  if (parts.length === 0) return refuse("It has no name.");
  if (parts.length > limits.depth) return refuse(`It lies more than ${limits.depth} folders deep.`);
  if (path.length > 4096) return refuse("Its name is longer than 4,096 characters.");
  return { ok: true, path: parts.join("/") };
}

/** Bytes of a zip member's name that carry no UTF-8 mark: UTF-8 where they are valid UTF-8, else CP437 (APPNOTE appendix D). */
export function guessName(raw: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return iconv.decode(Buffer.from(raw), "cp437");
  }
}

/** Paths given so far; a second one of the same name gets a number before its extension: `a.jpg`, `a (2).jpg`. */
export class UniquePaths {
  readonly #taken = new Set<string>();
  /** Where to go on counting: thousands of equal names must not be counted from 2 each. */
  readonly #next = new Map<string, number>();

  add(path: string): string {
    if (!this.#taken.has(path)) {
      this.#taken.add(path);
      return path;
    }
    const slash = path.lastIndexOf("/");
    const dot = path.lastIndexOf(".");
    const cut = dot > slash + 1 ? dot : path.length;
    let number = this.#next.get(path) ?? 2;
    let candidate = "";
    do {
      candidate = `${path.slice(0, cut)} (${number++})${path.slice(cut)}`;
    } while (this.#taken.has(candidate));
    this.#next.set(path, number);
    this.#taken.add(candidate);
    return candidate;
  }
}

/** Order of paths: by UTF-16 code units, the same on every machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
