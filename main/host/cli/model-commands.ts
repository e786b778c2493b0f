import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { type ModelPurpose, type ModelStatus, UnderstoryError } from "#contract";
import { modelsFolder } from "#models/installed.ts";
import { type CommonOptions, followJob, withArchive } from "./context.ts";
import { bytesText, type ExitCode, exitCodes, oneLine } from "./output.ts";

/** Commands about models: what there is, fetching with consent, removing, checking, measuring. */

/** What a model is for, in a few words. */
export const purposeText: Readonly<Record<ModelPurpose, string>> = {
  "text-embedding": "search by meaning",
  "image-text-embedding": "pictures by description",
  "image-tags": "what is on pictures",
  ocr: "text in pictures",
  reranker: "order of results",
  llm: "language model",
  "speech-to-text": "speech",
  "face-detection": "faces",
  "face-embedding": "same face",
};

const row = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join("  ")
    .trimEnd();

/** A table of models, one a line, grouped by purpose. */
export function modelTable(models: readonly ModelStatus[]): string[] {
  const head = ["PURPOSE", "ID", "SIZE", "STATE", "IN USE", ""];
  const rows = models.map((model) => [
    purposeText[model.purpose],
    model.id,
    `${model.measured ? "" : "~"}${bytesText(model.bytes)}`,
    model.state,
    model.active ? "yes" : "",
    [
      model.recommended ? "recommended" : "",
      model.fits ? "" : "for larger machines",
      model.measured ? "" : "unverified",
    ]
      .filter(Boolean)
      .join(", "),
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((cells) => cells[i]?.length ?? 0)));
  return [head, ...rows].map((cells) => row(cells, widths));
}

export async function modelsList(options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "closed", async ({ client, print }) => {
    const found = await client.call("models.list", {});
    print(found, () => [
      ...modelTable(found.models),
      "",
      `Models lie in ${found.folder}. What each is for and where it comes from: understory models install ID`,
    ]);
    return exitCodes.ok;
  });
}

/** What a person agrees to: what it is, why, on whose terms, how large, from where. */
export function consentLines(model: ModelStatus): string[] {
  return [
    `${model.title}: ${oneLine(model.why, 200)}`,
    `  Size     ${bytesText(model.bytes)}${model.measured ? "" : ", as its publisher says; we have not had it in hand"}`,
    `  Memory   ${bytesText(model.memoryBytes)} while it is in use${model.fits ? "" : "; this machine has less than it is meant for"}`,
    `  Licence  ${model.licence}, ${model.licenceUrl}`,
    `  Makers   ${model.home}`,
    `  From     ${model.sources.map((source) => source.label).join("; ")}`,
  ];
}

/** Asks on a terminal; without one, or with another answer than yes, throws `consent_required`. */
async function askConsent(model: ModelStatus, signal: AbortSignal): Promise<void> {
  const lines = consentLines(model);
  if (process.stdin.isTTY && process.stderr.isTTY) {
    process.stderr.write(`${lines.join("\n")}\n`);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await terminal.question("Fetch it? [y/N] ", { signal });
      if (/^y(es)?$/i.test(answer.trim())) return;
    } finally {
      terminal.close();
    }
  }
  throw new UnderstoryError("consent_required", `${model.title} (${bytesText(model.bytes)}) has to be fetched.`, {
    hint: `${lines.slice(1).join("\n")}\n  To agree: --yes. From your own files: --from PATH`,
    details: { id: model.id },
  });
}

export async function modelsInstall(
  id: string | undefined,
  options: CommonOptions & { yes?: true; from?: string },
): Promise<ExitCode> {
  return await withArchive(options, "open", async (context) => {
    const { client, print, signal } = context;
    const { models } = await client.call("models.list", {});
    const model = models.find((one) => (id === undefined ? one.recommended : one.id === id));
    if (!model) {
      throw new UnderstoryError("not_found", `There is no model ${id}.`, { hint: "See: understory models list" });
    }
    if (!options.yes && options.from === undefined && model.state !== "installed") await askConsent(model, signal);
    const { jobId } = await client.call("models.install", {
      id: model.id,
      consent: true,
      ...(options.from === undefined ? {} : { from: resolve(options.from) }),
    });
    await followJob(context, jobId, { rest: false });
    print({ id: model.id, state: "installed" }, () => [`${model.title} is installed.`]);
    return exitCodes.ok;
  });
}

export async function modelsRemove(id: string, options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    const { freedBytes } = await client.call("models.remove", { id });
    print({ id, state: "absent", freedBytes }, () => [`${id} is removed; ${bytesText(freedBytes)} are free again.`]);
    return exitCodes.ok;
  });
}

/** Hashes one model again, or every installed one. */
export async function modelsVerify(id: string | undefined, options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "closed", async ({ client, print, signal }) => {
    const { models } = await client.call("models.list", {});
    const ids = id === undefined ? models.filter(({ state }) => state === "installed").map((model) => model.id) : [id];
    const results: { id: string; ok: boolean; reason: string | null }[] = [];
    for (const one of ids) results.push({ id: one, ...(await client.call("models.verify", { id: one }, { signal })) });
    print({ models: results }, () => results.map((one) => `${one.id}: ${one.ok ? "as installed" : one.reason}`));
    if (results.length === 0) return exitCodes.nothingFound;
    return results.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.failed;
  });
}

/** Opens a model in this process and measures it beside the bare run-time. */
export async function modelsBench(id: string, options: CommonOptions): Promise<ExitCode> {
  const { benchModel } = await import("#models/bench.ts");
  const result = await benchModel({ id, folder: modelsFolder() });
  const { loadMs, memoryBytes, perSecond, barePerSecond, unit } = result;
  const lines = [
    `Load        ${Math.round(loadMs)} ms`,
    `Memory      ${bytesText(memoryBytes)} more than before`,
    `Speed       ${perSecond.toFixed(1)} ${unit} a second`,
    barePerSecond === null
      ? "Bare        not defined for this purpose"
      : `Bare        ${barePerSecond.toFixed(1)} ${unit} a second; ratio ${(perSecond / barePerSecond).toFixed(2)}`,
  ];
  process.stdout.write(`${options.json ? JSON.stringify(result) : lines.join("\n")}\n`);
  return exitCodes.ok;
}
