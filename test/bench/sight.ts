import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Client } from "#contract";
import { sampleDirOf } from "#main/app/places.ts";
import { openApp } from "#main/app.ts";
import { linkModels, testModelId } from "#test/models/model-cache.ts";
import { idle } from "./sample.ts";
import { table } from "./table.ts";

/**
 * Search among real photos and the sample's pictures by what is written or seen on them: each query with the pictures that
 * a person would accept, judged by eye beforehand. "by" tells which way the first hit was found.
 */

interface Query {
  readonly query: string;
  /** Ends of paths; any of them counts. */
  readonly wanted: readonly string[];
  readonly how: "text" | "tag";
}

const queries: readonly Query[] = [
  { query: "lizard", wanted: ["Canon_40D.jpg", "Kodak_CX7530.jpg", "Canon_40D_photoshop_import.jpg"], how: "tag" },
  { query: "motorbike", wanted: ["Canon_DIGITAL_IXUS_400.jpg"], how: "tag" },
  { query: "tour bus", wanted: ["Nikon_COOLPIX_P1.jpg"], how: "tag" },
  { query: "tropical fish", wanted: ["Olympus_C8080WZ.jpg"], how: "tag" },
  { query: "church", wanted: ["DSCN0027.jpg", "DSCN0040.jpg", "DSCN0042.jpg"], how: "tag" },
  { query: "concert on a stage", wanted: ["BSG1.tiff"], how: "tag" },
  { query: "cruise ship", wanted: ["HMD_Nokia_8.3_5G.jpg", "HMD_Nokia_8.3_5G.heif"], how: "tag" },
  { query: "qualität", wanted: ["image00971.jpg"], how: "text" },
  { query: "jobagent", wanted: ["Jobagent.tiff"], how: "text" },
  { query: "arbitro", wanted: ["Arbitro.tiff"], how: "text" },
  { query: "otter-lamp-quince", wanted: ["IMG_20240124_180527.jpg"], how: "text" },
  { query: "amoxicillin", wanted: ["IMG_20241010_115826.jpg"], how: "text" },
  { query: "scholle", wanted: ["IMG_20240511_124836.jpg"], how: "text" },
  { query: "boarding pass", wanted: ["IMG_20240803_093115.jpg"], how: "text" },
  { query: "permit holders", wanted: ["IMG_20240314_184430.jpg"], how: "text" },
];

export async function benchSight(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { photos: { type: "string" } } });
  if (!values.photos) {
    console.log("npm run bench -- sight --photos FOLDER");
    process.exitCode = 2;
    return;
  }
  const place = await mkdtemp(join(tmpdir(), "understory-sight-"));
  try {
    const modelsDir = join(place, "models");
    const missing = await linkModels(modelsDir, [testModelId, "pp-ocrv6-small", "efficientnet-lite0"]);
    if (missing) throw new Error(missing);
    const archiveDir = join(place, "archive");
    const app = await openApp({ archiveDir, modelsDir, host: "browser" });
    // Drawn once for its files; they are then imported beside the photos.
    await app.client.call("archive.openSample", {});
    await drawn(app.client);
    await app.client.call("archive.closeSample", {});
    await app.client.call("archive.create", { name: "Bench", passphrase: "four lanterns on the quay" });
    const plan = await app.client.call("imports.plan", {
      paths: [values.photos, join(sampleDirOf(archiveDir), "files")],
    });
    await app.client.call("imports.run", { planId: plan.planId });
    await idle(app.client);
    await report(app.client);
    await app.close();
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Resolves when the sample's import has ended; what models find in it there is of no use here. */
async function drawn(client: Client): Promise<void> {
  for (;;) {
    const { jobs } = await client.call("jobs.list", {});
    if (jobs.some(({ kind, state }) => kind === "import" && state === "done")) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function report(client: Client): Promise<void> {
  const { indexes } = await client.call("archive.status", {});
  for (const { purpose, done, failed } of indexes?.views ?? [])
    console.log(`${purpose}: ${done} done, ${failed} failed`);
  const rows: (string | number)[][] = [];
  let found = 0;
  let first = 0;
  for (const { query, wanted, how } of queries) {
    const { hits } = await client.call("library.search", { query, filter: { kinds: ["photo"] } });
    const paths: string[] = [];
    for (const { record } of hits.slice(0, 20)) {
      const { record: whole } = await client.call("records.get", { id: record.id });
      paths.push(whole.files[0]?.path ?? "");
    }
    const rank = paths.findIndex((path) => wanted.some((end) => path.includes(end))) + 1;
    if (rank > 0) found++;
    if (rank === 1) first++;
    rows.push([
      query,
      how,
      rank || "–",
      hits.length,
      hits[0]?.by ?? (hits[0] ? "words" : "–"),
      hits[0]?.passage.slice(0, 40) ?? "",
    ]);
  }
  console.log(table(["query", "expected by", "rank", "hits", "first hit by", "its passage"], rows));
  console.log(`found ${found} of ${queries.length}, first ${first}`);
}
