import type { Citation, Claim, QueryPlan } from "#contract";
import type { Candidate } from "../../candidates/candidates.ts";
import { answered, type Draft } from "../draft.ts";
import { perPlan } from "../per-plan.ts";
import { phrases } from "../phrases.ts";
import { authorOf, dayOf, metadataOf } from "../say.ts";

/** What was bought: the lines of an order or a bill that have a price, without its sums. */

/** "What did we order from Hartwell?", "was haben wir bei Hartwell bestellt?" */
const asksBought = perPlan(({ question }: QueryPlan): boolean =>
  /^\W*what (?:did|have|has|had)\s.{1,40}?\s(?:order|ordered|buy|bought|purchase|purchased|get delivered)(?!\p{L})|^\W*was (?:habe?n?|hat|hatten)\s.{1,60}?\s(?:bestellt|gekauft)(?!\p{L})/iu.test(
    question.slice(0, 300),
  ),
);

const priced =
  /^\s*(?<item>\p{L}[^:\n]{2,60}?)\s*[:.…]*\s+(?:[€£$]\s?-?\d[\d.,]*|-?\d[\d.,]*\s?(?:€|EUR|GBP|USD|CHF|Euro))\s*$/u;
/** Lines that name a sum, a tax or a way to pay. */
const sums =
  /(?<!\p{L})(?:total|subtotal|sum|vat|tax|deposit|balance|discount|due|paid|postage|delivery|shipping|guarantee|gesamt\p{L}*|summe|zwischensumme|mwst|ust|anzahlung|rabatt|versand\p{L}*|lieferung|porto)(?!\p{L})/iu;
const linesRead = 60;

/** The items of a record, each with its place. */
function itemsOf(text: string): { item: string; start: number; end: number }[] {
  let at = 0;
  return text
    .split("\n")
    .slice(0, linesRead)
    .flatMap((line) => {
      const start = at;
      at += line.length + 1;
      const item = priced.exec(line)?.groups?.item;
      return item === undefined || sums.test(item) ? [] : [{ item, start, end: start + line.length }];
    });
}

/** The answer out of the first order among these; null where nothing of the kind is asked, or no order is there. */
export function boughtDraft(plan: QueryPlan, top: readonly Candidate[]): Draft | null {
  if (!asksBought(plan)) return null;
  const shops = new Set(plan.people.map(({ name }) => name));
  // Of whom it was bought is known by who wrote the order.
  const order = top.find(({ record }) => record.kind !== "message" && shops.has(record.author?.name ?? ""));
  const view = order?.views.find((one) => one.view === "text");
  if (!order || !view) return null;
  const items = itemsOf(view.text);
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return null;
  const said = items.map(({ item }) => item).join("; ");
  const span: [number, number] = [first.start, last.end];
  const citation: Citation = { recordId: order.recordId, view: view.view, span, quote: view.text.slice(...span) };
  const who = phrases[plan.language].said(authorOf(order) ?? phrases[plan.language].unknownAuthor, dayOf(order, plan));
  const claim: Claim = {
    id: "c1",
    text: `${said} (${who}).`,
    citations: [citation, ...metadataOf(order)],
    value: said,
    standing: "current",
  };
  return answered([claim], { cosine: order.features.cos });
}
