import { z } from "zod";
import { UnderstoryError } from "#contract";
import type { OnnxSession, OnnxTensor } from "#native/onnx.ts";
import { openTokenizer, type TextTokenizer } from "#native/tokenizer.ts";
import type { CatalogueModel } from "../catalogue.ts";
import { type CheckedModel, checkModel } from "../opening.ts";

/** A text as a network reads it; `types` (which of two texts a token belongs to) are 0 when they are left out. */
export interface TokenRow {
  readonly ids: readonly number[];
  readonly types?: readonly number[];
}

/** A transformer encoder with its tokenizer. */
export interface TextNetwork {
  /** `derivedBy` of the weights. */
  readonly modelId: string;
  readonly tokenizer: TextTokenizer;
  /**
   * One output for all rows, padded to the longest: the first whose rank is `rank`. Throws `inference_failed`; the message
   * names no text.
   */
  run(rows: readonly TokenRow[], rank: number): Promise<NetworkOutput>;
  /** Closes the network, puts the model into quarantine and gives the error that says so (`model_damaged`). */
  refuse(why: string): Promise<UnderstoryError>;
  dispose(): Promise<void>;
}

export interface NetworkOutput {
  readonly data: Float32Array;
  /** `[rows, …]`. */
  readonly dims: readonly number[];
  /** Tokens of a row, padding included. */
  readonly width: number;
}

/**
 * Opens the network and the tokenizer of an installed model. Throws `model_missing`, `model_unsupported` (an operator or a
 * format that is not known here) or `model_damaged` (the model is then in quarantine).
 */
export async function openTextNetwork(
  folder: string,
  model: CatalogueModel,
  { maxTokens, threads }: { maxTokens: number; threads: number },
): Promise<TextNetwork> {
  const checked = await checkModel(folder, model, "weights");
  const tokenizer = await readTokenizer(checked, model, maxTokens);
  const session = await checked.open("weights", threads);
  return {
    modelId: checked.modelId,
    tokenizer,
    async refuse(why) {
      await session.dispose();
      return checked.refuse(why);
    },
    dispose: () => session.dispose(),
    run: (rows, rank) => runRows(session, model, rows, rank),
  };
}

/** What is done with a network before its first use. A network that fails at it is not the model that it should be. */
export async function tryOut<Result>(network: TextNetwork, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw await network.refuse(error instanceof Error ? error.message : String(error));
  }
}

async function readTokenizer(checked: CheckedModel, model: CatalogueModel, maxTokens: number): Promise<TextTokenizer> {
  const withConfig = model.files.some(({ role }) => role === "tokeniser-config");
  try {
    const json = parseObject(checked.bytesOf("tokeniser"));
    return openTokenizer(json, withConfig ? parseObject(checked.bytesOf("tokeniser-config")) : {}, maxTokens);
  } catch (error) {
    if (error instanceof UnderstoryError) throw await checked.refuse("its tokenizer is missing");
    throw await checked.refuse("its tokenizer cannot be read");
  }
}

function parseObject(bytes: Uint8Array): object {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(bytes)));
}

async function runRows(
  session: OnnxSession,
  model: CatalogueModel,
  rows: readonly TokenRow[],
  rank: number,
): Promise<NetworkOutput> {
  const { inputs, width } = padded(rows, session.inputNames);
  let outputs: Record<string, OnnxTensor>;
  try {
    outputs = await session.run(inputs);
  } catch (error) {
    throw failed(model.title, "stopped with an error", error);
  }
  for (const name of session.outputNames) {
    const output = outputs[name];
    if (!(output?.data instanceof Float32Array) || output.dims.length !== rank) continue;
    if (output.dims[0] !== rows.length) break;
    return { data: output.data, dims: output.dims, width };
  }
  throw failed(model.title, "gave no output of the expected shape");
}

/** The error for a text that a model could not work out. */
export function failed(title: string, what: string, cause?: unknown): UnderstoryError {
  return new UnderstoryError("inference_failed", `The model ${title} ${what}.`, {
    hint: "The record stays and is found by its words. Verify the model under Models, or choose another.",
    cause,
  });
}

/** BERT's inputs, `[rows, longest]`, padded on the right with mask 0. The network is given those that it asks for. */
function padded(rows: readonly TokenRow[], names: readonly string[]) {
  const width = Math.max(...rows.map(({ ids }) => ids.length));
  const dims = [rows.length, width];
  const make = () => new BigInt64Array(rows.length * width);
  const [ids, mask, types] = [make(), make(), make()];
  rows.forEach((row, r) => {
    for (let c = 0; c < row.ids.length; c++) {
      ids[r * width + c] = BigInt(row.ids[c] ?? 0);
      mask[r * width + c] = 1n;
      types[r * width + c] = BigInt(row.types?.[c] ?? 0);
    }
  });
  const all: Record<string, OnnxTensor> = {
    input_ids: { data: ids, dims },
    attention_mask: { data: mask, dims },
    token_type_ids: { data: types, dims },
  };
  return { inputs: Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))), width };
}
