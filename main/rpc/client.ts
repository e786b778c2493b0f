import {
  type CallMethod,
  type Client,
  type Input,
  type Item,
  type Method,
  type Output,
  type StreamMethod,
  UnderstoryError,
} from "#contract";
import { itemSchema, outputSchema } from "./schemas.ts";
import { type ServerMessage, serverMessageSchema, type Transport } from "./wire.ts";

/** The server's answers to one call, in order, waiting to be taken. */
class Answers {
  private readonly queue: (ServerMessage | UnderstoryError)[] = [];
  private wake: (() => void) | null = null;

  push(answer: ServerMessage | UnderstoryError): void {
    this.queue.push(answer);
    this.wake?.();
  }

  async take(): Promise<ServerMessage> {
    while (this.queue.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const answer = this.queue.shift();
    if (answer === undefined) throw new UnderstoryError("internal", "An empty answer queue was read.");
    if (answer instanceof UnderstoryError) throw answer;
    if (answer.t === "error") throw UnderstoryError.fromShape(answer.error);
    return answer;
  }
}

const cancelled = () => new UnderstoryError("cancelled", "The call was cancelled.");

/** A typed client of the contract over any transport. What the server says is parsed before anyone sees it. */
export function createClient(transport: Transport): Client {
  const pending = new Map<number, Answers>();
  let nextId = 1;
  let closed = false;

  transport.onMessage((raw) => {
    const parsed = serverMessageSchema.safeParse(raw);
    if (parsed.success) pending.get(parsed.data.id)?.push(parsed.data);
  });
  transport.onClose(() => {
    closed = true;
    for (const answers of pending.values()) {
      answers.push(
        new UnderstoryError("disconnected", "The connection to Understory's core was lost.", {
          hint: "Nothing is lost. Start Understory again, or reload the window.",
        }),
      );
    }
  });

  /** Sends one request; `finish` must be called, and tells the server to stop when it is not done. */
  function begin(method: Method, input: unknown, signal: AbortSignal | undefined) {
    if (closed) throw new UnderstoryError("disconnected", "The connection to Understory's core is closed.");
    if (signal?.aborted) throw cancelled();
    const id = nextId++;
    const answers = new Answers();
    pending.set(id, answers);
    const abort = () => answers.push(cancelled());
    signal?.addEventListener("abort", abort, { once: true });
    transport.send({ t: "call", id, method, input });
    return {
      answers,
      acknowledge: () => transport.send({ t: "ack", id }),
      finish(complete: boolean) {
        pending.delete(id);
        signal?.removeEventListener("abort", abort);
        if (!complete && !closed) transport.send({ t: "cancel", id });
      },
    };
  }

  return {
    async call<M extends CallMethod>(
      method: M,
      input: Input<M>,
      options: { signal?: AbortSignal } = {},
    ): Promise<Output<M>> {
      const request = begin(method, input, options.signal);
      let complete = false;
      try {
        const answer = await request.answers.take();
        complete = true;
        if (answer.t !== "result") throw new UnderstoryError("internal", `${method} answered with ${answer.t}.`);
        return outputSchema(method).parse(answer.value);
      } catch (error) {
        complete ||= !(error instanceof UnderstoryError && error.code === "cancelled");
        throw error;
      } finally {
        request.finish(complete);
      }
    },

    async *stream<M extends StreamMethod>(
      method: M,
      input: Input<M>,
      options: { signal?: AbortSignal } = {},
    ): AsyncGenerator<Item<M>, void, undefined> {
      const schema = itemSchema(method);
      const request = begin(method, input, options.signal);
      let complete = false;
      try {
        for (;;) {
          const answer = await request.answers.take();
          if (answer.t === "end") {
            complete = true;
            return;
          }
          if (answer.t !== "item") throw new UnderstoryError("internal", `${method} answered with ${answer.t}.`);
          request.acknowledge();
          yield schema.parse(answer.value);
        }
      } finally {
        request.finish(complete);
      }
    },

    close: () => transport.close(),
  };
}
