import { decode, encode } from "@msgpack/msgpack";
import type { Page } from "playwright-core";
import { z } from "zod";
import type { CallMethod, Input, Output } from "#contract";
import { clientMessageSchema, serverMessageSchema } from "#main/rpc/wire.ts";

/** What a call answers instead of the product, from its input; `null` lets the product's own answer through. */
export type Instead = { [M in CallMethod]?: (input: Input<M>) => Output<M> | null };
/** What becomes of the product's answer on its way to the window. */
export type Amended = { [M in CallMethod]?: (answer: Output<M>, input: Input<M>) => Output<M> };

const binary = z.instanceof(Buffer);

/**
 * A window of the real product in which some answers are written by a test: what a machine, a model or a failure would
 * have to bring about. Everything else is the product's own. To be called before the page is opened.
 */
export async function scriptAnswers(
  page: Page,
  instead: Instead,
  amended: Amended = {},
): Promise<{ method: string; input: unknown }[]> {
  const asked: { method: string; input: unknown }[] = [];
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    const server = socket.connectToServer();
    const calls = new Map<number, { method: string; input: unknown }>();
    socket.onMessage((data) => {
      const message = clientMessageSchema.parse(decode(binary.parse(data)));
      if (message.t !== "call") return server.send(data);
      const { id, method, input } = message;
      asked.push({ method, input });
      const value = answerOf(instead, method, input);
      if (value !== null)
        return socket.send(Buffer.from(encode({ t: "result", id, value }, { ignoreUndefined: true })));
      calls.set(id, { method, input });
      server.send(data);
    });
    server.onMessage((data) => {
      const message = serverMessageSchema.parse(decode(binary.parse(data)));
      const call = calls.get(message.id);
      if (message.t !== "result" || !call) return socket.send(data);
      const value = amend(amended, call.method, message.value, call.input);
      socket.send(Buffer.from(encode({ ...message, value }, { ignoreUndefined: true })));
    });
  });
  return asked;
}

type Answer = (input: unknown) => unknown;
type Amend = (answer: unknown, input: unknown) => unknown;

/** The scripts are typed by method where they are written; here a method is only a name that came over the wire. */
function answerOf(instead: Instead, method: string, input: unknown): unknown {
  const script = new Map<string, unknown>(Object.entries(instead)).get(method);
  return isFunction<Answer>(script) ? script(input) : null;
}

function amend(amended: Amended, method: string, answer: unknown, input: unknown): unknown {
  const script = new Map<string, unknown>(Object.entries(amended)).get(method);
  return isFunction<Amend>(script) ? script(answer, input) : answer;
}

function isFunction<F extends (...args: never[]) => unknown>(value: unknown): value is F {
  return typeof value === "function";
}
