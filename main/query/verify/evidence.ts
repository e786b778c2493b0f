import type { QueryPlan } from "#contract";
import type { Evidence } from "#main/llm/ports.ts";
import type { Candidate as Shown } from "#main/llm/verifier.ts";
import { contentStems } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";

/** A candidate as models see it: what was said, and what was read and seen on its pictures. */
export function evidenceOf({
  record,
  day,
  views,
  recordId,
}: Pick<Candidate, "record" | "day" | "views" | "recordId">): Evidence {
  const said = views.filter(({ view }) => view === "subject" || view === "text" || view === "attachment");
  const seen = views.filter(({ view }) => view === "ocr" || view === "tags");
  return {
    id: recordId,
    day,
    author: record.author?.name ?? record.author?.address ?? null,
    text: said.map(({ text }) => text.replace(/\s+/g, " ").trim()).join(" — "),
    captions: seen.map(({ text }) => text.replace(/\s+/g, " ").slice(0, 400)),
  };
}

/**
 * The row that both verifiers of a language model are shown (GraphMemix A.4). Its score is the retrieval's: a verifier's is
 * never shown to the other one.
 */
export function shownOf(plan: QueryPlan, candidate: Candidate): Shown {
  const asked = new Set(contentStems(plan.terms.join(" "), plan.language));
  const views = candidate.views.filter(({ view }) => view !== "ocr");
  const read = candidate.views
    .filter(({ view }) => view === "ocr")
    .flatMap(({ text }) => text.split(/\n+/))
    .filter((line) => contentStems(line, plan.language).some((stem) => asked.has(stem)))
    .join(" ");
  return {
    ...evidenceOf({ ...candidate, views }),
    modalities: [candidate.record.kind],
    place: candidate.record.place?.name ?? null,
    retrieval: candidate.prior,
    ocr: read === "" ? null : read,
  };
}
