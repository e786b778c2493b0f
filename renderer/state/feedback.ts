import type { AskResult, FeedbackMark, Verdict } from "#contract";
import { useAsk } from "./ask.ts";
import { client } from "./client.ts";
import { attempt, useUi } from "./ui.ts";

/** What a verdict is about: one record of an answer, or the answer. */
export type Target = number | "answer";

/** The verdict that holds for a target of a result. */
export function markOf(result: AskResult, target: Target): FeedbackMark | undefined {
  const marks = result.feedback ?? [];
  if (target === "answer") {
    // Said of this very answer: all that it cites is marked by it, at this question.
    const cited = citedBy(result);
    return marks.find(
      ({ feedbackId, whole, likeness }) =>
        whole &&
        likeness === 1 &&
        cited.every((id) => marks.some((mark) => mark.feedbackId === feedbackId && mark.recordId === id)),
    );
  }
  return marks.find(({ recordId, whole }) => recordId === target && !whole);
}

function citedBy({ claims }: AskResult): number[] {
  return [...new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)))].slice(0, 50);
}

const said: Readonly<Record<Verdict, string>> = {
  helpful: "Noted as helpful, for questions like this one.",
  wrong: "Noted as wrong, for questions like this one.",
  outdated: "Noted as outdated, for questions like this one.",
};

/** The result of a thread with other marks; a result that has been replaced meanwhile is left alone. */
function remark(thread: string, change: (marks: readonly FeedbackMark[]) => FeedbackMark[]): void {
  useAsk.setState(({ runs }) => {
    const run = runs.get(thread);
    if (!run?.result) return {};
    const feedback = change(run.result.feedback ?? []);
    return { runs: new Map(runs).set(thread, { ...run, result: { ...run.result, feedback } }) };
  });
}

async function takeBack(thread: string, id: number): Promise<boolean> {
  const done = await attempt(() => client().call("ask.takeBackFeedback", { id }));
  if (done) remark(thread, (marks) => marks.filter(({ feedbackId }) => feedbackId !== id));
  return done;
}

/** Says something of an answer or of one of its records; the same again takes it back, something else replaces it. */
export async function giveVerdict(thread: string, target: Target, verdict: Verdict): Promise<void> {
  const result = useAsk.getState().runs.get(thread)?.result;
  if (!result) return;
  const before = markOf(result, target);
  if (before && !(await takeBack(thread, before.feedbackId))) return;
  if (before?.verdict === verdict) return;
  const records = target === "answer" ? citedBy(result) : [target];
  const whole = target === "answer";
  await attempt(async () => {
    const { id } = await client().call("ask.feedback", { plan: result.plan, verdict, records, whole });
    const at = new Date().toISOString();
    remark(thread, (marks) => [
      ...records.map((recordId) => ({ feedbackId: id, recordId, verdict, at, likeness: 1, whole })),
      ...marks,
    ]);
    useUi.getState().notify(said[verdict], { label: "Undo", run: () => void takeBack(thread, id) });
  });
}
