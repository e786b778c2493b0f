import { createHash } from "node:crypto";
import { type Catalogue, type CatalogueModel, loadCatalogue } from "#models/catalogue.ts";

/** Bytes that look like nothing, the same on every run. */
export function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[i] = state >> 16;
  }
  return bytes;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export interface SmallModel {
  readonly model: CatalogueModel;
  /** File name → bytes. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Address path → bytes, as the hub source of the entry names them. */
  readonly served: ReadonlyMap<string, Buffer>;
}

/** A catalogue entry of two small files: the installer does not look inside what it installs. */
export function smallModel(): SmallModel {
  const files = new Map([
    ["model.onnx", noise(300_000, 1)],
    ["tokenizer.json", noise(4_000, 2)],
  ]);
  const base = catalogueModel(loadCatalogue());
  const model: CatalogueModel = {
    ...base,
    id: "small-model",
    title: "Small model",
    files: [...files].map(([name, bytes]) => ({
      role: name === "model.onnx" ? ("weights" as const) : ("tokeniser" as const),
      name,
      bytes: bytes.length,
      sha256: sha256(bytes),
    })),
    sources: [
      {
        kind: "hub",
        label: "Test hub",
        base: "https://hub.invalid",
        files: [...files.keys()].map((name) => ({ name, path: `some/model/${name}` })),
      },
      {
        kind: "python",
        label: "Test packages",
        packages: [
          {
            name: "small-model",
            version: "1.0.0",
            bytes: 310_000,
            members: [
              { name: "model.onnx", path: ["small_model/model.onnx"] },
              { name: "tokenizer.json", path: ["small_model/inner.zip", "tokenizer.json"] },
            ],
          },
        ],
      },
      { kind: "local", label: "A folder" },
    ],
  };
  return { model, files, served: new Map([...files].map(([name, bytes]) => [`/some/model/${name}`, bytes])) };
}

function catalogueModel({ models }: Catalogue): CatalogueModel {
  const [first] = models;
  if (!first) throw new Error("The catalogue is empty.");
  return first;
}
