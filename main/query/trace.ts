import type { AskEvent, StageTrace } from "#contract";
import { UnderstoryError } from "#contract";
import type { QueryPorts } from "./ports.ts";
import type { Timed } from "./round.ts";

/**
 * Times stages and keeps what they say of themselves; each reads one state of the archive. A question that was withdrawn ends
 * before its next stage.
 */
export class Tracer {
  readonly stages: StageTrace[] = [];
  readonly #signal: AbortSignal | undefined;
  #told = 0;
  /** Which way through the stages is being made, from 1. */
  round = 1;

  readonly #ports: Pick<QueryPorts, "records" | "index">;

  constructor(ports: Pick<QueryPorts, "records" | "index">, signal: AbortSignal | undefined) {
    this.#ports = ports;
    this.#signal = signal;
  }

  readonly timed: Timed = (stage, inputSize, work, tell) => {
    this.goOn();
    const start = performance.now();
    const value = this.#ports.records.still(() => this.#ports.index.still(work));
    const ms = performance.now() - start;
    const { size, detail } = tell(value);
    this.stages.push({ stage, round: this.round, ms, inputSize, outputSize: size, detail });
    return value;
  };

  /** Stages that were not given out yet. */
  *news(): Generator<AskEvent> {
    for (const trace of this.stages.slice(this.#told)) yield { type: "stage", trace };
    this.#told = this.stages.length;
  }

  /** Throws `cancelled` when the question was withdrawn. */
  goOn(): void {
    if (this.#signal?.aborted) throw new UnderstoryError("cancelled", "The question was withdrawn.");
  }

  /** Lets a withdrawal come in: everything between two of these is one piece of synchronous work. */
  async breathe(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.goOn();
  }
}
