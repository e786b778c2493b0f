import type { AskResult, Claim } from "#contract";

/** A run of the answer's text: a claim's sentence, or what stands between claims. */
export interface Segment {
  key: string;
  text: string;
  claim: Claim | null;
}

/** Cuts the answer into its claims, in order. A claim that is not found word for word is put at the end: none is lost. */
export function answerSegments(answer: string, claims: readonly Claim[]): Segment[] {
  const segments: Segment[] = [];
  const lost: Claim[] = [];
  let at = 0;
  for (const claim of claims) {
    const start = answer.indexOf(claim.text, at);
    if (start < 0 || claim.text === "") {
      if (claim.text !== "") lost.push(claim);
      continue;
    }
    if (start > at) segments.push({ key: `text-${at}`, text: answer.slice(at, start), claim: null });
    segments.push({ key: claim.id, text: claim.text, claim });
    at = start + claim.text.length;
  }
  if (at < answer.length) segments.push({ key: `text-${at}`, text: answer.slice(at), claim: null });
  for (const claim of lost) segments.push({ key: claim.id, text: ` ${claim.text}`, claim });
  return segments;
}

/** What belongs to what in a result, worked out once. */
export interface EvidenceLinks {
  /** Number of a cited record, in the order in which the answer cites. */
  numbers: ReadonlyMap<number, number>;
  /** Records that a claim cites, with the way to their roots. */
  recordsOf: ReadonlyMap<string, ReadonlySet<number>>;
  claimsOf: ReadonlyMap<number, ReadonlySet<string>>;
  /** First citation of a record. */
  citationOf: ReadonlyMap<number, Claim["citations"][number]>;
}

export function evidenceLinks(result: Pick<AskResult, "claims" | "forest">): EvidenceLinks {
  const numbers = new Map<number, number>();
  const recordsOf = new Map<string, Set<number>>();
  const claimsOf = new Map<number, Set<string>>();
  const citationOf = new Map<number, Claim["citations"][number]>();
  const parentOf = new Map(result.forest.nodes.map((node) => [node.recordId, node.parent]));
  for (const claim of result.claims) {
    const records = new Set<number>();
    recordsOf.set(claim.id, records);
    for (const citation of claim.citations) {
      const { recordId } = citation;
      if (!numbers.has(recordId)) numbers.set(recordId, numbers.size + 1);
      // Words that someone wrote before the line that the source says beside them.
      const known = citationOf.get(recordId);
      if (!known || (known.view === "metadata" && citation.view !== "metadata")) citationOf.set(recordId, citation);
      claimsOf.set(recordId, (claimsOf.get(recordId) ?? new Set()).add(claim.id));
      // The claim's whole path lights up: the record, and what it grows from.
      for (let id: number | null = recordId; id !== null && !records.has(id); id = parentOf.get(id) ?? null) {
        records.add(id);
      }
    }
  }
  return { numbers, recordsOf, claimsOf, citationOf };
}

/** The `cite` parameter of a citation: which view, and which span of it. */
export function citeParam(citation: Claim["citations"][number] | undefined): string {
  if (!citation?.span) return "";
  return `${citation.view}:${citation.span[0]}-${citation.span[1]}`;
}

/** Where quoted words stand, when that is not what someone wrote; null: they do. */
export function quotedFrom(citation: Claim["citations"][number] | undefined): string | null {
  if (citation?.view === "ocr") return "text in the picture";
  return citation?.view === "tags" ? "a model’s guess about the picture" : null;
}
