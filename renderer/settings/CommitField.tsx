import { useEffect, useState } from "react";
import { Field } from "../design/controls.tsx";

/** A line of text that is saved when one leaves it or presses Enter; Esc puts back what was. */
export function CommitField({
  label,
  hint,
  error,
  value,
  placeholder,
  inputMode,
  className = "",
  onCommit,
}: {
  label: string;
  hint: string;
  error: string | null;
  value: string;
  placeholder: string;
  inputMode: "decimal" | "url";
  className?: string;
  onCommit: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  // What was saved, also by another window, takes the place of what stands there.
  useEffect(() => setText(value), [value]);
  const commit = () => {
    if (text.trim() !== value || error) onCommit(text.trim());
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          className={`input ${className}`}
          value={text}
          placeholder={placeholder}
          inputMode={inputMode}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
            else if (event.key === "Escape") setText(value);
          }}
        />
      )}
    </Field>
  );
}
