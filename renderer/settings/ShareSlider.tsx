import { useId } from "react";
import { shareMarks, shareWord } from "./words.ts";

const words = {
  label: "Share of the processor",
  hint: "For work in the background only. A question is never held back.",
} as const;

/** How much of the processor background work takes: a slider with words under it. */
export function ShareSlider({
  value,
  error,
  onChange,
}: {
  value: number;
  error: string | null;
  onChange: (share: number) => void;
}) {
  const id = useId();
  const percent = Math.round(value * 100);
  const low = shareMarks[0].share;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {words.label} <span className="quiet">{percent} %</span>
      </label>
      <div className="slider">
        <input
          id={id}
          type="range"
          min={10}
          max={100}
          step={5}
          value={percent}
          aria-valuetext={`${shareWord(value)}, ${percent} percent`}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChange(Number(event.target.value) / 100)}
        />
        <div className="slider__words" aria-hidden="true">
          {shareMarks.map(({ share, word }) => (
            <span
              key={word}
              className={shareWord(value) === word ? "is-now" : undefined}
              style={share < 1 ? { left: `${((share - low) / (1 - low)) * 100}%` } : undefined}
            >
              {word}
            </span>
          ))}
        </div>
      </div>
      <div id={`${id}-note`} className={error ? "field__error" : "field__hint"}>
        {error ?? words.hint}
      </div>
    </div>
  );
}
