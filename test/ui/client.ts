import type { CallMethod, Client, Input, Item, Output, StreamMethod } from "#contract";
import { UnderstoryError } from "#contract";

type Calls = { [M in CallMethod]?: (input: Input<M>, signal: AbortSignal | undefined) => Promise<Output<M>> };
type Streams = { [M in StreamMethod]?: (input: Input<M>, signal: AbortSignal | undefined) => AsyncIterable<Item<M>> };

/** A client whose answers a test writes; every call is kept, and one without an answer is refused. */
export function scriptedClient(
  calls: Calls,
  streams: Streams = {},
): Client & { asked: { method: string; input: unknown }[] } {
  const asked: { method: string; input: unknown }[] = [];
  return {
    asked,
    call(method, input, options) {
      asked.push({ method, input });
      const answer = calls[method];
      if (!answer) return Promise.reject(new UnderstoryError("unknown_method", `No answer for ${method}.`));
      return answer(input, options?.signal);
    },
    stream(method, input, options) {
      asked.push({ method, input });
      const answer = streams[method];
      if (!answer) throw new UnderstoryError("unknown_method", `No answer for ${method}.`);
      return answer(input, options?.signal);
    },
    close() {},
  };
}

/** Never answers; refused as cancelled when the caller gives up. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = () => reject(new UnderstoryError("cancelled", "The call was cancelled."));
    if (signal?.aborted) refuse();
    signal?.addEventListener("abort", refuse, { once: true });
  });
}
