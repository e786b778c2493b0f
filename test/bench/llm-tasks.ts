import { findBoundaries } from "#main/llm/boundary.ts";
import { verifyChain } from "#main/llm/chain.ts";
import { checkClaim } from "#main/llm/check.ts";
import { extractFacts } from "#main/llm/facts.ts";
import type { LanguageModel } from "#main/llm/ports.ts";
import { readRecords } from "#main/llm/reader.ts";
import { questionLikelihoods } from "#main/llm/relevance.ts";
import { type Candidate, verifyNodes } from "#main/llm/verifier.ts";
import { table } from "./table.ts";

/** What a model is good for, on a few small cases with known answers: a direction for the catalogue's `llm.tasks`. */

const records: readonly Candidate[] = [
  ["2019-03-02", "Ada", "The ferry to the island leaves at seven in the morning from pier four."],
  ["2019-03-02", "Bo", "Great, I will bring the sandwiches and the red blanket."],
  ["2019-03-05", "Ada", "The vet says Biscuit has to lose two kilos before summer."],
  ["2019-04-11", "Cleo", "I sold the old Saab to my neighbour for 900 euros."],
  ["2019-04-12", "Bo", "We are moving to Lisbon in June, the flat has a balcony."],
  ["2019-05-20", "Ada", "The concert was cancelled because the singer was ill."],
  ["2019-06-01", "Cleo", "My new phone number ends with 4471."],
  ["2019-06-03", "Bo", "Dentist on Thursday at half past nine, I am scared already."],
].map(([day = "", author = "", text = ""], i) => ({
  id: i + 1,
  day,
  author,
  text,
  captions: [],
  modalities: ["text"],
  place: null,
  retrieval: 0.5,
  ocr: null,
}));

const questions: readonly { question: string; gold: number; says: RegExp; claim: string; wrong: string }[] = [
  {
    question: "When does the ferry leave?",
    gold: 1,
    says: /seven|7/i,
    claim: "The ferry leaves at seven in the morning.",
    wrong: "The ferry leaves from pier four at noon and never in the morning.",
  },
  {
    question: "Who bought the Saab?",
    gold: 4,
    says: /neighbou?r/i,
    claim: "Cleo's neighbour bought the Saab.",
    wrong: "Ada bought the old Saab from her neighbour.",
  },
  {
    question: "Where is Bo moving to?",
    gold: 5,
    says: /lisbon/i,
    claim: "Bo is moving to Lisbon.",
    wrong: "Bo is leaving Lisbon in June.",
  },
  {
    question: "Why was the concert cancelled?",
    gold: 6,
    says: /\bill\b|sick/i,
    claim: "The singer was ill.",
    wrong: "The singer was late for the concert.",
  },
];

const priority = "background";

/** One line a task: how often the model kept the protocol, and how often it was right. */
export async function benchTasks(model: LanguageModel): Promise<void> {
  const rows: [string, string, string][] = [];
  const of = (count: number, whole: number) => `${count} / ${whole}`;

  let first = 0;
  let kept = 0;
  let best = 0;
  let cited = 0;
  let said = 0;
  let told = 0;
  for (const { question, gold, says, claim, wrong } of questions) {
    const likelihoods = await questionLikelihoods(model, { question, records, priority });
    if (records[likelihoods.indexOf(Math.max(...likelihoods))]?.id === gold) first++;

    const verified = await verifyNodes(model, { question, candidates: records, priority });
    if (verified.by === "model") kept++;
    const { scores } = verified.value;
    const own = scores.get(gold) ?? 0;
    if (own > 0 && [...scores].every(([id, score]) => id === gold || score < own)) best++;

    let answer = "";
    const citations: number[] = [];
    for await (const event of readRecords(model, {
      question,
      records: records.slice(0, 6).map((record) => ({ ...record, probability: 0.5 })),
      priority,
    })) {
      if (event.type === "text") answer += event.text;
      if (event.type === "end") citations.push(...event.cited);
    }
    if (says.test(answer)) said++;
    if (citations.length === 1 && citations[0] === gold) cited++;

    const evidence = records.filter(({ id }) => id === gold);
    const right = await checkClaim(model, { question, claim, records: evidence, priority });
    const false_ = await checkClaim(model, { question, claim: wrong, records: evidence, priority });
    if ((right.probability ?? 0) > (false_.probability ?? 0)) told++;
  }
  const n = questions.length;
  rows.push(["relevance: gold first of 8", "–", of(first, n)]);
  rows.push(["verifier: gold alone highest", of(kept, n), of(best, n)]);
  rows.push(["reader: answer right", "–", of(said, n)]);
  rows.push(["reader: cites the gold record and no other", "–", of(cited, n)]);
  rows.push(["check: true claim likelier than false one", "–", of(told, n)]);

  const eligible = new Map([[2, [1]]]);
  const chain = await verifyChain(model, {
    question: "What was planned for the ferry?",
    candidates: records,
    eligible,
    priority,
  });
  rows.push(["chain: one row", chain.by === "model" ? "1 / 1" : "0 / 1", chain.value[0]?.role ?? "none"]);

  const talk = [records[0], records[1], records[3], records[5]].filter((record) => record !== undefined);
  const { value, by } = await findBoundaries(model, { records: talk, fallback: [], priority });
  const begins = value.begins.join(" ");
  rows.push(["boundaries: before 4 and 6", by === "model" ? "1 / 1" : "0 / 1", begins === "4 6" ? "right" : begins]);

  let facts = 0;
  let dropped = 0;
  for (const record of records.slice(2, 6)) {
    const found = await extractFacts(model, { record, priority });
    facts += found.value.facts.length;
    dropped += found.value.dropped;
  }
  rows.push(["facts: of 4 records", "–", `${facts} with their words, ${dropped} dropped`]);
  console.log(`\n${table(["task", "protocol kept", "right"], rows)}`);
}
