import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelStatusSchema } from "#contract";
import { buildsOf, derivedBy, findModel, isMeasured, loadCatalogue } from "#models/catalogue.ts";
import { modelsPage } from "#models/docs.ts";
import { activeModel, listModels, modelPlaces, modelsFolder } from "#models/installed.ts";

describe("the catalogue", () => {
  it("names for each model unique ids, and for each file of a source a file with known bytes", () => {
    const { models } = loadCatalogue();
    expect(new Set(models.map((model) => model.id)).size).toBe(models.length);
    for (const model of models) {
      const names = model.files.map((file) => file.name);
      for (const source of model.sources) {
        if (source.kind === "hub") expect(source.files.map((file) => file.name).sort()).toEqual([...names].sort());
        if ("packages" in source) {
          const members = new Set(source.packages.flatMap((one) => one.members.map((member) => member.name)));
          const { conversion } = source;
          const wanted = conversion
            ? names.filter((name) => name !== conversion.output).concat(conversion.inputs.map(({ name }) => name))
            : names;
          expect([...members].sort()).toEqual(wanted.sort());
        }
      }
    }
  });

  it("recommends one model a purpose at most, and none that looks at faces or that nothing runs", () => {
    const recommended = loadCatalogue().models.filter((model) => model.recommended);
    expect(recommended.map((model) => model.purpose).sort()).toEqual([
      "image-tags",
      "image-text-embedding",
      "llm",
      "ocr",
      "reranker",
      "text-embedding",
    ]);
  });

  it("takes from packages only files that we have had in hand", () => {
    for (const model of loadCatalogue().models) {
      if (model.sources.some((source) => "packages" in source)) expect(isMeasured(model)).toBe(true);
    }
  });

  it("keeps vectors of another build of the weights apart", () => {
    const model = findModel("minilm-l6-v2-int8");
    const [measured, published] = buildsOf(model, "model.onnx");
    expect(derivedBy(model, measured?.sha256 ?? "")).toBe(`${model.id}@${model.version}`);
    expect(derivedBy(model, published?.sha256 ?? "")).toBe(
      `${model.id}@${model.version}+${published?.sha256.slice(0, 8)}`,
    );
    expect(published?.verified).toBe(false);
  });

  it("is shown as the contract says, also when no folder is there yet", () => {
    const [first] = listModels("/no/such/folder");
    expect(modelStatusSchema.parse(first).state).toBe("absent");
  });

  it("is what the page about models says", async () => {
    const page = await readFile(new URL("../../docs/models.md", import.meta.url), "utf8");
    expect(page, "docs/models.md is out of date: npm run docs").toBe(modelsPage());
  });

  it("refuses an id that is not in it", () => {
    expect(() => findModel("nothing")).toThrow(expect.objectContaining({ code: "not_found" }));
  });
});

describe("the model in use", () => {
  it("is the recommended one of those that are installed; about faces none until it is chosen", async () => {
    const folder = await mkdtemp(join(tmpdir(), "understory-models-"));
    try {
      for (const id of ["bge-small-en-v1.5-int8", "minilm-l6-v2-int8", "blazeface"]) await pretend(folder, id);
      expect(activeModel(folder, "text-embedding")?.id).toBe("minilm-l6-v2-int8");
      expect(activeModel(folder, "text-embedding", { "text-embedding": null })).toBeNull();
      const chosen = { "text-embedding": "bge-small-en-v1.5-int8", "face-detection": "blazeface" };
      expect(activeModel(folder, "text-embedding", chosen)?.id).toBe("bge-small-en-v1.5-int8");
      expect(activeModel(folder, "face-detection")).toBeNull();
      expect(activeModel(folder, "face-detection", chosen)?.id).toBe("blazeface");
      const listed = listModels(folder, chosen).filter(({ active }) => active);
      expect(listed.map(({ id }) => id)).toEqual(["bge-small-en-v1.5-int8", "blazeface"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Files of the right sizes and the manifest: what tells that a model is installed without reading it. */
async function pretend(folder: string, id: string) {
  const model = findModel(id);
  const { home, manifest } = modelPlaces(folder, id);
  await mkdir(home, { recursive: true });
  const files = model.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256: sha256 ?? "", verified: true }));
  for (const { name, bytes } of files) {
    await writeFile(join(home, name), "");
    await truncate(join(home, name), bytes);
  }
  const { version } = model;
  await writeFile(manifest, JSON.stringify({ id, version, source: "local", verified: true, installedAt: "", files }));
}

describe("the models folder", () => {
  it("is what UNDERSTORY_MODELS says, else the platform's place for data", () => {
    expect(modelsFolder({ UNDERSTORY_MODELS: "/m" }, "linux")).toBe("/m");
    expect(modelsFolder({ XDG_DATA_HOME: "/data" }, "linux")).toMatch(/^.data.understory.models$/);
    expect(modelsFolder({ LOCALAPPDATA: "/local" }, "win32")).toMatch(/Understory.models$/);
    expect(modelsFolder({}, "darwin")).toMatch(/Application Support.Understory.models$/);
  });
});
