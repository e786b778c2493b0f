import type { ImportedRecord, SourceLocation } from "#contract";
import { htmlToPlain } from "../text/html.ts";
import { xmlEvents } from "../text/xml.ts";
import type { Entry } from "../types.ts";
import { Days } from "./days.ts";
import type { Tally } from "./google.ts";
import { pointRecord, stayRecord } from "./record.ts";
import { type Coordinates, instantOf } from "./shapes.ts";

/** GPX 1.0 and 1.1 (topografix) and KML 2.2 (OGC 12-007r2) with Google's gx:Track: tracks and places of maps. */

type Place = Coordinates & { readonly alt: number | null };

/** Texts are joined only up to this: a description may be a whole page. */
const maxText = 1_000_000;
/** Coordinates of one line that are kept. */
const maxLine = 1_000_000;

const local = (name: string) => name.slice(name.indexOf(":") + 1);

function placeOf(lat: string | undefined, lon: string | undefined, alt: string | undefined): Place | null {
  if (!lat?.trim() || !lon?.trim()) return null;
  const [y, x, z] = [Number(lat), Number(lon), Number(alt ?? Number.NaN)];
  if (!(Math.abs(y) <= 90 && Math.abs(x) <= 180)) return null;
  return { lat: y, lon: x, alt: Number.isFinite(z) ? z : null };
}

/** Tracks of a GPX file by day, waypoints as places. Points of tracks without a time are counted, not kept. */
export async function* readGpx(entry: Entry, file: SourceLocation, tally: Tally): AsyncGenerator<ImportedRecord> {
  const path: string[] = [];
  let days: Days | null = null;
  let name: string | null = null;
  let track: { place: Place; ms: number }[] = [];
  let point: { lat: string | undefined; lon: string | undefined; fields: Map<string, string> } | null = null;
  const flush = function* (): Generator<ImportedRecord> {
    days = new Days("gpx", file, name);
    for (const { place, ms } of track) days.add({ lat: place.lat, lon: place.lon, ms });
    tally.skipped += days.beyond;
    track = [];
    name = null;
    yield* days.records();
  };
  let fault: unknown = null;
  try {
    for await (const event of xmlEvents(entry)) {
      if (event.type === "open") {
        const tag = local(event.name);
        path.push(tag);
        if (tag === "trkpt" || tag === "wpt") {
          const { lat, lon } = event.attributes;
          point = { lat, lon, fields: new Map() };
        }
      } else if (event.type === "text") {
        const [parent, tag] = [path.at(-2), path.at(-1)];
        if (point !== null && (parent === "trkpt" || parent === "wpt") && tag !== undefined) {
          point.fields.set(tag, ((point.fields.get(tag) ?? "") + event.text).slice(0, maxText));
        } else if (parent === "trk" && tag === "name") name = ((name ?? "") + event.text).slice(0, 2_000);
      } else {
        const tag = path.pop();
        if (tag === "trk") yield* flush();
        if (point === null || (tag !== "trkpt" && tag !== "wpt")) continue;
        const place = placeOf(point.lat, point.lon, point.fields.get("ele"));
        const ms = instantOf(point.fields.get("time")?.trim())?.ms ?? null;
        if (place === null || (tag === "trkpt" && ms === null)) tally.skipped++;
        else if (tag === "wpt") {
          const text = point.fields.get("desc") ?? point.fields.get("cmt") ?? null;
          yield pointRecord(place, { ms, name: point.fields.get("name") ?? null, text }, file, "gpx");
        } else if (ms !== null && track.length < maxLine) track.push({ place, ms });
        else tally.skipped++;
        point = null;
      }
    }
  } catch (error) {
    fault = error;
  }
  yield* flush();
  if (fault !== null) throw fault;
}

interface Placemark {
  name: string;
  description: string;
  begin: string;
  end: string;
  when: string[];
  coords: string[];
  line: string;
  spot: string;
}

const emptyMark = (): Placemark => ({
  name: "",
  description: "",
  begin: "",
  end: "",
  when: [],
  coords: [],
  line: "",
  spot: "",
});

/** Placemarks of a KML file: places, visits (with a span of time), moves (a line with a span) and tracks. */
export async function* readKml(entry: Entry, file: SourceLocation, tally: Tally): AsyncGenerator<ImportedRecord> {
  const path: string[] = [];
  let mark: Placemark | null = null;
  let text = "";
  for await (const event of xmlEvents(entry)) {
    if (event.type === "text") {
      if (text.length < maxLine * 30) text += event.text;
      continue;
    }
    if (event.type === "open") {
      const tag = local(event.name);
      path.push(tag);
      if (tag === "Placemark") mark = emptyMark();
      text = "";
      continue;
    }
    const tag = path.pop();
    if (mark !== null) {
      const value = text.trim();
      const parent = path.at(-1);
      if (tag === "name" && parent === "Placemark") mark.name = value.slice(0, 2_000);
      else if (tag === "description" && parent === "Placemark") mark.description = value.slice(0, maxText);
      else if (tag === "begin") mark.begin = value;
      else if (tag === "end") mark.end = value;
      else if (tag === "when" && mark.when.length < maxLine) mark.when.push(value);
      else if (tag === "coord" && mark.coords.length < maxLine) mark.coords.push(value);
      else if (tag === "coordinates" && parent === "Point") mark.spot = value;
      else if (tag === "coordinates" && parent === "LineString") mark.line = value;
      else if (tag === "Placemark") {
        yield* markRecords(mark, file, tally);
        mark = null;
      }
    }
    text = "";
  }
}

function tuple(text: string | undefined, separator: string): Place | null {
  const [lon, lat, alt] = (text ?? "").trim().split(separator);
  return placeOf(lat, lon, alt);
}

function* markRecords(mark: Placemark, file: SourceLocation, tally: Tally): Generator<ImportedRecord> {
  const name = mark.name || null;
  const description = mark.description === "" ? null : htmlToPlain(mark.description);
  const start = instantOf(mark.begin);
  const end = instantOf(mark.end);
  let found = false;
  if (mark.coords.length > 0) {
    const days = new Days("kml", file, name);
    for (const [at, coord] of mark.coords.entries()) {
      const place = tuple(coord, " ");
      const when = instantOf(mark.when[at]);
      if (place !== null && when !== null) days.add({ lat: place.lat, lon: place.lon, ms: when.ms });
    }
    for (const record of days.records()) {
      found = true;
      yield record;
    }
  } else if (mark.line !== "" && start !== null) {
    const points = mark.line.split(/\s+/);
    const [from, to] = [tuple(points[0], ","), tuple(points.at(-1), ",")];
    const stay = { what: "move", start, end, at: from ?? to, to, name } as const;
    const record = stay.at === null ? null : stayRecord(stay, file, "kml");
    if (record !== null) {
      found = true;
      yield { ...record, text: description };
    }
  } else if (mark.spot !== "") {
    const place = tuple(mark.spot, ",");
    if (place !== null) {
      found = true;
      const visit = start === null ? null : stayRecord({ what: "visit", start, end, at: place, name }, file, "kml");
      const ms = instantOf(mark.when[0])?.ms ?? null;
      yield visit === null
        ? pointRecord(place, { ms, name, text: description }, file, "kml")
        : { ...visit, text: description };
    }
  }
  if (!found) tally.skipped++;
}
