import { ArrowUp } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { IconButton } from "../design/controls.tsx";
import { questionBoxId } from "../frame/keys.ts";
import { useAsk } from "../state/ask.ts";
import { navigate } from "../state/route.ts";
import { threadAfter } from "../state/thread.ts";

const words = {
  label: "Your question",
  first: "Ask about anything you have kept…",
  next: "Ask on, or something else…",
} as const;

/** Asks a question, first or after others, and goes to its page. */
export function goAsk(question: string, after: string | null = null): void {
  const thread = threadAfter(after, question);
  void useAsk.getState().ask(thread);
  navigate({ place: "ask", params: { q: thread } });
}

/** Where questions are typed: a first one, or one after a thread. Enter asks, Shift-Enter breaks the line. */
export function QuestionBox({ after }: { after: string | null }) {
  const first = after === null;
  const [text, setText] = useState("");
  const question = text.trim();

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (question === "") return;
    goAsk(question.slice(0, 10_000), after);
    setText("");
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  }

  return (
    <form className={`question-box ${first ? "question-box--first" : ""}`} onSubmit={submit}>
      <textarea
        id={questionBoxId}
        aria-label={words.label}
        placeholder={first ? words.first : words.next}
        rows={1}
        value={text}
        maxLength={10_000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <kbd>/</kbd>
      <IconButton type="submit" label="Ask" className="question-box__go" disabled={question === ""}>
        <ArrowUp size={18} aria-hidden />
      </IconButton>
    </form>
  );
}
