import iconv from "iconv-lite";
import { limits } from "#contract";

/** Rules on the names of files, the same for folders, zips and uploads. */

/** Files that an operating system leaves behind: they are nobody's memory and get no row in the ledger. */
const litterFiles = new Set(
  ".ds_store thumbs.db thumbs.db:encryptable ehthumbs.db ehthumbs_vista.db desktop.ini .nomedia icon\r .localized .apdisk .directory .dropbox .dropbox.attr .picasa.ini picasa.ini synofile_thumb.db".split(
    " ",
  ),
);
/** Also of NAS systems (thumbnails), of macOS's own stores and of Windows' bin. */
const litterFolders = new Set(
  "__macosx|.spotlight-v100|.trashes|.fseventsd|.documentrevisions-v100|.temporaryitems|.appledouble|.appledb|.appledesktop|$recycle.bin|recycler|system volume information|@eadir|.@__thumb|.dropbox.cache|.stversions|.stfolder".split(
    "|",
  ),
);
/** What office programs put beside a file as long as it is open. */
const lockFile = /^(?:~\$.*\.(?:doc|xls|ppt)[a-z]?|\.~lock\..*#)$/i;

export const isLitterFile = (name: string): boolean => litterFiles.has(name.toLowerCase()) || lockFile.test(name);
export const isLitterFolder = (name: string): boolean => litterFolders.has(name.toLowerCase());

/** AppleDouble, RFC 1740: magic 0x00051607. A real file may begin with `._`, so the content decides. */
export const isAppleDouble = (name: string, head: Uint8Array): boolean =>
  name.startsWith("._") && head[0] === 0x00 && head[1] === 0x05 && head[2] === 0x16 && head[3] === 0x07;

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

const unfinished = new Set("crdownload part partial download opdownload filepart aria2 tmp".split(" "));

/** Why a file is only the beginning of one, or stands for one that is elsewhere; null for a whole file. */
export function whyNotWhole(name: string): string | null {
  if (/^\..+\.icloud$/i.test(name)) {
    return "It lies in iCloud and is not on this machine. Download it there and import again.";
  }
  return unfinished.has(extensionOf(name)) ? "It is a download or a copy that was never finished." : null;
}

/** Second copies that sync programs make when two machines change one file. */
export const isSyncConflict = (name: string): boolean =>
  /\((?:[^()]*\b)?(?:conflicted copy|in konflikt stehende kopie|copie en conflit|copia en conflicto)\b[^()]*\)|\.sync-conflict-\d{8}-\d{6}/i.test(
    name,
  );

/** Folders of sync programs, on whose disk a file may be only a name until it is opened. */
const cloudFolder =
  /[/\\](?:OneDrive[^/\\]*|Dropbox[^/\\]*|CloudStorage|Mobile Documents|iCloud ?Drive|Google Drive|pCloud ?Drive|Box)[/\\]/i;

/** A file of a cloud folder that takes no room on disk: opening it would make the system fetch it. */
export const isOnlineOnly = (disk: string, stat: { size: number; blocks: number }): boolean =>
  stat.blocks === 0 && stat.size > 4096 && cloudFolder.test(disk);

/** Formats that are zips inside and files to a person. */
const zipBasedExtensions = new Set(
  "docx docm dotx xlsx xlsm xltx pptx pptm potx odt ods odp odg ott epub jar war apk aab ipa pages numbers key kmz xpi whl cbz vsix msix sketch 3mf".split(
    " ",
  ),
);
const zipBasedFirstMembers = ["[Content_Types].xml", "mimetype", "META-INF/", "_rels/", "word/", "xl/", "ppt/"];
/** Extensions of which a folder may hold hundreds of thousands: they are not opened only to see whether they are archives. */
const neverArchive = new Set("jpg jpeg heic heif png gif webp mp4 mov m4v avi json eml emlx html".split(" "));

/** Whether the content must be looked at to know if this is an archive. */
export const mightBeArchive = (name: string): boolean => {
  const extension = extensionOf(name);
  return !neverArchive.has(extension) && !zipBasedExtensions.has(extension);
};

/** A zip that stands for a folder: by content, whatever its name says, unless it is an office file or the like. */
export function isZipFolder(name: string, head: Uint8Array): boolean {
  const signature = head[0] === 0x50 && head[1] === 0x4b;
  const local = signature && head[2] === 0x03 && head[3] === 0x04;
  const empty = signature && head[2] === 0x05 && head[3] === 0x06;
  // The first of several files has a mark of its own before it (APPNOTE §8.5.3).
  const spanned = signature && head[2] === 0x07 && head[3] === 0x08 && head[4] === 0x50 && head[5] === 0x4b;
  if (!(local || empty || spanned)) return false;
  if (extensionOf(name) === "zip" || empty || spanned) return true;
  const length = (head[26] ?? 0) + 256 * (head[27] ?? 0);
  const first = Buffer.from(head.subarray(30, 30 + length)).toString("latin1");
  return !zipBasedFirstMembers.some((member) => first.startsWith(member));
}

/** Images of disks, whose marks stand where no first bytes reach. */
const diskImages = new Set("dmg iso img vhd vhdx vmdk vdi sparseimage".split(" "));

/** Name of an archive format that is not opened, or null. */
export function closedArchive(head: Uint8Array, name = ""): string | null {
  if (diskImages.has(extensionOf(name))) return "Disk image";
  const begins = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  if (begins(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)) return "7z";
  if (begins(0x52, 0x61, 0x72, 0x21, 0x1a, 0x07)) return "RAR";
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x42, 0x5a, 0x68)) return "bzip2";
  if (begins(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)) return "xz";
  if (begins(0x28, 0xb5, 0x2f, 0xfd)) return "Zstandard";
  if (begins(0x04, 0x22, 0x4d, 0x18)) return "LZ4";
  if (begins(0x1f, 0x9d) || begins(0x1f, 0xa0)) return "compress (.Z)";
  if (begins(0x78, 0x61, 0x72, 0x21)) return "xar";
  if (begins(0x4d, 0x53, 0x43, 0x46)) return "cabinet";
  const at = (offset: number, length: number) => Buffer.from(head.subarray(offset, offset + length)).toString("latin1");
  if (at(257, 5) === "ustar") return "tar";
  if (/^-lh\d-$/.test(at(2, 5))) return "LHA";
  // StuffIt, and Apple's own archive.
  if (at(0, 4) === "SIT!" || at(0, 7) === "StuffIt") return "StuffIt";
  if (at(0, 4) === "AA01" || at(0, 4) === "YAA1") return "Apple";
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

/** A refused name, harmless to show and to keep as a row. */
export function shownName(raw: string): string {
  const parts = raw.split(/[/\\]/).filter((part) => part !== "" && part !== "." && part !== "..");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be shown.
  const name = parts.join("/").replaceAll(/[\u0000-\u001f\u007f]/g, "�");
  return name.normalize("NFC").slice(0, 1000) || "(no name)";
}

/**
 * Bytes of a name in an archive that carry no mark of their charset: UTF-8 where they are valid UTF-8, Shift-JIS, GBK or
 * CP866 where they read as words of it, else CP437 (APPNOTE appendix D).
 */
export function guessName(raw: Uint8Array): string {
  for (const label of ["utf-8", "shift_jis", "gbk", "ibm866"]) {
    let text: string;
    try {
      text = new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(raw);
    } catch {
      continue;
    }
    if (label === "utf-8" || readsAs(label, text, raw)) return text;
  }
  return iconv.decode(Buffer.from(raw), "cp437");
}

/**
 * Western names have single letters above ASCII, between others that are ASCII; in these scripts such letters stand
 * together. A name of single ones is none of theirs.
 */
function readsAs(label: string, text: string, raw: Uint8Array): boolean {
  const runs = text.match(/[\u0080-\uffff]+/g) ?? [];
  const letters = runs.join("");
  if (letters.length < 2 || letters.length < runs.length * 2) return false;
  if (label === "ibm866") return letters.length >= runs.length * 3 && /^[\u0400-\u045f\u2116]+$/.test(letters);
  if (label === "shift_jis") {
    return /[\u3040-\u30fe]/.test(letters) && /^[\u3000-\u30fe\u4e00-\u9fff\uff01-\uff5e]+$/.test(letters);
  }
  // The first plane of GB 2312, in which nearly all that is written stands.
  const common = raw.filter((byte, at) => byte >= 0xb0 && byte <= 0xf7 && (raw[at + 1] ?? 0) >= 0xa1).length;
  return /^[\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e]+$/.test(letters) && common >= letters.length / 2;
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
