import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import { useOpening } from "./opening.ts";

export interface MenuItem {
  key: string;
  label: ReactNode;
  note?: ReactNode;
  checked?: boolean;
  onSelect: () => void;
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
  const { open, toEnd, root, trigger, toggle, leave, close } = useOpening(menuWidth);

  useEffect(() => {
    if (open) root.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, [open, root]);

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
    } else if (event.key === "Tab") leave();
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
          toggle();
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
