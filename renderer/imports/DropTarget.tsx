import { useEffect, useState } from "react";
import { navigate } from "../state/route.ts";
import { takeDrop } from "./drop.ts";
import "./imports.css";

const words = {
  title: "Let go to look at it",
  text: "First you see what is in it. Nothing is read in before you say so.",
} as const;

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** The whole window takes files and folders. */
export function DropTarget() {
  const [over, setOver] = useState(false);

  useEffect(() => {
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth++;
      setOver(true);
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const allow = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!event.dataTransfer || !holdsFiles(event)) return;
      event.preventDefault();
      takeDrop(event.dataTransfer);
      navigate({ place: "imports" });
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", allow);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", allow);
      window.removeEventListener("drop", drop);
    };
  }, []);

  return over ? (
    <div className="drop-target" aria-hidden="true">
      <div>
        <div className="drop-target__title">{words.title}</div>
        <div>{words.text}</div>
      </div>
    </div>
  ) : null;
}
