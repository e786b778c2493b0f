import { limits } from "../types.ts";
import type { ExifFacts } from "./exif.ts";
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
  let title = pick([all("dc:title")[0], exif.iptc.title]);
  const caption = pick([exif.strings.ImageDescription, all("dc:description")[0], exif.iptc.caption]);
  const texts = [description, caption, exif.userComment, all("exif:UserComment")[0]]
    .map((one) => sensible(one, exif, stem))
    .filter((one) => one !== null);
  if (title === null && caption !== null && caption.length <= titleChars && !caption.includes("\n")) title = caption;
  const text = [...new Set(texts)].filter((one) => one !== title).join("\n\n");
  const flat = [...all("dc:subject"), ...exif.iptc.keywords];
  const trees = [...all("lr:hierarchicalSubject"), ...all("digiKam:TagsList")];
  const leaves = trees.map((path) => path.split(/[|/]/).at(-1) ?? path);
  const tidy = (names: readonly string[]) => [
    ...new Set(names.map((one) => one.normalize("NFC").trim()).filter((one) => one !== "")),
  ];
  return {
    title,
    text: text === "" ? null : text,
    labels: tidy([...flat, ...leaves]).slice(0, 500),
    people: tidy([...all("Iptc4xmpExt:PersonInImage"), ...all("mwg-rs:Name"), ...all("MPReg:PersonDisplayName")]),
  };
}
