import { InferenceSession, Tensor } from "onnxruntime-node";

/** A dense tensor as models take and give it; `data` is row-major. */
export interface OnnxTensor {
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
}

/** One opened model. `run` may be called again only when the last call has ended: one thread, one call. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Throws when an input is missing or a shape is wrong. Outputs that are neither float32 nor int64 are left out. */
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Record<string, OnnxTensor>>;
  /** Waits for a running call, then frees the memory. May be called twice. */
  dispose(): Promise<void>;
}

/**
 * Opens a model from its bytes (never from a path, so that what was checked is what runs).
 * `threads` are intra-operator threads. For small models one is faster than two, whose threads spin waiting for each other.
 */
export async function openOnnx(bytes: Uint8Array, options: { threads: number }): Promise<OnnxSession> {
  const session = await InferenceSession.create(bytes, {
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
    executionProviders: ["cpu"],
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  let running: Promise<unknown> = Promise.resolve();
  let disposed: Promise<void> | null = null;

  async function run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Record<string, OnnxTensor>> {
    if (disposed) throw new Error("The model is closed.");
    const feeds: Record<string, Tensor> = {};
    for (const [name, { data, dims }] of Object.entries(inputs)) {
      feeds[name] = data instanceof Float32Array ? new Tensor("float32", data, dims) : new Tensor("int64", data, dims);
    }
    const call = session.run(feeds);
    running = call.catch(() => undefined);
    const outputs: Record<string, OnnxTensor> = {};
    for (const [name, tensor] of Object.entries(await call)) {
      const { data, dims } = tensor;
      if (data instanceof Float32Array || data instanceof BigInt64Array) outputs[name] = { data, dims };
    }
    return outputs;
  }

  return {
    inputNames: session.inputNames,
    outputNames: session.outputNames,
    run,
    dispose() {
      disposed ??= running.then(() => session.release());
      return disposed;
    },
  };
}
