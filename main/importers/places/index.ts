import type { ImportedRecord, SourceLocation } from "#contract";
import { fileEnd } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { Days } from "./days.ts";
import { readHistory, type Shape, shapeOf, type Tally } from "./google.ts";
import { readGpx, readKml } from "./maps.ts";

type Kind = Shape | "gpx" | "kml" | "settings";

/** Google's settings, edits and deletions beside a history: they hold no place of their own. */
const settings =
  /^\s*\{\s*"(?:deviceSettings|timelineEdits|createdTime|hasReportedLocations|retentionWindowSeconds)"\s*:/;

/** What a file is, by its content; the names of on-device exports are translated. */
async function kindOf(entry: Entry): Promise<Kind | null> {
  if (!/\.(?:json|gpx|kml|xml|txt)$|^[^.]+$/i.test(entry.name)) return null;
  let head: string;
  try {
    head = Buffer.from(await entry.head())
      .toString("utf8")
      .replace(/^\ufeff/, "");
  } catch {
    return null;
  }
  if (/^\s*[{[]/.test(head)) return shapeOf(head) ?? (settings.test(head) ? "settings" : null);
  const bare = head.replace(/<!--[\s\S]*?-->/g, "").replace(/<[?!][^>]*>/g, "");
  const root = /^\s*<(?:[\w-]+:)?(gpx|kml)[\s>]/i.exec(bare)?.[1];
  return root === undefined ? null : root.toLowerCase() === "gpx" ? "gpx" : "kml";
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    const kind = await kindOf(entry);
    if (kind === null) continue;
    yield { primary: entry.path, companions: [], label: labels[kind], confidence: 3 };
  }
}

const labels: Readonly<Record<Kind, string>> = {
  records: "Google location history",
  semantic: "Google location history",
  android: "Timeline of an Android phone",
  ios: "Timeline of an iPhone",
  gpx: "GPX tracks",
  kml: "KML map",
  settings: "Settings of a location history",
};

/** All records of a file; visits and places as they come, tracks by day at the end, also after a break. */
async function* recordsOf(
  entry: Entry,
  kind: Kind,
  file: SourceLocation,
  tally: Tally,
): AsyncGenerator<ImportedRecord> {
  if (kind === "gpx") return yield* readGpx(entry, file, tally);
  if (kind === "kml") return yield* readKml(entry, file, tally);
  if (kind === "settings") return;
  const days = new Days(kind, file);
  let fault: unknown = null;
  try {
    yield* readHistory(entry, kind, file, days, tally);
  } catch (error) {
    fault = error;
  }
  tally.skipped += days.beyond;
  yield* days.records();
  if (fault !== null) throw fault;
}

/** The cursor is the number of the record in the file. */
async function* read(claim: Claim, { tree, signal, resume }: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = tree.get(claim.primary);
  if (entry === undefined) return;
  const kind = await kindOf(entry);
  if (kind === null) return yield fileEnd(entry.path, "failed", "It is no location history that can be read.");
  if (kind === "settings") return yield fileEnd(entry.path, "skipped", "Settings of a location history: no places.");
  const file: SourceLocation = { path: entry.path, offset: null, bytes: entry.bytes, role: null };
  const tally: Tally = { skipped: 0 };
  const from = typeof resume === "number" ? resume : -1;
  let index = -1;
  let fault: string | null = null;
  try {
    for await (const record of recordsOf(entry, kind, file, tally)) {
      throwIfCancelled(signal);
      index++;
      if (index > from) yield { type: "record", record, cursor: index };
    }
  } catch (error) {
    fault = reasonOf(error, signal);
  }
  if (index < 0) {
    if (fault !== null) yield fileEnd(entry.path, "failed", fault, tally.skipped);
    else yield fileEnd(entry.path, "skipped", "It holds no places.", tally.skipped);
    return;
  }
  const left = tally.skipped === 0 ? null : `${tally.skipped} of its entries name no place or no time.`;
  yield fileEnd(entry.path, "imported", fault ?? left, tally.skipped);
}

/** Location histories and maps: Google's in all its shapes, GPX and KML. */
export const placesImporter: Importer = { id: "places", title: "Places", order: 50, recognise, read };
