import type { AskResult, Doubt, ForestNode, RecordSummary, RoundTrace, StageTrace } from "#contract";
import { count, oneLine, plain, timeText } from "./output.ts";

/** `ask --explain`: how an answer was found, as a tree in a terminal. Everything that records say is made safe to show. */

const topShown = 8;
const edgesShown = 12;
const idsShown = 12;

/** What each way to ask again does. */
const rewriteWords: Readonly<Record<RoundTrace["rewrite"], string>> = {
  first: "as it was understood",
  split: "each part for itself",
  nearest_words: "with words that mean nearly the same",
  second_hop: "by way of what the question describes",
  wider_time: "with the days around",
  fewer_filters: "without limits",
};

export function explainLines(result: AskResult): string[] {
  const names = new Map(result.records.map((record) => [record.id, nameOf(record)]));
  const name = (id: number) => `#${id}${names.has(id) ? ` ${names.get(id)}` : ""}`;
  const total = result.trace.reduce((sum, { ms }) => sum + ms, 0);
  return [
    `Question  ${oneLine(result.plan.question, 200)}`,
    `Answer    ${oneLine(result.answer, 400)}`,
    `          ${result.outcome}, ${result.tier}, ${ms(total)}`,
    "",
    ...planLines(result),
    ...result.rounds.flatMap((round) => ["", ...roundLines(round, result.trace, name)]),
    "",
    "Evidence",
    ...forestLines(result, name),
    ...result.conflicts.map(
      ({ kind, attribute, older, newer }) =>
        `  ${kind}: ${attribute} is ${oneLine(newer.value, 60)} in #${newer.recordId}, ${oneLine(older.value, 60)} in #${older.recordId}`,
    ),
    "",
    "Claims",
    ...claimLines(result),
    "",
    "Left out",
    ...leftOutLines(result),
    ...result.notes.map((note) => `Note      ${oneLine(note, 200)}`),
  ];
}

const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

function nameOf({ kind, author, subject, snippet, time }: RecordSummary): string {
  const who = author ? ` ${oneLine(author, 24)}:` : "";
  return `${kind} ${timeText(time)}${who} ${oneLine(subject ?? snippet, 50)}`.trim();
}

function planLines({ plan }: AskResult): string[] {
  const parts: [string, readonly string[]][] = [
    ["words", plan.terms],
    ["people", plan.people.map(({ personId, name }) => `${name}${personId === null ? "" : ` (${personId})`}`)],
    ["time", plan.windows.map(({ from, to, text }) => `${from} – ${to} (“${text}”)`)],
    ["places", plan.places],
    ["kinds", plan.kinds],
  ];
  return [
    `Plan      ${[plan.intent, plan.operation, plan.answerType, plan.language].join(" · ")}`,
    ...parts
      .filter(([, values]) => values.length > 0)
      .map(([key, values]) => `          ${key}: ${values.map(plain).join(", ")}`),
  ];
}

function roundLines(round: RoundTrace, trace: readonly StageTrace[], name: (id: number) => string): string[] {
  const { rewrite, change, retrievals, answered, doubts, chosen } = round;
  const what = `${rewriteWords[rewrite]}${change === "" ? "" : ` (${oneLine(change, 120)})`}`;
  const stages = trace.filter((stage) => stage.round === round.round);
  return [
    `Round ${round.round}   ${what}: ${answered ? "answered" : "no answer"}, ${count(retrievals, "retrieval")}${chosen ? ", chosen" : ""}`,
    ...stages.flatMap((stage) => [
      `  ${stage.stage.padEnd(10)} ${ms(stage.ms).padStart(8)}  ${stage.inputSize} → ${stage.outputSize}  ${told(stage)}`.trimEnd(),
      ...topLines(stage, name),
    ]),
    ...doubts.map(({ text, blocking }: Doubt) => `  ${blocking ? "doubt" : "looked again"}: ${oneLine(text, 120)}`),
  ];
}

/** What a stage says of itself in numbers and words; lists are told by their length. */
function told({ detail }: StageTrace): string {
  return Object.entries(detail)
    .filter(([key]) => key !== "plan" && key !== "top" && key !== "candidates")
    .map(([key, value]) => `${key} ${shortly(value)}`)
    .join(", ");
}

function shortly(value: unknown): string {
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return oneLine(value, 40);
  if (Array.isArray(value)) return String(value.length);
  if (typeof value !== "object" || value === null) return String(value);
  return `(${Object.entries(value)
    .map(([key, one]) => `${oneLine(key, 20)} ${typeof one === "object" ? "…" : shortly(one)}`)
    .join(" ")})`;
}

/** The first of a retrieval: probability, and what each feature added to the score, the greatest first. */
function topLines({ stage, detail }: StageTrace, name: (id: number) => string): string[] {
  if (stage !== "recall" || !Array.isArray(detail.top)) return [];
  return detail.top.slice(0, topShown).flatMap((one: unknown, at) => {
    if (typeof one !== "object" || one === null || !("recordId" in one) || !("probability" in one)) return [];
    const parts =
      "parts" in one && typeof one.parts === "object" && one.parts !== null ? Object.entries(one.parts) : [];
    const shown = parts
      .map(([key, value]): [string, number] => [key, Number(value)])
      .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
      .slice(0, 6)
      .map(([key, value]) => `${key} ${value > 0 ? "+" : ""}${value.toFixed(2)}`);
    return [
      `    ${String(at + 1).padStart(2)}. ${Number(one.probability).toFixed(3)}  ${name(Number(one.recordId))}`,
      `        ${shown.join("  ")}`,
    ];
  });
}

function forestLines({ forest }: AskResult, name: (id: number) => string): string[] {
  if (forest.nodes.length === 0) return ["  none: nothing that was found answers the question"];
  const edges = new Map(forest.edges.filter(({ inForest }) => inForest).map((edge) => [edge.to, edge]));
  const line = ({ recordId, parent, depth, utility, rank }: ForestNode) => {
    const edge = edges.get(recordId);
    const role =
      edge && parent !== null
        ? `${edge.role} by ${edge.relation}, +${number(edge.increment)}, cost ${number(edge.cost ?? 0)}: `
        : "";
    return `  ${"   ".repeat(depth)}${depth === 0 ? "●" : "└─"} ${role}${utility.toFixed(3)} rank ${rank} ${name(recordId)}`;
  };
  const beside = forest.edges.filter(({ inForest }) => !inForest).slice(0, edgesShown);
  return [
    ...forest.nodes.map(line),
    ...beside.map(({ from, to, role, relation }) => `  shown beside: #${to} ${role} of #${from} (${relation})`),
  ];
}

function claimLines({ claims }: AskResult): string[] {
  if (claims.length === 0) return ["  none"];
  return claims.flatMap(({ id, text, standing, citations }) => [
    `  ${id} ${oneLine(text, 300)}${standing === "current" ? "" : ` (${standing})`}`,
    ...citations.map(
      ({ recordId, view, span, quote }) =>
        `     #${recordId} ${view}${span === null ? "" : ` ${span[0]}–${span[1]}`}: “${oneLine(quote, 120)}”`,
    ),
  ]);
}

function leftOutLines({ leftOut }: AskResult): string[] {
  if (leftOut.length === 0) return ["  none"];
  return [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, rows]) => {
    const ids = rows.slice(0, idsShown).map(({ recordId }) => `#${recordId}`);
    return `  ${rows.length} ${oneLine(reason, 80)}: ${ids.join(" ")}${rows.length > idsShown ? " …" : ""}`;
  });
}
