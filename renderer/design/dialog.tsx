import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "./controls.tsx";
import "./dialog.css";

/**
 * A modal on the browser's own dialog: the focus stays inside, the rest of the window is inert, Esc closes,
 * and the focus goes back to where it was.
 */
export function Dialog({
  label,
  className = "",
  onClose,
  children,
}: {
  label: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const before = useRef<Element | null>(null);

  useEffect(() => {
    const dialog = ref.current;
    before.current = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (before.current instanceof HTMLElement) before.current.focus();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for leaving a dialog is Esc, handled by onCancel.
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className="dialog__inside">{children}</div>
    </dialog>
  );
}

/** A dialogue with a title, a body and a row of buttons. */
export function AskDialog({
  title,
  onClose,
  children,
  actions,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  actions: ReactNode;
}) {
  return (
    <Dialog label={title} className="dialog--ask" onClose={onClose}>
      <header className="dialog__head">
        <h2>{title}</h2>
        <IconButton label="Close" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </header>
      <div className="dialog__body">{children}</div>
      <footer className="dialog__foot">{actions}</footer>
    </Dialog>
  );
}
