import { api, type Handlers, type Method, toErrorShape, UnderstoryError } from "#contract";
import { handlerOf } from "./schemas.ts";
import { clientMessageSchema, type ServerMessage, streamWindow, type Transport } from "./wire.ts";

interface Running {
  readonly controller: AbortController;
  /** Items that may still be sent before the client must take one. */
  credit: number;
  wake: (() => void) | null;
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(api, name);
}

/** The contract says which answers are streams; a promise may well have an iterator too. */
function isStream(method: Method, answer: object): answer is AsyncIterable<unknown> {
  return api[method].type === "stream" && Symbol.asyncIterator in answer;
}

/** Parses what a stranger sent; names the field that is wrong. */
function parseInput(method: Method, input: unknown): unknown {
  const parsed = api[method].input.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue && issue.path.length > 0 ? issue.path.map(String).join(".") : "input";
  throw new UnderstoryError("bad_request", `${method}: ${field}: ${issue?.message ?? "not understood"}`, {
    hint: "Nothing was changed.",
    details: { method, field },
  });
}

/**
 * Serves the contract to one client. When the transport closes, everything the client had running is cancelled.
 * Every call ends in exactly one of result, end or error.
 */
export function serve(handlers: Handlers, transport: Transport): void {
  const running = new Map<number, Running>();
  let open = true;
  const send = (message: ServerMessage) => {
    if (open) transport.send(message);
  };

  async function sendAll(id: number, items: AsyncIterable<unknown>, state: Running): Promise<void> {
    for await (const value of items) {
      if (state.controller.signal.aborted) return;
      while (state.credit === 0 && !state.controller.signal.aborted) {
        await new Promise<void>((resolve) => {
          state.wake = resolve;
        });
      }
      if (state.controller.signal.aborted) return;
      state.credit -= 1;
      send({ t: "item", id, value });
    }
    send({ t: "end", id });
  }

  async function run(id: number, name: string, rawInput: unknown): Promise<void> {
    const state: Running = { controller: new AbortController(), credit: streamWindow, wake: null };
    running.set(id, state);
    try {
      if (!isMethod(name))
        throw new UnderstoryError("unknown_method", `There is no method named ${name.slice(0, 80)}.`);
      const input = parseInput(name, rawInput);
      const answer = handlerOf(handlers, name).call(handlers, input, { signal: state.controller.signal });
      if (isStream(name, answer)) await sendAll(id, answer, state);
      else send({ t: "result", id, value: await answer });
    } catch (error) {
      if (!state.controller.signal.aborted) send({ t: "error", id, error: toErrorShape(error) });
    } finally {
      running.delete(id);
    }
  }

  transport.onMessage((raw) => {
    const parsed = clientMessageSchema.safeParse(raw);
    // A message that is not ours names no call to answer: the sender is broken or hostile, so the line is cut.
    if (!parsed.success) return transport.close();
    const message = parsed.data;
    const state = running.get(message.id);
    if (message.t === "call") {
      if (state) return transport.close();
      void run(message.id, message.method, message.input);
    } else if (message.t === "cancel") {
      state?.controller.abort();
      state?.wake?.();
    } else if (state) {
      state.credit = Math.min(state.credit + 1, streamWindow);
      state.wake?.();
    }
  });
  transport.onClose(() => {
    open = false;
    for (const state of running.values()) {
      state.controller.abort();
      state.wake?.();
    }
  });
}
