import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useOpening } from "./opening.ts";
import "./picker.css";

export interface PickerOption {
  key: string;
  label: string;
  note: string;
  /** Searched besides the label, never shown: addresses, other names. */
  also?: readonly string[];
}

/** Pixels that the list takes where there is room. */
const listWidth = 320;
/** Options shown at once; typing narrows the rest. */
const shown = 80;

/** Options that hold every typed word, those whose label begins with the words first; their order is kept otherwise. */
export function matching(options: readonly PickerOption[], typed: string): PickerOption[] {
  const text = typed.trim().toLowerCase();
  if (text === "") return [...options];
  const wanted = text.split(/\s+/);
  const found = options.filter((option) => {
    const all = [option.label, ...(option.also ?? [])].join("\n").toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
  const begins = (option: PickerOption) => option.label.toLowerCase().startsWith(text);
  return [...found.filter(begins), ...found.filter((option) => !begins(option))];
}

/** A button that opens a list that one can search: for choices that are too many for a menu. */
export function Picker({
  label,
  button,
  placeholder,
  none,
  options,
  className = "chip",
  onOpen,
  onChoose,
}: {
  label: string;
  className?: string;
  onOpen?: () => void;
  button: ReactNode;
  placeholder: string;
  /** Said when nothing matches. */
  none: string;
  options: readonly PickerOption[];
  onChoose: (key: string) => void;
}) {
  const { open, toEnd, root, trigger, toggle, leave, close } = useOpening(listWidth);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const found = matching(options, text);
  const visible = found.slice(0, shown);

  useEffect(() => {
    if (open) list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at, open]);

  function choose(option: PickerOption | undefined) {
    if (!option) return;
    close();
    onChoose(option.key);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && visible.length > 0) setAt((at + step + visible.length) % visible.length);
    else if (event.key === "Enter") choose(visible[at]);
    else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") {
      leave();
      return;
    } else return;
    event.preventDefault();
  }

  return (
    <div className="menu" ref={root}>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => {
          if (!open) onOpen?.();
          setText("");
          setAt(0);
          toggle();
        }}
      >
        {button}
      </button>
      {open ? (
        <div className={`menu__list picker ${toEnd ? "menu__list--end" : ""}`} role="dialog" aria-label={label}>
          <input
            className="picker__input"
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={visible[at] ? `${listId}-${at}` : undefined}
            aria-label={placeholder}
            placeholder={placeholder}
            ref={focusOnArrival}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div className="picker__options" id={listId} role="listbox" aria-label={label} ref={list}>
            {visible.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option.
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input.
              <div
                key={option.key}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === at}
                className="menu__item"
                onPointerMove={() => setAt(index)}
                onClick={() => choose(option)}
              >
                <span className="picker__label">{option.label}</span>
                <span className="menu__note">{option.note}</span>
              </div>
            ))}
          </div>
          {found.length === 0 ? <p className="picker__note">{none}</p> : null}
          {found.length > shown ? <p className="picker__note">Type to find the other {found.length - shown}.</p> : null}
        </div>
      ) : null}
    </div>
  );
}

/** Stable, so that it is called once, when the list opens. */
function focusOnArrival(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
}
