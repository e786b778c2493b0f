import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import "./fold.css";

/** A part that opens when it is wanted. */
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
  return (
    <details className="fold" open={open}>
      <summary>
        <ChevronRight size={16} aria-hidden />
        <span>{title}</span>
        <span className="quiet small">{note}</span>
      </summary>
      <div className="fold__body">{children}</div>
    </details>
  );
}
