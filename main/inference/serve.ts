import type { MessagePort } from "node:worker_threads";
import type { ModelPurpose } from "#contract";
import type { TextReading } from "#models/text/tokens.ts";
import { exposeService, type ServiceContext } from "../workers/service.ts";
import type { Inference, LoadedModel, Priority } from "./ports.ts";

/** What a worker thread that answers questions sees of inference, over a port. */
export interface InferenceService {
  model(input: { purpose: ModelPurpose }): Promise<LoadedModel | null>;
  embed(
    input: { texts: readonly string[]; priority: Priority; modelId?: string; use?: Priority },
    context: ServiceContext,
  ): Promise<Float32Array[]>;
  readTexts(
    input: { texts: readonly string[]; priority: Priority; modelId?: string },
    context: ServiceContext,
  ): Promise<TextReading[]>;
  rerank(
    input: { question: string; texts: readonly string[]; priority: Priority },
    context: ServiceContext,
  ): Promise<number[]>;
  embedCaptions(
    input: { texts: readonly string[]; priority: Priority; modelId?: string },
    context: ServiceContext,
  ): Promise<Float32Array[]>;
}

/**
 * Serves inference to another thread; `connectService<InferenceService>(port, "inference")` is the other end. It is the
 * service itself that answers, so threads of models may be replaced behind it.
 */
export function serveInference(port: MessagePort, inference: Inference): void {
  exposeService<InferenceService>(port, {
    model: ({ purpose }) => inference.model(purpose),
    embed: (input, { signal }) => inference.embed(input, signal),
    readTexts: (input, { signal }) => inference.readTexts(input, signal),
    rerank: (input, { signal }) => inference.rerank(input, signal),
    embedCaptions: (input, { signal }) => inference.embedCaptions(input, signal),
  });
}
