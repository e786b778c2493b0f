import type { Citation, Claim, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { countedPictures } from "./counts.ts";
import { type Draft, nothing } from "./draft.ts";
import { phrases } from "./phrases.ts";
import { claimOf, labelOf, metadataOf, sayPicture } from "./say.ts";
import { type Passage, passagesOf, type Reading } from "./sentences.ts";
import { supports } from "./support.ts";

/** Answers that name several things: each with the record that it stands on. */

const listLimit = 6;
const pictureLimit = 12;
/** How far below the best passage an item of a list may score. */
const itemWithin = 0.6;

export function listClaims(
  reading: Reading,
  top: readonly Candidate[],
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): Draft {
  const passages = passagesOf(reading, top);
  const [best] = passages;
  if (!best) return nothing;
  for (const one of passages.slice(0, listLimit)) {
    const items = one.score >= best.score - itemWithin ? enumeration(one) : null;
    if (items === null) continue;
    const claim = claimOf("c1", reading.plan, { ...one, citation: items }, null, "current");
    const cited = new Set([one.candidate.recordId]);
    const answer = { value: null, days: null, words: items.quote, cited, whole: one.whole };
    const also = supports(reading, answer, candidates, edges);
    return {
      backings: [{ text: claim.text, answer, reading }],
      claims: [{ ...claim, citations: [...claim.citations, ...also] }],
      fits: true,
      said: one.whole,
      cosine: one.candidate.features.cos,
      inTime: one.inTime,
    };
  }
  const records = new Set<number>();
  const claims: Claim[] = [];
  const pictures = best.candidate.record.kind === "photo" && best.citation.view === "metadata";
  for (const passage of pictures ? passages.toSorted(inTimeOrder) : passages) {
    if (pictures && passage.score < best.score - itemWithin) continue;
    if (claims.length === (pictures ? pictureLimit : listLimit) || passage.score < best.score - itemWithin) break;
    if (records.has(passage.candidate.recordId)) continue;
    records.add(passage.candidate.recordId);
    claims.push(
      pictureClaim(reading.plan, passage, claims.length + 1) ??
        claimOf(`c${claims.length + 1}`, reading.plan, passage, null, "current"),
    );
  }
  const { whole, inTime, candidate } = best;
  return { claims, fits: claims.length > 0, said: whole, cosine: candidate.features.cos, inTime };
}

const inTimeOrder = (a: Passage, b: Passage): number => (a.candidate.moment ?? 0) - (b.candidate.moment ?? 0);

/** Lines of a list; three of them in a row are one. */
const itemLine = /^\s*(?:\d{1,2}[.)]|[-*•–])\s+\S/;
const leastItems = 3;
const enumerationLength = 600;

/** The whole list in which a passage stands, when its record has one. */
function enumeration({ citation, candidate }: Passage): Citation | null {
  const text = candidate.views.find(({ view }) => view === citation.view)?.text ?? "";
  let at = 0;
  let [from, to, count] = [0, 0, 0];
  for (const line of text.split("\n")) {
    const item = itemLine.test(line);
    if (item) [from, to, count] = [count === 0 ? at : from, at + line.length, count + 1];
    else if (count >= leastItems) break;
    else if (line.trim() !== "") count = 0;
    at += line.length + 1;
  }
  if (count < leastItems || to - from > enumerationLength) return null;
  return { ...citation, span: [from, to], quote: text.slice(from, to) };
}

function pictureClaim(plan: QueryPlan, { candidate, citation }: Passage, at: number): Claim | null {
  if (candidate.record.kind !== "photo" || citation.view !== "metadata") return null;
  return { id: `c${at}`, text: `${sayPicture(plan, candidate)}.`, citations: [citation], standing: "current" };
}

/** Share of the best picture's certainty that further ones need where several are asked for. */
const alsoShown = 0.55;
const severalPictures =
  /(?<!\p{L})(?:photos|pictures|pics|images|snapshots|videos|fotos|bilder|aufnahmen|what did \p{L}+ photograph)(?!\p{L})/iu;

/** Each picture with what says that it is the one: its own words, or the record of that day or trip. */
export function pictureClaims(
  reading: Reading,
  pictures: readonly Candidate[],
  candidates: readonly Candidate[],
): Draft {
  const { plan, grounds } = reading;
  const shown = pictures.filter(({ recordId }) => grounds.has(recordId));
  const [best] = shown;
  if (!best) return nothing;
  const counts = asksCount.test(plan.question);
  const several = counts || severalPictures.test(plan.question);
  const chosen = shown.filter(({ probability }) => several && probability >= best.probability * alsoShown);
  const told = (several ? chosen.slice(0, pictureLimit) : [best]).toSorted((a, b) => (a.moment ?? 0) - (b.moment ?? 0));
  if (counts) return countedPictures(plan, told, best, told.length === pictureLimit);
  const cited = new Set<RecordId>();
  const claims = told.map((candidate, at): Claim => {
    const ground = grounds.get(candidate.recordId);
    const by = candidates.find(({ recordId }) => recordId === ground?.by);
    const text = sayPicture(plan, candidate);
    if (ground?.label !== undefined) {
      const seen = labelOf(candidate, ground.label);
      const words = phrases[plan.language];
      const says = seen.length > 0 ? words.seen(ground.label) : words.maybeSeen;
      const citations = [...metadataOf(candidate), ...seen];
      return {
        id: `c${at + 1}`,
        text: `${text}: ${says}.`,
        citations,
        standing: "current",
      };
    }
    if (!by || cited.has(by.recordId)) {
      const citations = [...metadataOf(candidate), ...(by ? metadataOf(by) : [])];
      return { id: `c${at + 1}`, text: `${text}.`, citations, standing: "current" };
    }
    cited.add(by.recordId);
    const [passage] = passagesOf({ ...reading, plan: { ...plan, answerType: "text", windows: [] } }, [by]);
    const told = passage && claimOf("c", plan, passage, null, "current");
    return {
      id: `c${at + 1}`,
      text: told ? `${text}: ${told.text}` : `${text}.`,
      citations: [...metadataOf(candidate), ...(told?.citations ?? [])],
      standing: "current",
    };
  });
  return { claims, fits: true, said: best.probability, cosine: best.features.cos, inTime: true };
}

const asksCount = /(?<!\p{L})(?:how many|wie ?viele)(?!\p{L})/iu;
