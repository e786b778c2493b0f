/**
 * `npm run bench -- NAME [folder]`: prints a table with what was measured beside its bound, in one run.
 * Benches measure; they assert nothing and are no part of the tests.
 */

const benches: Readonly<Record<string, { readonly what: string; run(args: readonly string[]): Promise<void> }>> = {
  indexing: {
    what: "a big import while a question is asked each second, and killed in the middle (folders as arguments)",
    run: async (args) => (await import("./indexing.ts")).benchIndexing(args),
  },
  exactness: {
    what: "vectors of the installed text models beside transformers.js and Python's onnxruntime (--python PATH)",
    run: async (args) => (await import("./exactness.ts")).benchExactness(args),
  },
  sample: {
    what: "the sample household's questions: evidence found, answers right, unanswerable ones refused",
    run: async (args) => (await import("./sample.ts")).benchSample(args),
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
