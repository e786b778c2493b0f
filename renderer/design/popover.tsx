import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import { useOpening } from "./opening.ts";
import "./popover.css";

/** Pixels that the panel takes at most. */
const panelWidth = 240;
/** Its fields are walked by Tab: it closes when the focus leaves it as well. */
const leaving = ["pointerdown", "focusin"] as const;

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
  const { open, toEnd, root, trigger, toggle, close } = useOpening(panelWidth, leaving);

  useEffect(() => {
    if (open) root.current?.querySelector<HTMLElement>("[role=dialog] input")?.focus();
  }, [open, root]);

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
        onClick={toggle}
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
