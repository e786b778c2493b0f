import { useEffect } from "react";
import { Button } from "../design/controls.tsx";
import { isOpen, useAsk } from "../state/ask.ts";
import { useConnection } from "../state/connection.ts";
import { counted } from "../state/format.ts";
import { useImporting } from "../state/jobs.ts";
import { navigate, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { threadBefore } from "../state/thread.ts";
import { AnswerPage } from "./AnswerPage.tsx";
import { goAsk, QuestionBox } from "./QuestionBox.tsx";
import "./ask.css";
import "./evidence.css";
import "./conflict.css";
import "./folds.css";

const words = {
  title: "What would you like to know?",
  try: "This archive can answer",
  recent: "Asked before",
  emptyTitle: "There is nothing to ask yet",
  empty: "Bring in some photos, mail or chats first. Drop them anywhere on this window.",
  toImports: "Go to Imports",
  comingTitle: "The first records are being read",
  coming: "As soon as some are in, you can ask. The line at the foot of the window says how far it is.",
} as const;

function QuestionList({ title, questions }: { title: string; questions: readonly string[] }) {
  if (questions.length === 0) return null;
  return (
    <section className="questions">
      <h2>{title}</h2>
      <ul>
        {questions.map((question) => (
          <li key={question}>
            <button type="button" onClick={() => goAsk(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "2009–2024", "2024" */
function years(firstDay: string, lastDay: string): string {
  const [first, last] = [firstDay.slice(0, 4), lastDay.slice(0, 4)];
  return first === last ? first : `${first}–${last}`;
}

/** The room before a question: the box, what can surely be answered, what was asked. */
function Start() {
  const suggestions = useAsk((ask) => ask.suggestions);
  const runs = useAsk((ask) => ask.runs);
  const counts = useSession((session) => session.status?.counts);
  const items = useSession((session) => session.items);
  const records = counts?.records ?? 0;
  const importing = useImporting();

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the first records have come in.
  useEffect(() => void useAsk.getState().loadSuggestions(), [records === 0]);

  return (
    <div className="room">
      <div className="start">
        <h1 className="room__title">{records > 0 ? words.title : importing ? words.comingTitle : words.emptyTitle}</h1>
        {records === 0 && importing ? (
          <p className="quiet">{words.coming}</p>
        ) : records === 0 ? (
          <>
            <p className="quiet">{words.empty}</p>
            <div>
              <Button tone="primary" onClick={() => navigate({ place: "imports" })}>
                {words.toImports}
              </Button>
            </div>
          </>
        ) : (
          <>
            <QuestionBox after={null} />
            {counts?.firstDay && counts.lastDay ? (
              <p className="small quiet">
                {counted(items ?? records, "record")}, {years(counts.firstDay, counts.lastDay)}. All of them on this
                machine.
              </p>
            ) : null}
            <QuestionList
              title={words.recent}
              questions={[...runs.keys()]
                .filter((thread) => threadBefore(thread) === null)
                .reverse()
                .slice(0, 8)}
            />
            <QuestionList title={words.try} questions={(suggestions ?? []).slice(0, 6)} />
          </>
        )}
      </div>
    </div>
  );
}

export function AskRoom() {
  const thread = useRoute((route) => route.params.q);
  const epoch = useConnection((connection) => connection.epoch);

  useEffect(() => {
    if (thread !== undefined && isOpen(thread)) void useAsk.getState().askAgain(thread);
  }, [thread]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a question that lost its connection is asked again on the next one.
  useEffect(() => {
    if (thread === undefined) return;
    const ask = useAsk.getState();
    if (ask.runs.get(thread)?.error?.code === "disconnected") void ask.askAgain(thread);
  }, [epoch]);

  return thread === undefined ? <Start /> : <AnswerPage key={thread} thread={thread} />;
}
