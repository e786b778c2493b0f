import { limits } from "../types.ts";
import type { ExifFacts } from "./exif.ts";
import type { IptcFacts } from "./iptc.ts";
import type { XmpProperties } from "./xmp.ts";

/** Words that a person gave to a picture, told from those that cameras and programs write by themselves. */

export interface PictureWords {
  readonly title: string | null;
  readonly text: string | null;
  readonly labels: readonly string[];
  /** Names of the people shown. */
  readonly people: readonly string[];
}

/** What makers put into ImageDescription and UserComment of every picture. */
const defaults =
  /^(?:[\w\s]*digital (?:still )?camera|sony dsc|dcim|exif[_ ]jpeg[_ ]picture|jpeg|untitled|default|image|picture|digimax.*|samsung.*camera.*|camera phone|lead technologies.*|created (?:with|by) .*|ascii|charset=.*|screenshot|(?:oznor|cof|edf|dav|hdr|ptr|rhdr|sdr|fbt|mde|nor|rptr|btf|rbt|vivo|binary comment|user comments?)(?:wo|rhdr)?)$/i;
/** Titles that fit on one line; a longer ImageDescription is a text. */
const titleChars = 100;

const control = /[\p{Cc}\p{Cn}\p{Co}\ufffd]/gu;

/** The words, tidied; null when they are blank, a default, or mostly not text. */
function sensible(raw: string | null | undefined, exif: ExifFacts, stem: string): string | null {
  if (raw == null) return null;
  const text = raw.replace(/\r\n?/g, "\n").replace(/\0/g, "").trim().slice(0, limits.textChars).normalize("NFC");
  const odd = text.replace(/[\n\t]/g, "").match(control)?.length ?? 0;
  if (text === "" || odd > 0) return null;
  const { Make, Model } = exif.strings;
  // Programs leave checksums and keys in comments.
  if (/^[\w+/=-]{24,}$/.test(text)) return null;
  const same = [Make, Model, stem].some((one) => one?.trim().toLowerCase() === text.toLowerCase());
  return same || defaults.test(text) || !/[\p{L}\p{N}]/u.test(text) ? null : text;
}

/** `description`: from a service's sidecar. `stem`: file name without its extension. */
export function wordsOf(
  exif: ExifFacts,
  iptc: IptcFacts,
  xmp: readonly XmpProperties[],
  description: string | null,
  stem: string,
): PictureWords {
  const all = (property: string) => xmp.flatMap((one) => one.get(property) ?? []);
  const pick = (candidates: readonly (string | null | undefined)[]): string | null => {
    for (const candidate of candidates) {
      const words = sensible(candidate, exif, stem);
      if (words !== null) return words;
    }
    return null;
  };
  let title = pick([all("dc:title")[0], iptc.title, exif.windows.title]);
  const caption = pick([exif.strings.ImageDescription, all("dc:description")[0], iptc.caption]);
  const texts = [description, caption, exif.userComment, all("exif:UserComment")[0], exif.windows.comment]
    .map((one) => sensible(one, exif, stem))
    .filter((one) => one !== null);
  if (title === null && caption !== null && caption.length <= titleChars && !caption.includes("\n")) title = caption;
  const text = [...new Set(texts)].filter((one) => one !== title).join("\n\n");
  const flat = [...all("dc:subject"), ...iptc.keywords, ...exif.windows.keywords];
  const trees = ["lr:hierarchicalSubject", "digiKam:TagsList", "MicrosoftPhoto:LastKeywordXMP"].flatMap(all);
  const paths = trees.map((path) => path.split(/[|/]/));
  const leaves = paths.map((path) => path.at(-1) ?? "");
  // Lightroom writes every node of a tree as a keyword of its own; the way to a leaf is no word about the picture.
  const inner = new Set(paths.flatMap((path) => path.slice(0, -1)).map((one) => one.trim()));
  const ends = new Set(leaves.map((one) => one.trim()));
  const tidy = (names: readonly string[]) => [
    ...new Set(names.map((one) => one.normalize("NFC").trim()).filter((one) => one !== "")),
  ];
  return {
    title,
    text: text === "" ? null : text,
    labels: tidy([...flat.filter((one) => !inner.has(one.trim()) || ends.has(one.trim())), ...leaves]).slice(0, 500),
    people: tidy(["Iptc4xmpExt:PersonInImage", "mwg-rs:Name", "MPReg:PersonDisplayName"].flatMap(all)),
  };
}
