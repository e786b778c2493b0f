import type { QueryPlan, StoredRecord } from "#contract";
import { bareSubject, momentOf } from "../../views/index.ts";
import { fold, greetsFrom, greetsTo, sentencesOf, stem, wordsOf } from "../../views/language/index.ts";
import { type Asked, saidBy } from "../plan/terms.ts";
import type { QueryPorts } from "../ports.ts";
import type { Recall } from "./recall.ts";
import { staysOf } from "./stays.ts";
import { type Teller, tellerStems } from "./ties.ts";

/** Records in words that tell of the pictures of their days, and what of their words does not. */

const settings = {
  /** Records in words that are read, and the least they must say of what is asked. */
  texts: 48,
  leastSaid: 0.3,
  /** What the words of one letter count in another of the same subject. */
  sameMatter: 0.8,
  /** What a place counts that is only come from or gone to. */
  away: 0.4,
  /** Characters of a message that is a greeting and no more. */
  greeting: 160,
} as const;

const media: ReadonlySet<string> = new Set(["photo", "video"]);

/** Records in words that say enough of what is asked, in the order of their retrieval. */
export function tellersOf(plan: QueryPlan, ports: QueryPorts, said: Recall, asked: Asked): Teller[] {
  const ids = said.ranked.map(({ recordId }) => recordId);
  const items = ports.index.items(ids);
  const inWords = ids.filter((id) => !media.has(items.get(id)?.kind ?? ""));
  const read = ports.records.getMany(inWords.slice(0, settings.texts));
  const greetings = new Set(read.filter((record) => greets(record, greetsFrom)));
  const away = new Map(read.map((record) => [record, awayIn(record, plan)]));
  const elsewhere = new Set([...away.values()].flat());
  const greeted = new Set([...greetings].flatMap((record) => [...tellerStems(record, plan.language)]));
  const letters = Map.groupBy(read, (record) => matterOf(record));
  return read.flatMap((record): Teller[] => {
    if (greetings.has(record)) return [];
    const stems = tellerStems(told(record), plan.language);
    const whole = tellerStems(record, plan.language);
    const only = (root: string) => whole.has(root) && !stems.has(root);
    const around = new Map([...said.around(record.id)].filter(([root]) => !greeted.has(root) && !only(root)));
    // "Re: …" is said of what the letter before it said.
    const matter = matterOf(record);
    for (const other of matter === null ? [] : (letters.get(matter) ?? []))
      if (other.id !== record.id)
        for (const root of tellerStems(other, plan.language))
          around.set(root, Math.max(around.get(root) ?? 0, settings.sameMatter));
    for (const root of elsewhere) if (around.has(root)) around.set(root, settings.away);
    // "Seeds from Bled", "greetings to Whitby": somebody else's place.
    for (const root of away.get(record) ?? []) {
      stems.delete(root);
      around.set(root, settings.away);
    }
    if (saidBy(asked, stems, around) < settings.leastSaid) return [];
    const stays = staysOf(record);
    return [{ record, stems, around, stays, moment: momentOf(record.time), greets: greets(record, greetsTo) }];
  });
}

/** "Moving on the 10th. Can you take the cat?": what a message without pictures asks beside what it tells is on none. */
function told(record: StoredRecord): StoredRecord {
  const text = record.text ?? "";
  if (record.kind !== "message" || !text.includes("?") || (record.props.attachments ?? []).length > 0) return record;
  const said = sentencesOf(text).map(({ start, end }) => text.slice(start, end));
  const states = said.filter((one) => !one.trimEnd().endsWith("?"));
  return states.length === 0 ? record : { ...record, text: states.join("\n") };
}

/** The subject of a letter without what replies put before it; null for all else. */
function matterOf({ kind, subject }: StoredRecord): string | null {
  const matter = bareSubject(subject ?? "").trim();
  return kind === "email" && matter !== "" ? fold(matter) : null;
}

/** Stems of places asked for that a message says only as where something comes from or goes to. */
function awayIn({ kind, text }: StoredRecord, { places }: QueryPlan): string[] {
  if (kind !== "message" || text === null) return [];
  return places
    .flatMap((place) => wordsOf(place))
    .flatMap(({ text: name, folded }) => {
      const said = wordsOf(text).filter((word) => word.folded === folded);
      const away = said.filter(({ start }) => awayCue.test(text.slice(Math.max(0, start - 16), start)));
      return /^\p{Lu}/u.test(name) && said.length > 0 && away.length === said.length ? [stem(folded)] : [];
    });
}
const awayCue = /(?<!\p{L})(?:to|from|towards?|nach|aus|von)\s(?:the\s|der\s|dem\s)?$/iu;

/**
 * "Love from Whitby", written to the owner, says where the writer is, not where the owner took pictures; nor do the records
 * beside it. A wish to somewhere says where the others are, and nothing of what they photograph.
 */
function greets({ author, text }: StoredRecord, where: (text: string) => boolean): boolean {
  return author?.owner === false && (text ?? "").length <= settings.greeting && where(text ?? "");
}
