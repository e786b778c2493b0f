/**
 * Which sidecar belongs to which picture of one folder, by names alone. Google documents nothing of its own rule; what
 * is written here was observed in exports: the sidecar is named after the media file (plus ".supplemental-metadata"
 * since late 2024), cut to 46 characters before an optional "(n)" and ".json"; the number stands before the extension
 * in the media name, at the end in the sidecar name. Names are compared in NFC, extensions in any case.
 */

export interface FolderPairs {
  /** Picture name → name of its service sidecar (.json). Edited copies share their original's. */
  readonly json: ReadonlyMap<string, string>;
  /** Picture name → names of its .xmp and .AAE files, .xmp first. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** Edited copy → name of its original. */
  readonly originalOf: ReadonlyMap<string, string>;
  /** Picture → sidecars that fit equally well; none of them is taken. */
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
}

const cutAt = 46;
const suffix = ".supplemental-metadata";

interface Parts {
  readonly name: string;
  /** Without the extension. */
  readonly stem: string;
  readonly extension: string;
  /** Stem without a last "(n)", and that "(n)" or "". */
  readonly core: string;
  readonly number: string;
}

function split(name: string): Parts {
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const extension = dot > 0 ? name.slice(dot) : "";
  const numbered = /^(.+)(\(\d+\))$/s.exec(stem);
  return { name, stem, extension, core: numbered?.[1] ?? stem, number: numbered?.[2] ?? "" };
}

const folded = (name: string) => name.normalize("NFC").toLowerCase();

/** Names (without ".json") that the sidecar of a picture may have, the surest first. */
function jsonNames({ name, stem, extension, core, number }: Parts): string[] {
  const names = [`${name}${suffix}`, name];
  if (number !== "") {
    const plain = `${core}${extension}`;
    names.push(`${plain}${suffix}${number}`, `${plain}${number}`);
    // A cut that swallows the media's own number would give both long names one sidecar: the moved number comes first.
    names.push(`${`${plain}${suffix}`.slice(0, cutAt)}${number}`, `${plain.slice(0, cutAt)}${number}`);
  }
  names.push(`${name}${suffix}`.slice(0, cutAt), name.slice(0, cutAt));
  // Google added the extension itself: the sidecar lacks it.
  names.push(`${stem}${suffix}`, `${stem}${suffix}`.slice(0, cutAt));
  return names;
}

/** Word of an edit in any language, possibly cut: letters and blanks after the hyphen, no digits. */
const editWord = /^-[\p{L}\p{M}][\p{L}\p{M}' ]*$/u;

/** One key for a stem, a duplicate's number and an extension. */
const keyOf = (stem: string, number: string, extension: string) => folded(`${stem}/${number}/${extension}`);

/** The original of a copy: the longest stem before a hyphen that stands in the folder with a sidecar. */
function originalFor(copy: Parts, originals: ReadonlyMap<string, string>): string | null {
  const readings = copy.number === "" ? [copy.stem] : [copy.core, copy.stem];
  for (const stem of readings) {
    const number = stem === copy.stem ? "" : copy.number;
    for (let hyphen = stem.lastIndexOf("-"); hyphen > 0; hyphen = stem.lastIndexOf("-", hyphen - 1)) {
      const original = originals.get(keyOf(stem.slice(0, hyphen), number, copy.extension));
      if (original !== undefined && original !== copy.name && editWord.test(stem.slice(hyphen))) return original;
    }
  }
  return null;
}

/** Pairs of one folder; `pictures` and `files` are names, not paths. */
export function pairFolder(pictures: readonly string[], files: readonly string[]): FolderPairs {
  const byName = new Map<string, string>();
  for (const file of files) if (/\.json$/i.test(file)) byName.set(folded(file.slice(0, -5)), file);
  const parts = pictures.map(split);
  const json = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (picture: string, file: string) => {
    json.set(picture, file);
    taken.add(file);
  };

  // Rule by rule over the whole folder, so that a sure pair is never spoiled by a guess of another picture.
  const wanted = parts.map(jsonNames);
  const rules = Math.max(0, ...wanted.map((names) => names.length));
  for (let rule = 0; rule < rules; rule++) {
    for (const [i, part] of parts.entries()) {
      const file = byName.get(folded(wanted[i]?.[rule] ?? ""));
      if (file !== undefined && !json.has(part.name) && !taken.has(file)) pair(part.name, file);
    }
  }
  // Cut in bytes or other units (names that are not ASCII): a sidecar that is a prefix, when it is the only one both ways.
  const left = parts
    .filter((part) => !json.has(part.name))
    .map((part) => ({ name: part.name, full: folded(`${part.name}${suffix}`) }));
  const free = [...byName].filter(([key, file]) => !taken.has(file) && Buffer.byteLength(key) >= 40);
  const ambiguous = new Map<string, readonly string[]>();
  for (const { name, full } of free.length === 0 ? [] : left) {
    const fits = free.filter(([key]) => full.startsWith(key));
    const [only] = fits;
    if (!only) continue;
    if (fits.length === 1 && left.filter((other) => other.full.startsWith(only[0])).length === 1) pair(name, only[1]);
    else
      ambiguous.set(
        name,
        fits.map(([, file]) => file),
      );
  }

  const originalOf = new Map<string, string>();
  const originals = new Map<string, string>();
  for (const { name, stem, core, number, extension } of parts) {
    if (!json.has(name)) continue;
    originals.set(keyOf(stem, "", extension), name);
    if (number !== "") originals.set(keyOf(core, number, extension), name);
  }
  for (const copy of parts) {
    const original = json.has(copy.name) ? null : originalFor(copy, originals);
    if (original !== null) originalOf.set(copy.name, original);
  }
  for (const [copy, original] of originalOf) {
    const file = json.get(original);
    if (file !== undefined) json.set(copy, file);
  }
  return { json, others: otherSidecars(parts, files), originalOf, ambiguous };
}

/** Files of other programs that belong to a picture or film: recipes of edits, small copies that cameras make. */
export const belongings = /\.(?:xmp|aae|thm|lrv|pp3|dop|nksc|cos|on1|arp|vrd|dr4|moi|cpi|mpl|glv)$/i;

/** NAME.EXT.xmp (darktable, digiKam) before NAME.xmp (Adobe); then recipes and small copies, by either form. */
function otherSidecars(parts: readonly Parts[], files: readonly string[]): Map<string, string[]> {
  const byStem = Map.groupBy(
    files.filter((file) => belongings.test(file)),
    (file) => folded(split(file).stem),
  );
  const others = new Map<string, string[]>();
  if (byStem.size === 0) return others;
  const rank = (file: string) => (/\.xmp$/i.test(file) ? 0 : 1);
  for (const { name, stem } of parts) {
    // An edit's recipe is named IMG_O1234.AAE beside IMG_1234.
    const recipes = byStem.get(folded(stem.replace(/^IMG_(?=\d)/i, "IMG_O"))) ?? [];
    const apple = stem.startsWith("IMG_") ? recipes.filter((file) => /\.aae$/i.test(file)) : [];
    const found = [...(byStem.get(folded(name)) ?? []), ...(byStem.get(folded(stem)) ?? []), ...apple];
    const mine = [...new Set(found)].filter((file) => file !== name).sort((a, b) => rank(a) - rank(b));
    if (mine.length > 0) others.set(name, mine);
  }
  return others;
}
