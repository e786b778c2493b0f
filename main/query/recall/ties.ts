import type { RecordId, StoredRecord } from "#contract";
import { localDayOf, momentOf, timeOf, viewsOf } from "../../views/index.ts";
import { contentStems, stem, wishesByNumber } from "../../views/language/index.ts";
import { type Asked, hit } from "../plan/terms.ts";
import type { Stay } from "./stays.ts";

/**
 * A picture says little in words: what it shows was said with it, beside it, on its day, or agreed before ("5 to 12 August
 * by the lake"). A tie says how surely the words of such a record are words of the picture (GraphMemix §1.2:
 * record_grounding, event_bridge, same_place).
 */

/** Shares by the tie: sent with the message, said beside that, in the same hour, on the same day, either by another who need not be there, named in advance. */
const shares = {
  sent: 1,
  beside: 0.8,
  hour: 0.7,
  day: 0.6,
  otherHour: 0.6,
  other: 0.4,
  named: 0.55,
  namedHour: 0.75,
  edge: 0.85,
} as const;
const hour = 3_600_000;
/** What is written so soon after a picture was sent is said of it. */
const besideWithin = hour;
/** A message shows what was taken up to this long before. */
const sentWithin = 20 * hour;
const clockSlack = 60_000;
/** An hour that is named with the day, and a picture taken around then. */
const namedWithin = 2 * hour;
const readLength = 4_000;
/** Two pictures have one shape up to this difference of width to height. */
const shapeSlack = 0.02;
/** What a time of day that only the clock gives counts beside a word for it. */
const clockShare = 0.7;

/** A picture with its time. */
export interface Shot {
  readonly record: StoredRecord;
  readonly moment: number;
  readonly day: string;
}

export function shotOf(record: StoredRecord): Shot | null {
  const time = timeOf(record);
  const [day, moment] = [localDayOf(time), momentOf(time)];
  return day === null || moment === null ? null : { record, day, moment };
}

/** A record in words, as far as it can tell of pictures. */
export interface Teller {
  readonly record: StoredRecord;
  readonly stems: ReadonlySet<string>;
  /** Stems that are said beside it, with their weight. */
  readonly around: ReadonlyMap<string, number>;
  readonly stays: readonly Stay[];
  readonly moment: number | null;
  /** A wish to those who are elsewhere: nothing that it says is said of a picture beside it. */
  readonly greets: boolean;
}

/** Which message each picture was sent with, once the messages of its days are known. */
export class SentWith {
  readonly #by = new Map<RecordId, StoredRecord>();

  /** `parts`: pictures that came with the messages. */
  constructor(shots: readonly Shot[], messages: readonly StoredRecord[], parts: readonly StoredRecord[] = []) {
    const byIdentity = new Map(messages.map((message) => [message.identity, message]));
    const originals = shots.filter(({ record }) => record.partOf === null);
    for (const { record } of shots) {
      const message = record.partOf === null ? undefined : byIdentity.get(record.partOf.identity);
      if (message) this.#by.set(record.id, message);
    }
    const inOrder = messages.toSorted((a, b) => (momentOf(a.time) ?? 0) - (momentOf(b.time) ?? 0));
    for (const message of inOrder.filter(sendsPictures)) {
      const own = parts.filter(({ partOf }) => partOf?.identity === message.identity);
      for (const part of own.length === 0 ? [null] : own) {
        const shown = lastTaken(originals, message, part);
        // What was sent again later was shown by the first message.
        if (shown !== null && !this.#by.has(shown.record.id)) this.#by.set(shown.record.id, message);
      }
    }
  }

  of(id: RecordId): StoredRecord | null {
    return this.#by.get(id) ?? null;
  }
}

const sendsPictures = ({ kind, props }: StoredRecord): boolean =>
  kind === "message" && (props.attachments ?? []).some(({ mime }) => mime === null || /^(?:image|video)\//i.test(mime));

/** The last original taken before it was sent, of the shape of the copy. */
function lastTaken(originals: readonly Shot[], message: StoredRecord, part: StoredRecord | null): Shot | null {
  const sent = momentOf(message.time) ?? 0;
  let best: Shot | null = null;
  for (const shot of originals) {
    if (shot.moment > sent + clockSlack || sent - shot.moment > sentWithin) continue;
    if (best !== null && best.moment >= shot.moment) continue;
    if (part === null || sameShape(part, shot.record)) best = shot;
  }
  return best;
}

function sameShape(a: StoredRecord, b: StoredRecord): boolean {
  const [one, other] = [a.props.size, b.props.size];
  if (!one || !other) return true;
  return Math.abs(one.width / one.height - other.width / other.height) <= shapeSlack;
}

/** How surely the words of a record are words of the picture, 0–1; 0 where nothing ties them. */
export function tieOf({ record, moment, day }: Shot, teller: Teller, sent: SentWith): number {
  const message = sent.of(record.id);
  if (message?.id === teller.record.id) return shares.sent;
  const said = teller.moment ?? 0;
  const shown = message === null ? null : momentOf(message.time);
  const inChat = message !== null && message.container?.key === teller.record.container?.key;
  if (inChat && !teller.greets && shown !== null && said >= shown - besideWithin / 6 && said - shown <= besideWithin)
    return shares.beside;
  let best = 0;
  for (const { from, to, named, at, share } of teller.stays) {
    if (day < from || to < day) continue;
    best = Math.max(best, share * (named ? ofNamed(from, to, at) : ofDay()));
  }
  return best;

  function ofNamed(from: string, to: string, at: number | null): number {
    if (at !== null && Math.abs(at - moment) <= namedWithin) return shares.namedHour;
    // On the first and the last day of a stay one is also elsewhere.
    return from !== to && (day === from || day === to) ? shares.named * shares.edge : shares.named;
  }

  function ofDay(): number {
    const { author, kind } = teller.record;
    // A letter comes when it comes; only one of that hour may be of what is done then.
    if (kind === "email") return Math.abs(said - moment) <= hour ? shares.other : 0;
    const there = !teller.greets && (author === null || author.owner || author.name === message?.author?.name);
    const close = Math.abs(said - moment) <= hour;
    if (!there) return close && !teller.greets ? shares.otherHour : shares.other;
    return close ? shares.hour : shares.day;
  }
}

/** What is said of a picture in words of the question. */
export interface Said {
  /** Share of what is asked, 0–1. */
  readonly score: number;
  /** The record that says most of it that the picture does not say itself. */
  readonly by: RecordId | null;
  /** Each word of the question by its stem, with how surely it is said of the picture. */
  readonly terms: ReadonlyMap<string, number>;
}

/** What a named person weighs beside the words (`plan/terms.ts`). */
const nameWeight = 2.3;

const none: ReadonlySet<string> = new Set();

/** `anyOf`: stems of which one is enough. A picture's own words and those of the records that it is tied to, word by word: each counts by the surest tie. */
export function saidOf(
  asked: Asked,
  shot: Shot,
  own: ReadonlySet<string>,
  tied: readonly { readonly teller: Teller; readonly tie: number }[],
  anyOf: ReadonlySet<string> = none,
): Said {
  const clock = clockStems(shot.moment);
  const terms = new Map<string, number>();
  const gains = new Map<RecordId, number>();
  let [sum, total] = [0, 0];
  const add = (weight: number, mine: number, of: (stems: ReadonlySet<string>) => number, root = ""): number => {
    let [missing, beside] = [1 - mine, 0];
    for (const { teller, tie } of tied) {
      // Several records that say so make it surer: 1 − Π(1 − s). What is said beside them may be one and the same.
      const said = tie * of(teller.stems);
      const strength = Math.max(said, tie * (teller.around.get(root) ?? 0));
      missing *= 1 - said;
      beside = Math.max(beside, strength);
      if (strength > mine) gains.set(teller.record.id, (gains.get(teller.record.id) ?? 0) + weight * (strength - mine));
    }
    return Math.max(1 - missing, beside);
  };
  const count = (weight: number, strength: number) => {
    sum += weight * strength;
    total += weight;
  };
  let either: { weight: number; strength: number } | null = null;
  for (const term of asked.terms) {
    const mine = Math.max(hit(asked.language, term.stem, own), clockShare * hit(asked.language, term.stem, clock));
    const strength = add(term.weight, mine, (stems) => hit(asked.language, term.stem, stems), term.stem);
    terms.set(term.stem, strength);
    if (!anyOf.has(term.stem)) count(term.weight, strength);
    else if (either === null || strength > either.strength) either = { weight: term.weight, strength };
  }
  if (either !== null) count(either.weight, either.strength);
  for (const name of asked.names) {
    const says = (stems: ReadonlySet<string>) => ([...name].some((one) => stems.has(one)) ? 1 : 0);
    count(nameWeight, add(nameWeight, says(own), says));
  }
  const [best] = [...gains].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return { score: total === 0 ? 0 : sum / total, by: best?.[0] ?? null, terms };
}

/** Words for the time of day, by hours [from, to). */
const hours: readonly (readonly [from: number, to: number, words: string])[] = [
  [5, 11, "morning breakfast morgen frühstück"],
  [4, 9, "dawn sunrise daybreak morgengrauen sonnenaufgang"],
  [11, 15, "noon midday lunch mittag mittagessen"],
  [14, 18, "afternoon tea nachmittag kaffee"],
  [17, 23, "evening dinner supper dusk sunset twilight abend abendessen abendbrot dämmerung sonnenuntergang"],
  [22, 29, "night midnight nacht mitternacht"],
];
const stemsByHour = hours.map(([from, to, words]) => ({ from, to, stems: words.split(" ").map(stem) }));

function clockStems(moment: number): ReadonlySet<string> {
  const at = new Date(moment).getUTCHours();
  return new Set(stemsByHour.flatMap(({ from, to, stems }) => ((at >= from && at < to) || at + 24 < to ? stems : [])));
}

/** Stems of all that a record says; a wish to somebody's birthday names the day also where it only gives the number. */
export function tellerStems(record: StoredRecord, language: Asked["language"]): Set<string> {
  const text = viewsOf(record)
    .map((view) => view.text.slice(0, readLength))
    .join("\n");
  const stems = new Set(contentStems(text, language));
  if (wishesByNumber(text)) for (const one of ["birthday", "geburtstag"]) stems.add(stem(one));
  return stems;
}
