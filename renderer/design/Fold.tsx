import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import "./fold.css";

/** A part that opens when it is wanted; its content is made when it first opens. */
export function Fold({
  title,
  note,
  open = false,
  children,
}: {
  title: string;
  note: string;
  open?: boolean;
  children: ReactNode;
}) {
  const [seen, setSeen] = useState(open);
  return (
    <details className="fold" open={open} onToggle={() => setSeen(true)}>
      <summary>
        <ChevronRight size={16} aria-hidden />
        <span>{title}</span>
        <span className="quiet small">{note}</span>
      </summary>
      <div className="fold__body">{seen ? children : null}</div>
    </details>
  );
}
