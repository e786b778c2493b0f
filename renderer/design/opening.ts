import { useEffect, useRef, useState } from "react";

/** Whether a list of `width` pixels that begins where its button does would leave the window at the right. */
function leavesWindow(button: Element | null, width: number): boolean {
  return (button?.getBoundingClientRect().left ?? 0) + width + 12 > window.innerWidth;
}

type Leaving = "pointerdown" | "focusin";
const pressed: readonly Leaving[] = ["pointerdown"];

/**
 * What a button opens beside itself: a menu, a list, a panel of about `width` pixels. It closes when a person turns to
 * something else (`leaving`: by which events that is seen), and `close` gives the focus back to the button. `toEnd`: it
 * has to end where the button does, for there is no room to the right.
 */
export function useOpening(width: number, leaving: readonly Leaving[] = pressed) {
  const [open, setOpen] = useState(false);
  const [toEnd, setToEnd] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    for (const name of leaving) document.addEventListener(name, away);
    return () => {
      for (const name of leaving) document.removeEventListener(name, away);
    };
  }, [open, leaving]);

  return {
    open,
    toEnd,
    root,
    trigger,
    toggle() {
      setToEnd(leavesWindow(trigger.current, width));
      setOpen(!open);
    },
    /** Closes it where the focus has gone on by itself. */
    leave: () => setOpen(false),
    close() {
      setOpen(false);
      trigger.current?.focus();
    },
  };
}
