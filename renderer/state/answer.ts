import { useEffect, useRef, useState } from "react";
import type { ErrorShape } from "#contract";
import { shownError } from "./client.ts";

/** What the core answers to a question, asked anew for each `key`; the last answer stays until the next one is there. */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  key: string,
): { answer: T | null; error: ErrorShape | null } {
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<ErrorShape | null>(null);
  const latest = useRef(ask);
  latest.current = ask;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when to ask again.
  useEffect(() => {
    const controller = new AbortController();
    latest.current(controller.signal).then(
      (read) => {
        setAnswer(read);
        setError(null);
      },
      (cause: unknown) => setError(shownError(cause)),
    );
    return () => controller.abort();
  }, [key]);
  return { answer, error };
}
