import type { Citation, Claim, QueryPlan } from "#contract";
import { saysItself } from "../../../views/index.ts";
import { contentStems, isStopWord, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { coverage } from "../../plan/terms.ts";
import { askedLabels } from "./labels.ts";
import type { Passage, Reading } from "./sentences.ts";

/** What is read in a picture, beside the records that say what it is of (`candidates/pictured.ts`). */

const asksWhich =
  /^\W*(?:(?:and|so|und)\s)?(?:which|what|welche[nrsm]?)\s(?!(?:is|was|are|were|did|does|do|has|have)(?!\p{L}))/iu;

/** How much a picture goes before the record that it stands for. */
const ahead = 0.01;

/**
 * "Which antibiotic was it?": a message says that there was one and names none, and the label that was photographed in that hour
 * does. The label then answers in the message's place.
 */
export function withStandIns({ plan, grounds }: Reading, passages: readonly Passage[]): Passage[] {
  const [first] = passages;
  if (!first || grounds.size === 0 || plan.answerType !== "text" || !asksWhich.test(plan.question))
    return [...passages];
  if (first.citation.view === "ocr" || first.labelled !== null || saysWhich(plan, first.citation.quote))
    return [...passages];
  const stand = passages.find(
    ({ citation, candidate }) =>
      citation.view === "ocr" &&
      candidate.day === first.candidate.day &&
      grounds.get(candidate.recordId)?.by === first.candidate.recordId &&
      saysWhich(plan, citation.quote),
  );
  if (!stand) return [...passages];
  const { score, own, near } = first;
  const better = { ...stand, score: score + ahead, own: Math.max(own, stand.own), near: Math.max(near, stand.near) };
  return [better, ...passages.filter((one) => one !== stand)];
}

/** Says the sort of thing with a name, a figure, or a word that tells it from others of the sort; a line of a label any of these. */
function saysWhich(plan: QueryPlan, quote: string): boolean {
  const sorts = askedLabels(plan);
  const people = new Set(plan.people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded)));
  const words = wordsOf(quote);
  return words.some(({ text, folded, start, end }, at) => {
    if (people.has(folded) || isStopWord(folded, plan.language)) return false;
    if (/\d/.test(text)) return true;
    // A capital inside a sentence, or a word directly before the sort: "the blue bike".
    if (/^\p{Lu}/u.test(text) && start > 0 && !/[.!?]\s*$/u.test(quote.slice(0, start))) return true;
    const next = words[at + 1];
    if (next === undefined || quote.slice(end, next.start) !== " ") return false;
    return contentStems(next.text, plan.language).some((root) => sorts.has(root));
  });
}

/** What is read in a picture also cites the record that ties it to the matter. */
export function withGrounds(
  reading: Reading,
  claims: readonly Claim[],
  candidates: readonly Candidate[],
): readonly Claim[] {
  const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  return claims.map((claim) => {
    const [lead] = claim.citations;
    const by = lead?.view === "ocr" ? reading.grounds.get(lead.recordId)?.by : undefined;
    const ground = by == null || cited.has(by) ? undefined : candidates.find(({ recordId }) => recordId === by);
    if (!ground) return claim;
    cited.add(ground.recordId);
    return { ...claim, citations: [...claim.citations, saying(reading, ground)] };
  });
}

/** The words of a record that say most of what is asked; its beginning where none does. */
function saying({ plan, asked }: Reading, { recordId, views }: Candidate): Citation {
  let best: Citation | null = null;
  let most = 0;
  for (const { view, text } of views) {
    if (!saysItself(view)) continue;
    for (const { index, 0: quote } of text.slice(0, 4_000).matchAll(/[^\n]*?(?:[.!?](?=\s)|$)/gmu)) {
      const said = quote.trim() === "" ? 0 : coverage(asked, new Set(contentStems(quote, plan.language)));
      if (said <= most) continue;
      const start = index + quote.length - quote.trimStart().length;
      [most, best] = [said, { recordId, view, span: [start, start + quote.trim().length], quote: quote.trim() }];
    }
  }
  const view = views[0] ?? { view: "metadata" as const, text: "" };
  const beginning = view.text.slice(0, 200);
  return best ?? { recordId, view: view.view, span: [0, beginning.length], quote: beginning };
}
