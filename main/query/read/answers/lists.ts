import type { Citation, Claim, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { cameraWords } from "../../../views/index.ts";
import { sentencesOf } from "../../../views/language/index.ts";
import { type Candidate, candidateSettings } from "../../candidates/candidates.ts";
import { speaking } from "../asked/spoken.ts";
import { answered, type Draft, nothing } from "../draft.ts";
import { phrases } from "../phrases.ts";
import { claimOf, dayOf, labelOf, metadataOf, quoted, sayPicture } from "../say.ts";
import { asksHowMany } from "../sentences/pick.ts";
import { cutAt } from "../sentences/quotes.ts";
import { type Passage, passagesOf, type Reading } from "../sentences/sentences.ts";
import { namesNone } from "../sentences/worth.ts";
import { chooseSpans } from "../spans/span-choice.ts";
import { voicesOf } from "../spans/voices.ts";
import { supports } from "../witnesses/support.ts";
import { countedPictures } from "./counts.ts";

/** Answers that name several things: each with the record that it stands on. */

const listLimit = 6;
const pictureLimit = 12;
/** How far below the best passage an item of a list may score. */
const itemWithin = 0.6;
/** The same in talk, where the words that answer are chosen with their sentence (`span-choice.ts`). */
const spanWithin = 3;

export function listClaims(
  reading: Reading,
  top: readonly Candidate[],
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): Draft {
  const speaks = speaking(reading);
  const all = passagesOf(reading, top);
  const passages = all.filter(
    ({ candidate, citation }) => speaks(candidate) && !namesNone(reading.plan, citation.quote),
  );
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
  const spans = chooseSpans(reading, passages, speaks);
  const items = spans.filter(({ score }) => score >= (spans[0]?.score ?? 0) - spanWithin);
  const said = new Map(items.map(({ passage, text }) => [passage, text]));
  const records = new Set<number>();
  const claims: Claim[] = [];
  const pictures = best.candidate.record.kind === "photo" && best.citation.view === "metadata";
  const chosen =
    items.length > 0
      ? items.map(({ passage }) => passage)
      : passages.filter(({ score }) => score >= best.score - itemWithin);
  for (const passage of pictures ? chosen.toSorted(inTimeOrder) : chosen) {
    if (claims.length === (pictures ? pictureLimit : listLimit)) break;
    if (records.has(passage.candidate.recordId)) continue;
    records.add(passage.candidate.recordId);
    claims.push(
      pictureClaim(reading.plan, passage, claims.length + 1) ??
        claimOf(`c${claims.length + 1}`, reading.plan, passage, null, "current", said.get(passage) ?? null),
    );
  }
  if (pictures) {
    const all = [...new Map(chosen.map(({ candidate }) => [candidate.recordId, candidate])).values()];
    claims.push(...allPictures(reading.plan, all, isCut(candidates)));
  }
  const { whole, inTime, candidate } = best;
  const voices = voicesOf(reading.plan, all, spans);
  return { claims, fits: claims.length > 0, said: whole, cosine: candidate.features.cos, inTime, voices };
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

/** Pictures of a time, or all of them, where nothing else is asked: in their order, with what is on them; null where there are none. */
export function plainPictures(reading: Reading, candidates: readonly Candidate[]): Draft | null {
  const { plan } = reading;
  const fitting = candidates.filter(
    ({ record, features }) => plan.kinds.includes(record.kind) && (plan.windows.length === 0 || features.win >= 1),
  );
  const originals = new Set(fitting.flatMap(({ record, day }) => (record.partOf === null ? [day] : [])));
  const pictures = inOrder(fitting.filter(({ record, day }) => record.partOf === null || !originals.has(day)));
  const [first] = pictures;
  if (!first) return null;
  const { cos: cosine } = first.features;
  const cameras = asksCamera(plan.question) && pictures.length > 1 ? cameraClaims(pictures) : [];
  if (cameras.length > 0) return answered(cameras, { cosine });
  const claims = pictures.slice(0, pictureLimit).map((candidate, at): Claim => {
    const { says, citations } = onPicture(reading, candidate, undefined, undefined, new Set());
    const text = says === null ? sayPicture(plan, candidate) : `${sayPicture(plan, candidate)}: ${says}`;
    return {
      id: `c${at + 1}`,
      text: `${text}.`,
      citations: [...metadataOf(candidate), ...citations],
      standing: "current",
    };
  });
  return answered([...claims, ...allPictures(plan, pictures, isCut(candidates))], { cosine });
}

/** Each camera once, with the pictures that it took. */
function cameraClaims(pictures: readonly Candidate[]): Claim[] {
  const taken = Map.groupBy(pictures, ({ record }) => cameraWords(record.props.camera).join(" "));
  taken.delete("");
  return [...taken].map(([camera, by], at) => ({
    id: `c${at + 1}`,
    text: `${camera}.`,
    citations: by.slice(0, pictureLimit).flatMap(metadataOf),
    value: camera,
    standing: "current",
  }));
}

/** Share of the best picture's certainty that further ones need where several are asked for. */
const alsoShown = 0.55;
/** The same where each is known to show what is counted. */
const alsoCounted = 0.45;
const severalPictures =
  /(?<!\p{L})(?:photos|pictures|pics|images|snapshots|videos|fotos|bilder|aufnahmen|what did \p{L}+ photograph|was habe?n? \p{L}+ .*fotografiert)(?!\p{L})/iu;

/** Each picture with what is on it, and with the record that says that it is the one. */
export function pictureClaims(
  reading: Reading,
  pictures: readonly Candidate[],
  candidates: readonly Candidate[],
): Draft {
  const { plan, grounds } = reading;
  const shown = pictures.filter(({ recordId }) => grounds.has(recordId));
  const [best] = shown;
  if (!best) return nothing;
  const counts = asksHowMany(plan.question);
  const several = counts || severalPictures.test(plan.question);
  const nearly = (share: number) => shown.filter(({ probability }) => probability >= best.probability * share);
  const chosen = several ? nearly(alsoShown) : [best];
  if (counts) {
    const named = nearly(alsoCounted).filter(({ recordId }) => grounds.get(recordId)?.counts === true);
    const counted = named.length > 0 ? named : chosen;
    return countedPictures(plan, inOrder(counted), best, isCut(candidates));
  }
  const cited = new Set<RecordId>();
  const claims = inOrder(chosen.slice(0, pictureLimit)).map((candidate, at): Claim => {
    const ground = grounds.get(candidate.recordId);
    const find = (id: RecordId | null | undefined) => candidates.find(({ recordId }) => recordId === id);
    const [by, sentWith] = [find(ground?.by), find(ground?.shown)];
    const { says, citations } = onPicture(reading, candidate, ground?.label, sentWith, cited);
    // The record that ties them to what is asked is told once: by its words where nothing else is said of the picture.
    const told = by !== undefined && !cited.has(by.recordId) && says === null ? wordsOfRecord(reading, by) : null;
    const silent = by !== undefined && told === null && by !== sentWith ? metadataOf(by) : [];
    if (by !== undefined) cited.add(by.recordId);
    const said = says ?? told?.text.replace(/\.$/u, "") ?? null;
    return {
      id: `c${at + 1}`,
      text: said === null ? `${sayPicture(plan, candidate)}.` : `${sayPicture(plan, candidate)}: ${said}.`,
      citations: [...metadataOf(candidate), ...citations, ...(told?.citations ?? []), ...silent],
      standing: "current",
    };
  });
  return answered([...claims, ...allPictures(plan, chosen, isCut(candidates))], {
    said: best.probability,
    cosine: best.features.cos,
  });
}

const inOrder = (pictures: readonly Candidate[]): Candidate[] =>
  pictures.toSorted((a, b) => (a.moment ?? 0) - (b.moment ?? 0) || a.recordId - b.recordId);

/** How sure a model must be of what nobody asked for. */
const surelySeen = 0.5;

/** Whether there may be more than was looked at. */
const isCut = (candidates: readonly Candidate[]): boolean => candidates.length >= candidateSettings.counted;

/** What is on a picture, in a few words: those it was sent with, what a model saw, or what is written on it. */
function onPicture(
  reading: Reading,
  candidate: Candidate,
  label: string | undefined,
  sentWith: Candidate | undefined,
  cited: Set<RecordId>,
): { says: string | null; citations: Citation[] } {
  const words = phrases[reading.plan.language];
  const camera = asksCamera(reading.plan.question) ? cameraWords(candidate.record.props.camera).join(" ") : "";
  if (camera !== "") return { says: camera, citations: [] };
  if (label !== undefined) {
    const seen = labelOf(candidate, label);
    return { says: seen.length > 0 ? words.seen(label) : words.maybeSeen, citations: seen };
  }
  if (sentWith !== undefined && !cited.has(sentWith.recordId)) {
    cited.add(sentWith.recordId);
    const told = wordsOfRecord(reading, sentWith);
    if (told !== null) return { says: told.text.replace(/\.$/u, ""), citations: told.citations };
  }
  const told = describedIn(candidate);
  if (told !== null) return { says: quoted(told.quote), citations: [told] };
  const title = titleOf(candidate);
  if (title !== null) return { says: words.reads(title.quote.replace(/[“”„]/g, "'")), citations: [title] };
  const tag = candidate.record.perceived?.tags?.tags[0];
  if (tag === undefined || tag.score < surelySeen) return { says: null, citations: [] };
  return { says: words.seen(tag.label), citations: labelOf(candidate, tag.label) };
}

function wordsOfRecord(reading: Reading, record: Candidate): Claim | null {
  const plan: QueryPlan = { ...reading.plan, answerType: "text", windows: [] };
  const [passage] = passagesOf({ ...reading, plan }, [record]);
  return passage ? claimOf("c", reading.plan, passage, null, "current") : null;
}

/** "Which camera was it taken with?" */
export const asksCamera = (question: string): boolean =>
  /(?<!\p{L})(?:which|what|welche[mnrs]?)\s(?:kind of\s)?(?:camera|phone|kamera|handy)(?!\p{L})/iu.test(question);

/** The first sentence of what was written to a picture where it was kept. */
function describedIn({ recordId, views }: Candidate): Citation | null {
  const text = views.find(({ view }) => view === "text")?.text ?? "";
  const [first] = sentencesOf(text.slice(0, 2_000));
  if (first === undefined) return null;
  const end = Math.min(first.end, cutAt(text, first.start));
  return { recordId, view: "text", span: [first.start, end], quote: text.slice(first.start, end) };
}

/** The first line that is read in a picture and has words in it. */
function titleOf({ recordId, views }: Candidate): Citation | null {
  const text = views.find(({ view }) => view === "ocr")?.text ?? "";
  const match = /^.*\p{L}{3,}.*$/mu.exec(text.slice(0, 1_000));
  const quote = match?.[0].trim().slice(0, titleLength) ?? "";
  if (!match || !/\p{L}{3,}/u.test(quote)) return null;
  const start = text.indexOf(quote, match.index);
  return { recordId, view: "ocr", span: [start, start + quote.length], quote };
}
const titleLength = 60;

/** How many there are and of which days, each of them cited, where not all are told one by one. */
function allPictures(plan: QueryPlan, pictures: readonly Candidate[], cut: boolean): Claim[] {
  if (pictures.length <= pictureLimit) return [];
  const sorted = inOrder(pictures);
  const words = phrases[plan.language];
  const days = sorted.flatMap((candidate) => dayOf(candidate, plan) ?? []);
  const [first, last] = [days[0], days.at(-1)];
  const count =
    words.countedOf(sorted.length, sorted[0]?.record.kind ?? "photo", cut) ?? words.counted(sorted.length, cut);
  const span =
    first === undefined || last === undefined
      ? ""
      : first === last
        ? words.allOn(sorted.length, first)
        : words.between(first, last);
  return [
    {
      id: `c${pictureLimit + 1}`,
      text: `${words.inAll(count, span)}.`,
      citations: sorted.flatMap(metadataOf),
      standing: "current",
    },
  ];
}
