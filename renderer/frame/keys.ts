import { useEffect } from "react";
import { useAsk } from "../state/ask.ts";
import { closePane, navigate, setParams, useRoute } from "../state/route.ts";
import { useUi } from "../state/ui.ts";

/** Id of the question box, which `/` goes to from anywhere. */
export const questionBoxId = "question";

/** Whether a key belongs to a field that the person types in. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select") || target.isContentEditable;
}

function focusQuestion(): void {
  if (useRoute.getState().place !== "ask") navigate({ place: "ask" });
  // The room may still be loading: look a few times, then let it be.
  let tries = 20;
  const look = () => {
    const box = document.getElementById(questionBoxId);
    if (box instanceof HTMLTextAreaElement) {
      box.focus();
      box.select();
    } else if (tries-- > 0) setTimeout(look, 25);
  };
  look();
}

/**
 * One step back: leave the field, stop what runs, stop editing (what was typed is kept), close the pane unless it is
 * pinned, leave a record's page. Dialogues, menus and marks take Esc before this.
 */
function stepBack(event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]")) return;
  const route = useRoute.getState();
  if (isTyping(event.target) && event.target instanceof HTMLElement) event.target.blur();
  else if (useAsk.getState().running && route.place === "ask") useAsk.getState().cancel();
  else if (route.params.edit !== undefined) setParams({ edit: "" }, { replace: true });
  else if (route.params.open !== undefined && !useUi.getState().panePinned) closePane();
  else if (route.place === "record") window.history.back();
}

/** The keys that work everywhere. Each place adds its own. */
export function useKeys(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        useUi.getState().setPalette(true);
      } else if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (event.key === "Escape") stepBack(event);
      else if (event.key === "/" && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
        event.preventDefault();
        focusQuestion();
      }
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
