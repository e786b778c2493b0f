/**
 * `npm run bench -- NAME [folder]`: prints a table with what was measured beside its bound, in one run.
 * Benches measure; they assert nothing and are no part of the tests.
 */

const benches: Readonly<Record<string, { readonly what: string; run(args: readonly string[]): Promise<void> }>> = {
  sight: {
    what: "pictures found by what is written and seen on them (--photos FOLDER)",
    run: async (args) => (await import("./sight.ts")).benchSight(args),
  },
  fuzz: {
    what: "broken inputs through every importer: crashes, hangs, memory (--seconds 600, --seed N, --seeds FOLDER)",
    run: async (args) => (await import("./fuzz.ts")).benchFuzz(args),
  },
  forest: {
    what: "which records are chosen from frozen candidates: the forest beside eight comparators; the solver's gap and time (FOLDER)",
    run: async (args) => (await import("./forest.ts")).benchForest(args),
  },
  import: {
    what: "100,000 messages and 20,000 pictures coming in, beside notmuch and a bare loop (--messages N, --pictures N, --mail FOLDER: of its messages, over and over)",
    run: async (args) => (await import("./import.ts")).benchImport(args),
  },
  indexing: {
    what: "a big import while a question is asked each second, and killed in the middle (folders as arguments)",
    run: async (args) => (await import("./indexing.ts")).benchIndexing(args),
  },
  exactness: {
    what: "vectors of the installed text models beside transformers.js and Python's onnxruntime (--python PATH)",
    run: async (args) => (await import("./exactness.ts")).benchExactness(args),
  },
  inference: {
    what: "the inference service beside bare ONNX Runtime; a question under background load; memory (--models FOLDER)",
    run: async (args) => (await import("./inference.ts")).benchInference(args),
  },
  llm: {
    what: "language models beside the bare node-llama-cpp API: load, tokens a second, valid answers, prefix reuse, cancel",
    run: async (args) => (await import("./llm.ts")).benchLlm(args),
  },
  relevance: {
    what: "what query likelihood adds to the first ten records, on development questions (--data FOLDER)",
    run: async (args) => (await import("./relevance.ts")).benchRelevance(args),
  },
  locomo: {
    what: "evidence found in long chats (FOLDER; --profiles quick,thorough --weights shipped --ablations --image-query)",
    run: async (args) => (await import("./locomo.ts")).benchLocomo(args),
  },
  "mem-gallery": {
    what: "evidence found in dialogues with pictures (FOLDER; --profiles quick --weights shipped)",
    run: async (args) => (await import("./mem-gallery.ts")).benchMemGallery(args),
  },
  sample: {
    what: "the sample household's questions: evidence found, answers right, unanswerable ones refused",
    run: async (args) => (await import("./sample.ts")).benchSample(args),
  },
  answers: {
    what: "LoCoMo's questions answered: token F1, dates, citations, refusals (--data FOLDER, --dev, --held-out, --sample N)",
    run: async (args) => (await import("./answers.ts")).benchAnswers(args),
  },
  "fit-spans": {
    what: "weights by which the reader takes an answer out of a sentence, fitted on development chats (--data FOLDER, --out FILE)",
    run: async (args) => (await import("./fit-spans.ts")).benchFitSpans(args),
  },
  "ask-speed": {
    what: "questions over 10,000, 100,000 and 1,000,000 made-up records beside FTS5 and sqlite-vec (--records N,N, --slowest)",
    run: async (args) => (await import("./ask-speed.ts")).benchAskSpeed(args),
  },
  takeout: {
    what: "a Takeout in three zips, killed with -9 again and again: is all of it there, once? (--kills 20, --seed N)",
    run: async (args) => (await import("./takeout.ts")).benchTakeout(args),
  },
};

const [name, ...args] = process.argv.slice(2);
const bench = name === undefined ? undefined : benches[name];
if (!bench) {
  console.log("npm run bench -- NAME [folder]\n");
  for (const [key, { what }] of Object.entries(benches)) console.log(`  ${key.padEnd(10)} ${what}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  await bench.run(args);
}
