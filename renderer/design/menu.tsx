import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

export interface MenuItem {
  key: string;
  label: ReactNode;
  note?: ReactNode;
  checked?: boolean;
  onSelect: () => void;
}

/** Whether a list of `width` pixels that begins where its button does would leave the window at the right. */
export function leavesWindow(button: Element | null, width: number): boolean {
  return (button?.getBoundingClientRect().left ?? 0) + width + 12 > window.innerWidth;
}

/** Pixels that a menu takes at least. */
const menuWidth = 200;

/** A button that opens a short list of choices. Arrows move, Enter chooses, Esc closes and gives the focus back. */
export function Menu({
  label,
  button,
  items,
  className = "chip",
  onOpen,
}: {
  label: string;
  button: ReactNode;
  items: readonly MenuItem[];
  className?: string;
  onOpen?: () => void;
}) {
  const [open, setOpen] = useState(false);
  const [toEnd, setToEnd] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open]);

  function close() {
    setOpen(false);
    trigger.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!open) return;
    const all = [...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = all.findIndex((item) => item.matches(":focus"));
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      all[(at + step + all.length) % all.length]?.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") setOpen(false);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for keys that its buttons receive.
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onClick={() => {
          if (!open) onOpen?.();
          setToEnd(leavesWindow(trigger.current, menuWidth));
          setOpen(!open);
        }}
      >
        {button}
      </button>
      {open ? (
        <div className={`menu__list ${toEnd ? "menu__list--end" : ""}`} role="menu" aria-label={label}>
          {items.map((item) => (
            <button
              key={item.key}
              type="button"
              tabIndex={-1}
              className="menu__item"
              {...(item.checked === undefined
                ? { role: "menuitem" }
                : { role: "menuitemcheckbox", "aria-checked": item.checked })}
              onClick={() => {
                close();
                item.onSelect();
              }}
            >
              <span>
                {item.checked === undefined ? "" : item.checked ? "✓ " : "   "}
                {item.label}
              </span>
              {item.note ? <span className="menu__note">{item.note}</span> : null}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
