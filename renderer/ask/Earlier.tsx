import { useAsk } from "../state/ask.ts";
import { formatHash } from "../state/route.ts";
import { questionOf, threadBefore } from "../state/thread.ts";

const words = { label: "Asked before in this thread", waiting: "…" } as const;

/** Letters of an earlier answer that are shown: its beginning, as a reminder. */
const shown = 140;

/** The questions that this one goes on from, each with the beginning of its answer; one click goes back to it. */
export function Earlier({ thread }: { thread: string }) {
  const runs = useAsk((ask) => ask.runs);
  const earlier: string[] = [];
  for (let at = threadBefore(thread); at !== null; at = threadBefore(at)) earlier.unshift(at);
  if (earlier.length === 0) return null;
  return (
    <ol className="earlier" aria-label={words.label}>
      {earlier.map((one) => {
        const answer = runs.get(one)?.result?.answer ?? words.waiting;
        return (
          <li key={one}>
            <a href={formatHash({ place: "ask", params: { q: one } })}>
              <span className="earlier__question">{questionOf(one)}</span>
              <span className="earlier__answer">
                {answer.length > shown ? `${answer.slice(0, shown - 1).trimEnd()}…` : answer}
              </span>
            </a>
          </li>
        );
      })}
    </ol>
  );
}
