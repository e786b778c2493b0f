import type { StoredRecord } from "#contract";
import { captioned } from "../views/caption.ts";
import { labelsOf, peopleOf, recordDayWords, type View, type ViewName } from "../views/index.ts";
import {
  endsAsking,
  fold,
  gramsOf,
  isStopWord,
  isUnspaced,
  languageOf,
  stem,
  wordsOf,
} from "../views/language/index.ts";

/** What the ranker needs of a record's text without reading it; pure functions of that record. */
export interface Surface {
  /** Blank-separated, each once. */
  readonly stems: string;
  readonly endsWithQuestion: boolean;
  readonly names: number;
  readonly words: number;
  readonly pictured: boolean;
}

/** Characters of each view that stems are taken from: beyond it full text finds a record, the ranker does not compare. */
const read = { text: 20_000, attachment: 2_000, ocr: 4_000 } as const;
const labelsRead = 40;
/** Stems of one record. */
const mostStems = 1_000;
const mostNames = 3;

export function surfaceOf(record: StoredRecord, views: readonly View[]): Surface {
  const view = (name: ViewName) => views.find((one) => one.view === name)?.text ?? "";
  const text = view("text").slice(0, read.text);
  const { end, captions } = captioned(record, text);
  const said = text.slice(0, end).trimEnd();
  return {
    stems: stemsOf(record, view, text),
    endsWithQuestion: endsAsking(said),
    names: namesIn(said, peopleOf(record)),
    words: said.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0,
    pictured: captions.length > 0 || isPictured(record),
  };
}

/** A picture, or sent with one; what is laid out in a mail's text (logos, signatures) is none. */
function isPictured({ kind, props }: StoredRecord): boolean {
  const sent = (props.attachments ?? []).some(({ mime, inline }) => !inline && /^(?:image|video)\//i.test(mime ?? ""));
  return sent || kind === "photo" || kind === "video";
}

function stemsOf(record: StoredRecord, view: (name: ViewName) => string, text: string): string {
  const parts = [
    record.author?.name ?? record.author?.address ?? "",
    view("subject"),
    text,
    view("ocr").slice(0, read.ocr),
    view("tags"),
    view("attachment").slice(0, read.attachment),
    labelsOf(record).slice(0, labelsRead).join(" "),
    recordDayWords(record) ?? "",
  ];
  const language = languageOf(`${view("subject")}\n${text}`);
  const stems = new Set<string>();
  for (const part of parts) {
    for (const { folded, text: word } of wordsOf(part)) {
      if (stems.size === mostStems) break;
      if (isUnspaced(word)) for (const gram of gramsOf(word).split(" ")) stems.add(gram);
      else if (!isStopWord(folded, language)) stems.add(stem(folded));
    }
  }
  return [...stems].join(" ");
}

/**
 * Capitalised words inside a sentence that name nobody who takes part, at most 3, and one more when the text quotes
 * something (recall study, beyond R12: `pn`). 0–4.
 */
function namesIn(text: string, people: readonly string[]): number {
  const known = new Set(people.flatMap((name) => wordsOf(name).map(({ folded }) => folded)));
  let found = 0;
  for (const [, word = ""] of text.matchAll(/(?<=[\p{Ll},] )["“„«]?(\p{Lu}\p{Ll}+)/gu)) {
    if (!known.has(fold(word)) && ++found === mostNames) break;
  }
  return found + (/["“”„«]/u.test(text) ? 1 : 0);
}
