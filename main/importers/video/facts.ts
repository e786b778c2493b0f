/** What the container of a film or a sound says, as raw as its reader gives it. */
export interface FilmFacts {
  readonly format: "mp4" | "quicktime" | "3gpp" | "matroska" | "webm" | "avi" | "other" | SoundFormat;
  readonly mime: string;
  /** False for sound alone. */
  readonly hasPicture: boolean;
  /** Seconds; null: not told. */
  readonly duration: number | null;
  /** Pixels as shown: after the track's turn. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** In order of trust. */
  readonly times: readonly FilmTime[];
  /** ISO 6709 strings or decimal pairs, in order of trust. */
  readonly places: readonly FilmPlace[];
  readonly make: string | null;
  readonly model: string | null;
  readonly title: string | null;
  readonly comment: string | null;
  /** Apple's key that a Live Photo's still carries, too. */
  readonly contentId: string | null;
  /** XMP packets. */
  readonly xmp: readonly string[];
  /** Raw values by field name. */
  readonly raw: Readonly<Record<string, string>>;
  /** A sentence when the container is cut or broken, else null. */
  readonly damaged: string | null;
}

export type SoundFormat = "m4a" | "ogg" | "mp3" | "wav" | "amr" | "flac" | "aac";

export interface FilmTime {
  /** `mvhd:creation_time`, `quicktime:creationdate` … */
  readonly source: string;
  /** The text as it stands, read as a date; or an instant, ms since 1970. */
  readonly value: string | number;
  /** The field means UTC, but this maker is known to write its wall clock there. */
  readonly wallClock?: boolean;
}

export interface FilmPlace {
  readonly lat: number;
  readonly lon: number;
  readonly alt: number | null;
  readonly name: string | null;
}

/** Collected while a container is read. */
export type FilmDraft = { -readonly [K in keyof FilmFacts]: FilmFacts[K] } & {
  times: FilmTime[];
  places: FilmPlace[];
  xmp: string[];
  raw: Record<string, string>;
};

export function emptyFilm(format: FilmFacts["format"], mime: string): FilmDraft {
  return {
    format,
    mime,
    hasPicture: false,
    duration: null,
    size: null,
    times: [],
    places: [],
    make: null,
    model: null,
    title: null,
    comment: null,
    contentId: null,
    xmp: [],
    raw: {},
    damaged: null,
  };
}

const rawChars = 2_000;

/** Keeps a raw value under its field's name; the first one stands. */
export function keepRaw(film: FilmDraft, field: string, value: string): void {
  if (value !== "" && Object.keys(film.raw).length < 100) film.raw[field] ??= value.slice(0, rawChars);
}

/**
 * A place of ISO 6709 Annex H: `±DD.DDDD±DDD.DDDD±AAA/`, or with minutes (`±DDMM.MMM`) and seconds (`±DDMMSS.SS`).
 * Null for nonsense and for the pair 0, 0, which receivers without a fix write.
 */
export function placeOfIso6709(text: string): FilmPlace | null {
  const parts = /^\s*([+-]\d{2,6}(?:\.\d*)?)([+-]\d{3,7}(?:\.\d*)?)([+-]\d+(?:\.\d*)?)?/.exec(text);
  if (!parts) return null;
  const lat = degreesOf(parts[1] ?? "", 2);
  const lon = degreesOf(parts[2] ?? "", 3);
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0))
    return null;
  const alt = parts[3] === undefined ? null : Number(parts[3]);
  return { lat, lon, alt: alt !== null && Number.isFinite(alt) ? alt : null, name: null };
}

function degreesOf(text: string, degreeDigits: number): number | null {
  const whole = /^\d+/.exec(text.slice(1))?.[0] ?? "";
  const fraction = text.slice(1 + whole.length);
  const at = (start: number) => whole.slice(start, start + 2);
  const extra = whole.length - degreeDigits;
  let size: number;
  if (extra === 0) size = Number(whole + fraction);
  else if (extra === 2) size = Number(whole.slice(0, degreeDigits)) + Number(at(degreeDigits) + fraction) / 60;
  else if (extra === 4) {
    const minutes = Number(at(degreeDigits)) / 60;
    size = Number(whole.slice(0, degreeDigits)) + minutes + Number(at(degreeDigits + 2) + fraction) / 3600;
  } else return null;
  if (!Number.isFinite(size)) return null;
  return text.startsWith("-") ? -size : size;
}
