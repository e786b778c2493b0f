import { Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../design/controls.tsx";
import { EmptyState } from "../design/feedback.tsx";
import { useConnection } from "../state/connection.ts";

const words = {
  lost: "Understory’s core is not answering.",
  safe: "What was saved is safe. This window connects again by itself.",
  stranger: "Understory was started anew. Open this window again from its launcher or its link.",
  now: "Try now",
  title: "Understory cannot be reached",
  start: "Its core is not running, or is just starting. This window opens by itself as soon as it answers.",
} as const;

/** A short break mends itself before anyone needs to read about it. */
const patienceMs = 600;

/** One calm line while the core is not there. What is on screen stays and can still be read. */
export function ConnectionLine() {
  const lost = useConnection((connection) => connection.state === "lost");
  const stranger = useConnection((connection) => connection.stranger);
  const retry = useConnection((connection) => connection.retry);
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (!lost) {
      setTold(false);
      return;
    }
    const timer = setTimeout(() => setTold(true), patienceMs);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div className="connection-line" role="status">
      {told ? (
        <div className="connection-line__inside">
          <Unplug size={16} strokeWidth={1.75} aria-hidden />
          <span>
            <strong>{words.lost}</strong> {stranger ? words.stranger : words.safe}
          </span>
          <Button tone="quiet" onClick={retry}>
            {words.now}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** The first connection could not be made yet. */
export function Unreachable() {
  const stranger = useConnection((connection) => connection.stranger);
  const retry = useConnection((connection) => connection.retry);
  return (
    <main>
      <h1 className="visually-hidden">Understory</h1>
      <EmptyState title={words.title} actions={<Button onClick={retry}>{words.now}</Button>}>
        <p>{stranger ? words.stranger : words.start}</p>
      </EmptyState>
    </main>
  );
}
