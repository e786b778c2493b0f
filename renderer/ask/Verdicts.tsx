import { Check, History, X } from "lucide-react";
import { type AskResult, type Verdict, verdicts } from "#contract";
import { giveVerdict, markOf, type Target } from "../state/feedback.ts";
import "./verdicts.css";

const words: Readonly<Record<Verdict, string>> = { helpful: "Helpful", wrong: "Wrong", outdated: "Outdated" };
const icons = { helpful: Check, wrong: X, outdated: History } as const;

/** Quiet buttons by which the owner says what an answer, or a record of it, is worth. Pressed again, it is taken back. */
export function Verdicts({ thread, result, target }: { thread: string; result: AskResult; target: Target }) {
  const held = markOf(result, target)?.verdict;
  const about = target === "answer" ? "this answer" : "this record";
  return (
    <fieldset className="verdicts" aria-label={`What you say of ${about}`}>
      {verdicts.map((verdict) => {
        const Icon = icons[verdict];
        return (
          <button
            key={verdict}
            type="button"
            className="verdict"
            aria-pressed={held === verdict}
            title={`${words[verdict]}: ${about}, for questions like this one`}
            onClick={() => void giveVerdict(thread, target, verdict)}
          >
            <Icon size={13} aria-hidden />
            <span>{words[verdict]}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
