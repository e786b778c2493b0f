import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { leavesWindow } from "./menu.tsx";
import "./popover.css";

/** Pixels that the panel takes at most. */
const panelWidth = 240;

/** A button that opens a small panel with fields. Esc closes it and gives the focus back. */
export function Popover({
  label,
  button,
  className = "chip",
  children,
}: {
  /** What the panel is, read out. */
  label: string;
  button: ReactNode;
  className?: string;
  children: (close: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const [toEnd, setToEnd] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>("[role=dialog] input")?.focus();
    const away = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
    };
  }, [open]);

  function close() {
    setOpen(false);
    trigger.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!open || event.key !== "Escape") return;
    event.stopPropagation();
    close();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for keys that its fields receive.
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={label}
        onClick={() => {
          setToEnd(leavesWindow(trigger.current, panelWidth));
          setOpen(!open);
        }}
      >
        {button}
      </button>
      {open ? (
        <div className={`menu__list popover ${toEnd ? "menu__list--end" : ""}`} role="dialog" aria-label={label}>
          {children(close)}
        </div>
      ) : null}
    </div>
  );
}
