import type { QueryPlan } from "#contract";
import { alike, fold, isStopWord, stem, wordsOf } from "../../../views/language/index.ts";
import { isGeneric } from "../../plan/terms.ts";

/**
 * Forms, tickets, signs and invoices say a value beside its name: "Seat: 18C", "PASSWORD" over "otter-lamp", or a row of
 * names over a row of values. What is asked by such a name is answered by what stands beside it.
 */
export interface Labelled {
  readonly value: string;
  /** [start, end) of the value in the text. */
  readonly start: number;
  readonly end: number;
  /** The line or lines that say it. */
  readonly from: number;
  readonly to: number;
}

const longestLabel = 4;
const longestValue = 60;
const linesRead = 120;
const leastColumns = 3;

interface Line {
  readonly text: string;
  readonly start: number;
}

const focus =
  /(?<!\p{L})(?:what|which|was|welche[nmrs]?)(?:['’]s|\s(?:is|was|are|were|ist|war|sind|hat|lautet))?\s(?:(?:the|my|our|your|his|her|their|an?|der|die|das|den|mein\p{L}*|unser\p{L}*|\p{Lu}[\p{L}'’]+['’]s)\s)?((?:[\p{L}\d'’-]+\s?){1,4}?)(?=\s?(?:\?|$|(?:of|at|for|in|on|to|from|with|did|do|does|is|was|were|are|has|have|had|am|im|von|vom|für|des|der|auf|hat|haben|ist|war)(?!\p{L})))/iu;

/** Stems of the name of what is asked: "which seat", "the wifi password", "what colour". Empty where it has none. */
export function askedLabels(plan: QueryPlan): ReadonlySet<string> {
  const words = wordsOf(focus.exec(plan.question.slice(0, 500))?.[1] ?? "");
  const last = words.findLast(({ folded }) => !isGeneric(folded) && !isStopWord(folded, plan.language));
  if (!last) return new Set();
  const root = stem(last.folded);
  return new Set([root, ...alike(root)]);
}

/** The values that stand beside one of these names. */
export function labelledIn(text: string, labels: ReadonlySet<string>): Labelled[] {
  const lines: Line[] = [];
  let at = 0;
  for (const line of text.slice(0, 8_000).split("\n").slice(0, linesRead)) {
    lines.push({ text: line, start: at });
    at += line.length + 1;
  }
  return lines.flatMap((line, i) => {
    const beside = besideLabel(line, labels);
    if (beside) return [beside];
    const next = lines[i + 1];
    return next ? (underLabel(line, next, labels) ?? inColumn(line, next, labels) ?? []) : [];
  });
}

function besideLabel({ text, start }: Line, labels: ReadonlySet<string>): Labelled | null {
  const match = /^\s*([^:=\n]{2,40}?)\s*[:=]\s+(\S.*?)\s*$/u.exec(text);
  const [, label = "", value = ""] = match ?? [];
  if (
    !match ||
    !names(label, labels) ||
    value.length > longestValue ||
    /^\d\d(?!\d)/.test(text.slice(label.length + 1))
  )
    return null;
  const from = start + text.lastIndexOf(value);
  return { value, start: from, end: from + value.length, from: start, to: start + text.length };
}

/** A name alone in its line, over a short line; one with a figure has its value already ("BERTH 4711"). */
function underLabel(line: Line, next: Line, labels: ReadonlySet<string>): Labelled | null {
  const label = line.text.trim();
  const value = next.text.trim();
  const heads = /^[\p{Lu}\s/&-]+$/u.test(label) || label.endsWith(":");
  if (!heads || !names(label, labels) || !says(value) || value.length > longestValue) return null;
  const from = next.start + next.text.indexOf(value);
  return { value, start: from, end: from + value.length, from: line.start, to: next.start + next.text.length };
}

/** "GATE SEAT BOARDING" over "14 18C 09:50". */
function inColumn(line: Line, next: Line, labels: ReadonlySet<string>): Labelled | null {
  const heads = line.text.trim().split(/\s+/);
  const values = [...next.text.matchAll(/\S+/g)];
  const capitals = heads.filter((head) => /^\p{Lu}{2,}$/u.test(head)).length;
  if (capitals < leastColumns || values.length < leastColumns) return null;
  const column = heads.findIndex((head) => names(head, labels));
  const found = column < 0 ? undefined : values[column];
  if (!found || !says(found[0]) || !heads.slice(0, column + 1).every((head) => /^\p{Lu}{2,}$/u.test(head))) return null;
  const from = next.start + found.index;
  return {
    value: found[0],
    start: from,
    end: from + found[0].length,
    from: line.start,
    to: next.start + next.text.length,
  };
}

const says = (value: string): boolean => /[\p{L}\d].*[\p{L}\d]/u.test(value);

function names(label: string, labels: ReadonlySet<string>): boolean {
  const words = wordsOf(label).filter(({ folded }) => !isStopWord(folded, "en") && !isStopWord(folded, "de"));
  const last = words.at(-1);
  if (!last || words.length > longestLabel) return false;
  return (
    labels.has(stem(last.folded)) || (words.length <= 2 && words.some((word) => labels.has(stem(fold(word.text)))))
  );
}
