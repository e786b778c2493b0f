import type { ImportedRecord, RecordTime } from "#contract";
import { sha256 } from "../text/clean.ts";
import type { FilmRead } from "../video/index.ts";
import { extensionOf, formatOfName, isFilmName, stemOf } from "./names.ts";
import type { PictureRead } from "./picture.ts";

/**
 * What belongs to one shot: a still and its film, RAW and JPEG, an edit and its original. Names only propose; content
 * (a shared key, the same time) decides.
 */

const folded = (text: string) => text.normalize("NFC").toLowerCase();

/** Stem of the original that an edit's name tells of: IMG_E1234, IMG_1234~2, IMG_1234_edited, IMG_1234-Edit; or null. */
export function stemOfOriginal(name: string): string | null {
  const stem = stemOf(name);
  const apple = /^(.*)_E(\d{3,})$/.exec(stem);
  if (apple) return `${apple[1]}_${apple[2]}`;
  return /^(.+?)(?:~\d{1,2}|[-_ ]\(?edit(?:ed|iert)?\)?(?:[-_ ]?\d{1,2})?)$/i.exec(stem)?.[1] ?? null;
}

/** Names of a folder that may be one shot, in the order of their first ones. `edits`: copy → original, already known. */
export function proposeStacks(names: readonly string[], edits: ReadonlyMap<string, string>): string[][] {
  const leader = new Map(names.map((name) => [name, name]));
  const find = (name: string): string => {
    const up = leader.get(name) ?? name;
    if (up === name) return name;
    const top = find(up);
    leader.set(name, top);
    return top;
  };
  const join = (name: string, other: string) => leader.set(find(name), find(other));
  const stills = names.filter((name) => !isFilmName(name));
  const byStem = Map.groupBy(stills, (name) => folded(stemOf(name)));
  for (const [copy, original] of edits) join(copy, original);
  for (const [, twins] of byStem) {
    const [first] = twins;
    if (!first || !twins.some(isRawName)) continue;
    for (const twin of twins) join(twin, first);
  }
  for (const name of stills) {
    const original = stemOfOriginal(name);
    const other = original === null ? undefined : byStem.get(folded(original))?.[0];
    if (other !== undefined) join(name, other);
  }
  for (const name of names.filter(isFilmName)) {
    // PXL_1.MP.jpg has the clip PXL_1.MP; IMG_1_HEVC.MOV goes with IMG_1.HEIC.
    const keys = [name, stemOf(name), stemOf(name).replace(/_HEVC$/i, "")];
    const still = keys.flatMap((key) => byStem.get(folded(key)) ?? [])[0];
    if (still !== undefined) join(name, still);
  }
  return [...Map.groupBy(names, find).values()];
}

export const isRawName = (name: string): boolean => formatOfName(name) === "raw";

const isOwn = (time: RecordTime | null): time is RecordTime => time !== null && !time.source.startsWith("file-");

/** Seconds between two times that the files themselves tell; a zone that one of them lacks may be any. Null: not comparable. */
export function secondsBetween(a: RecordTime | null, b: RecordTime | null): number | null {
  if (!isOwn(a) || !isOwn(b)) return null;
  const clock = (time: RecordTime) => time.precision === "second" || time.precision === "ms";
  if (!clock(a) || !clock(b)) return null;
  if (a.utc !== null && b.utc !== null) return Math.abs(Date.parse(a.utc) - Date.parse(b.utc)) / 1000;
  const wall = ({ local }: RecordTime) => (local === null ? null : Date.parse(`${local}Z`));
  const [wallA, wallB] = [wall(a), wall(b)];
  if (wallA !== null && wallB !== null) return Math.abs(wallA - wallB) / 1000;
  const difference = ((wallA ?? Date.parse(a.utc ?? "")) - (wallB ?? Date.parse(b.utc ?? ""))) / 1000;
  const quarter = 900;
  const rounded = Math.round(difference / quarter) * quarter;
  return Math.abs(rounded) <= 14 * 3600 ? Math.abs(difference - rounded) : null;
}

/** Longest film of a Live or motion photo, seconds, with room for programs that prolong it. */
const longestClip = 15;
const closeSeconds = 5;

/** Whether a film is the moving half of a still: by Apple's key where both have one, else by time. */
export function isClipOf(still: PictureRead, film: FilmRead): boolean {
  const { contentId, duration, hasPicture } = film.facts;
  if (still.contentId !== null && contentId !== null) return still.contentId.toLowerCase() === contentId.toLowerCase();
  if (!hasPicture || (duration ?? 0) > longestClip) return false;
  const apart = secondsBetween(still.record.time, film.record.time);
  return apart !== null && apart <= closeSeconds + (duration ?? 0);
}

/** Whether a copy whose name says so is an edit: the same moment to the second, as editors keep it. */
export function isEditOf(original: PictureRead, copy: PictureRead): boolean {
  const apart = secondsBetween(original.record.time, copy.record.time);
  return apart !== null && apart < 1 && original.record.identity !== copy.record.identity;
}

/** The still with the film as its other half. */
export function withClip(still: ImportedRecord, film: ImportedRecord, name: string): ImportedRecord {
  const role = /^(?:mov|qt)$/.test(extensionOf(name)) ? ("live" as const) : ("motion" as const);
  const [place] = film.files;
  const clip = {
    role,
    path: place?.path ?? null,
    offset: null,
    bytes: place?.bytes ?? null,
    subject: null,
    rating: null,
    time: null,
  } as const;
  const flags = [...new Set([...(still.props.flags ?? []), role])];
  const { sha256: hash } = film.props.extra ?? {};
  return {
    ...still,
    place: still.place ?? film.place,
    props: {
      ...still.props,
      flags,
      alternates: [...(still.props.alternates ?? []), clip],
      extra: { ...still.props.extra, clip: hash },
    },
  };
}

/** One key for the members of a stack: the same on every import, whatever their order. */
export function groupKey(members: readonly ImportedRecord[]): string {
  const [first = ""] = members.map((one) => one.identity).sort();
  return `shot:${sha256(first).slice(0, 32)}`;
}

/** Key of a burst that a file name tells: Google's `…_BURST20190101101010123…`, `…_BURST001`; null for none. */
export function burstOfName(name: string): string | null {
  const stamp = /BURST(\d{14,17})/.exec(name)?.[1];
  if (stamp !== undefined) return `burst:${stamp}`;
  const series = /^(.*\d{6,}.*)[_-]BURST\d{1,3}(?:_COVER)?(?:\.|_|$)/i.exec(name)?.[1];
  return series === undefined ? null : `burst:${folded(series)}`;
}
