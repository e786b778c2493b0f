import type { StoredRecord } from "#contract";
import { captioned } from "../views/caption.ts";
import { chunk, peopleOf, type View } from "../views/index.ts";
import { type TextForm, textForms, type ViewName } from "./ports.ts";

/**
 * How a record's texts are put to the encoders (recall study, "Beyond R12"). What reads the same in several forms is one
 * piece and is embedded once.
 */

export interface Piece {
  readonly view: ViewName;
  readonly start: number;
  readonly end: number;
  readonly input: string;
  /** Bits of `formBit`. */
  readonly forms: number;
}

export const formBit: Readonly<Record<TextForm, number>> = { said: 1, context: 2 };
export const maskOf = (forms: readonly TextForm[]): number => forms.reduce((mask, form) => mask | formBit[form], 0);
export const formsOf = (mask: number): readonly TextForm[] => formsOfMask[mask] ?? [];
const formsOfMask: readonly (readonly TextForm[])[] = Array.from({ length: 4 }, (_, mask) =>
  textForms.filter((form) => (mask & formBit[form]) !== 0),
);

/** What one encoder alone is asked for; pieces of it are always made. */
export const leastForms: readonly TextForm[] = ["said"];

/** Pieces of one view that get a vector: about 40,000 words. What lies beyond is found by full text. */
const piecesPerView = 200;
/** A text up to this long reads differently with its author in front; in a longer one the name drowns. Characters. */
const shortText = 600;
/** Characters of a line, of each of the two before it, and of the one after it. */
const around = { line: 1_000, before: 200, after: 150 } as const;

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const frontOf = (record: StoredRecord): string => {
  const author = peopleOf(record)[0];
  return author === undefined ? "" : `${author}: `;
};

/** "Author: text [photo: caption]" of a message; empty when it says and shows nothing. */
export function lineOf(record: StoredRecord, text: string): string {
  const { end, captions } = captioned(record, text);
  const said = [oneLine(text.slice(0, end)), ...captions.map((caption) => `[photo: ${caption}]`)].filter(Boolean);
  return said.length === 0 ? "" : `${frontOf(record)}${said.join(" ")}`;
}

/** The form `context` of a line between its neighbours; empty when the line is. */
export function contextInput(before: readonly string[], line: string, after: string): string {
  if (line === "") return "";
  const lines = [
    ...before.map((one) => one.slice(-around.before)),
    line.slice(0, around.line),
    after.slice(0, around.after),
  ];
  return lines.filter(Boolean).join("\n");
}

/**
 * Pieces of a record in the forms of `wanted`; a line of a chat without its context, which is no function of the record
 * alone. The author in front tells the encoder who speaks (recall study: without 28.8, with the speaker 44.0); metadata only
 * where there is no text.
 */
export function piecesOf(record: StoredRecord, views: readonly View[], wanted: number): Piece[] {
  const pieces: Piece[] = [];
  const { said, context } = formBit;
  const forms = (record.container?.kind === "chat" ? said : said | context) & wanted;
  const add = (view: ViewName, start: number, end: number, input: string) => {
    if (forms !== 0 && input.trim() !== "") pieces.push({ view, start, end, input, forms });
  };
  const front = frontOf(record);
  const subject = views.find(({ view }) => view === "subject")?.text ?? "";
  for (const { view, text } of views) {
    // Labels have vectors of their own, one for all pictures.
    if (view === "tags") continue;
    if (view === "metadata" && views.some((one) => one.view !== "metadata" && one.view !== "tags")) continue;
    if (view === "subject" && views.some((one) => one.view === "text")) continue;
    const title = view === "text" && subject !== "" ? `${subject.slice(0, 120)} — ` : "";
    const spans = chunk(text).slice(0, piecesPerView);
    if (view === "text" && text.length <= shortText && spans.length === 1) {
      add(view, 0, text.length, `${front}${title}${lineOf(record, text).slice(front.length)}`);
      continue;
    }
    const before = view === "text" || view === "subject" ? `${front}${title}` : "";
    for (const { start, end } of spans) {
      add(view, start, end, `${before}${oneLine(text.slice(start, end))}`);
    }
  }
  return pieces;
}
