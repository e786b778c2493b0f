import { isMainThread, type MessagePort, type Worker } from "node:worker_threads";
import { errorShapeSchema, toErrorShape, UnderstoryError } from "#contract";

/**
 * Calls between threads of the core: plain functions and async generators on one side, the same shape on the other.
 * Structured clone carries the values, so both ends are our own code and share types; what comes from outside is
 * parsed by `rpc/` before it gets here.
 */

export interface ServiceContext {
  readonly signal: AbortSignal;
}

/** A service: every member takes one input and a context, and gives a promise or an async iterable. */
export type Service<T> = {
  [K in keyof T]: (input: never, context: ServiceContext) => Promise<unknown> | AsyncIterable<unknown>;
};

type InputOf<F> = F extends (input: infer I, ...rest: never[]) => unknown ? I : never;

/** What the other side of a service looks like: the same names, with an optional signal instead of the context. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => AsyncIterable<infer Item>
    ? (input: InputOf<T[K]>, signal?: AbortSignal) => AsyncIterable<Item>
    : T[K] extends (...args: never[]) => Promise<infer Output>
      ? (input: InputOf<T[K]>, signal?: AbortSignal) => Promise<Output>
      : never;
};

type Request =
  | { id: number; type: "call"; name: string; input: unknown }
  | { id: number; type: "abort" }
  /** The consumer asks for one more item: back-pressure, one item in flight a stream. */
  | { id: number; type: "next" }
  /** The thread is to end when its calls have. */
  | { id: 0; type: "quit" };
type Response =
  | { id: number; type: "value"; value: unknown }
  | { id: number; type: "stream" }
  | { id: number; type: "item"; value: unknown }
  | { id: number; type: "end" }
  | { id: number; type: "error"; error: unknown };

/** Bytes in the field `packed` of an input or of a value are moved, not copied: their sender has no use for them any more. */
function movedWith(value: unknown): ArrayBuffer[] {
  if (typeof value !== "object" || value === null || !("packed" in value)) return [];
  const { packed } = value;
  return packed instanceof Uint8Array && packed.buffer instanceof ArrayBuffer ? [packed.buffer] : [];
}

type Endpoint = Pick<MessagePort, "postMessage"> & {
  on(event: "message", listener: (message: unknown) => void): unknown;
};

/** Calls under way in this thread, over all its ports, and how they are stopped. */
const underWay = new Set<() => void>();
let quitting = false;

/** Ends a worker thread when nothing runs in it: native code must never be torn down in the middle of its work. */
function endWhenIdle(): void {
  if (quitting && underWay.size === 0 && !isMainThread) process.exit(0);
}

/** Serves `service` on a port (in a worker: `parentPort`). */
export function exposeService<T extends Service<T>>(port: Endpoint, service: T): void {
  const members: object = service;
  const running = new Map<number, { controller: AbortController; next: (() => void) | null }>();

  async function run(id: number, name: string, input: unknown): Promise<void> {
    const controller = new AbortController();
    const state: { controller: AbortController; next: (() => void) | null } = { controller, next: null };
    running.set(id, state);
    const stop = () => {
      controller.abort();
      state.next?.();
    };
    underWay.add(stop);
    const post = (message: Response) =>
      port.postMessage(message, message.type === "item" ? movedWith(message.value) : []);
    try {
      const member:
        | ((input: unknown, context: ServiceContext) => Promise<unknown> | AsyncIterable<unknown>)
        | undefined = Object.hasOwn(members, name) ? Reflect.get(members, name) : undefined;
      if (member === undefined) throw new UnderstoryError("unknown_method", `This worker has no ${name}.`);
      const result = member(input, { signal: controller.signal });
      if (Symbol.asyncIterator in result) {
        post({ id, type: "stream" });
        for await (const value of result) {
          if (controller.signal.aborted) break;
          const ready = new Promise<void>((resolve) => {
            state.next = resolve;
          });
          post({ id, type: "item", value });
          await ready;
        }
        post({ id, type: "end" });
      } else {
        post({ id, type: "value", value: await result });
      }
    } catch (error) {
      post({ id, type: "error", error: toErrorShape(error) });
    } finally {
      running.delete(id);
      underWay.delete(stop);
      endWhenIdle();
    }
  }

  port.on("message", (message) => {
    const request = message as Request;
    if (request.type === "call") void run(request.id, request.name, request.input);
    else if (request.type === "quit") {
      quitting = true;
      for (const stop of underWay) stop();
      endWhenIdle();
    } else if (request.type === "abort") {
      const state = running.get(request.id);
      state?.controller.abort();
      state?.next?.();
    } else running.get(request.id)?.next?.();
  });
}

/** How long a thread may take to end its calls before it is torn down. */
const quitMs = 20_000;

/** Asks a thread that serves to end: its calls are aborted, awaited, and then it exits. One that hangs is torn down. */
export async function endService(worker: Worker): Promise<void> {
  // A thread that has ended has no id any more.
  if (worker.threadId === -1) return;
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => resolve());
  });
  worker.postMessage({ id: 0, type: "quit" } satisfies Request);
  const timer = setTimeout(() => void worker.terminate(), quitMs);
  await ended;
  clearTimeout(timer);
}

interface Pending {
  resolve(response: Response): void;
}

/** Connects to a service. Every call made when the worker dies, or after, is refused with `worker_crashed`. */
export function connectService<T>(worker: Worker | MessagePort, name: string): Remote<T> {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let dead: UnderstoryError | null = null;
  const endpoint = worker as Endpoint & { on(event: string, listener: (value: unknown) => void): unknown };

  const die = (reason: unknown) => {
    if (dead) return;
    const why = reason instanceof Error ? reason.message : `it ended (${String(reason)})`;
    dead = new UnderstoryError("worker_crashed", `The ${name} worker stopped: ${why}`, {
      hint: "What was committed before is kept. Start the work again.",
    });
    for (const [id, one] of pending) one.resolve({ id, type: "error", error: dead.toShape() });
    pending.clear();
  };
  endpoint.on("message", (message) => {
    const response = message as Response;
    pending.get(response.id)?.resolve(response);
  });
  endpoint.on("error", die);
  endpoint.on("exit", die);
  endpoint.on("close", () => die("closed"));

  const raise = (error: unknown): UnderstoryError => {
    const shape = errorShapeSchema.safeParse(error);
    return shape.success ? UnderstoryError.fromShape(shape.data) : new UnderstoryError("internal", String(error));
  };

  /** One request; responses queue up until they are asked for. */
  function open(member: string, input: unknown, signal: AbortSignal | undefined) {
    const id = nextId++;
    const queue: Response[] = [];
    let wake: (() => void) | null = null;
    pending.set(id, {
      resolve(response) {
        queue.push(response);
        wake?.();
      },
    });
    const abort = () => endpoint.postMessage({ id, type: "abort" } satisfies Request);
    if (dead) pending.get(id)?.resolve({ id, type: "error", error: dead.toShape() });
    else endpoint.postMessage({ id, type: "call", name: member, input } satisfies Request, movedWith(input));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    return {
      async take(): Promise<Response> {
        while (queue.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        wake = null;
        const response = queue.shift();
        if (response === undefined) throw new UnderstoryError("internal", "An empty answer queue was read.");
        if (response.type === "error") throw raise(response.error);
        return response;
      },
      next: () => endpoint.postMessage({ id, type: "next" } satisfies Request),
      abort,
      done() {
        pending.delete(id);
        signal?.removeEventListener("abort", abort);
      },
    };
  }

  /** A member is a call or a stream; which one shows when it is awaited or iterated. */
  const invoke = (member: string) => (input: unknown, signal?: AbortSignal) => {
    const request = open(member, input, signal);
    async function* iterate(): AsyncGenerator<unknown> {
      let ended = false;
      try {
        for (;;) {
          const response = await request.take();
          if (response.type === "end") {
            ended = true;
            return;
          }
          if (response.type !== "item") continue;
          yield response.value;
          request.next();
        }
      } catch (error) {
        ended = true;
        throw error;
      } finally {
        if (!ended) request.abort();
        request.done();
      }
    }
    let answer: Promise<unknown> | null = null;
    const promise = () => {
      answer ??= (async () => {
        try {
          const response = await request.take();
          return response.type === "value" ? response.value : undefined;
        } finally {
          request.done();
        }
      })();
      return answer;
    };
    return {
      // biome-ignore lint/suspicious/noThenProperty: a call is awaited like a promise, a stream is iterated; one object serves both.
      then: (resolve: (value: unknown) => unknown, reject: (reason: unknown) => unknown) =>
        promise().then(resolve, reject),
      catch: (reject: (reason: unknown) => unknown) => promise().catch(reject),
      finally: (settled: () => void) => promise().finally(settled),
      [Symbol.asyncIterator]: iterate,
    };
  };

  const members = new Map<string, ReturnType<typeof invoke>>();
  return new Proxy(
    {},
    {
      get(_target, key) {
        if (typeof key !== "string" || key === "then") return undefined;
        let member = members.get(key);
        if (!member) {
          member = invoke(key);
          members.set(key, member);
        }
        return member;
      },
    },
  ) as Remote<T>;
}
