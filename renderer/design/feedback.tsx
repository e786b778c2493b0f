import { CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import type { ErrorShape } from "#contract";
import { type Notice, useUi } from "../state/ui.ts";
import { Button, IconButton } from "./controls.tsx";
import "./feedback.css";

/** What a place says when there is nothing in it yet: what belongs here and how it gets here. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty">
      <h2 className="empty__title">{title}</h2>
      {children ? <div className="empty__text">{children}</div> : null}
      {actions ? <div className="empty__actions">{actions}</div> : null}
    </div>
  );
}

/** What happened, what is safe, what to do next. */
export function ErrorNote({ error, onRetry }: { error: ErrorShape; onRetry?: (() => void) | undefined }) {
  // The window says by itself that the core is not answering, and reads again when it does.
  if (error.code === "disconnected") return null;
  return (
    <div className="error-note" role="alert">
      <CircleAlert size={18} aria-hidden />
      <div>
        <p>{error.message}</p>
        {error.hint ? <p className="quiet">{error.hint}</p> : null}
        {onRetry ? (
          <Button tone="quiet" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** A bar for work whose size is known, a moving one where it is not. `share` is 0–1 or null. */
export function Progress({ label, share }: { label: string; share: number | null }) {
  return share === null ? (
    <progress className="progress" aria-label={label} />
  ) : (
    <progress className="progress" aria-label={label} max={1} value={share} />
  );
}

function NoticeLine({ notice }: { notice: Notice }) {
  const dismiss = useUi((ui) => ui.dismiss);
  return (
    <div className={`notice ${notice.error ? "notice--error" : ""}`}>
      <div className="notice__text">
        {notice.text}
        {notice.error?.hint ? <div className="quiet small">{notice.error.hint}</div> : null}
      </div>
      {notice.action ? (
        <Button
          tone="quiet"
          onClick={() => {
            dismiss(notice.id);
            notice.action?.run();
          }}
        >
          {notice.action.label}
        </Button>
      ) : null}
      <IconButton label="Dismiss" onClick={() => dismiss(notice.id)}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

/** Lines at the foot of the window: what was just done, with the way back. */
export function Notices() {
  const notices = useUi((ui) => ui.notices);
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </div>
  );
}
