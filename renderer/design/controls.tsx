import { X } from "lucide-react";
import { type ButtonHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import "./controls.css";
import "./check.css";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: "plain" | "primary" | "quiet" | "danger";
  ref?: Ref<HTMLButtonElement>;
};

/** A button with words. One primary a view at most. */
export function Button({ tone = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={`button button--${tone} ${className}`} {...rest} />;
}

/** A button that is only an icon: its label is read out and shown as a tooltip. */
export function IconButton({
  label,
  className = "",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; ref?: Ref<HTMLButtonElement> }) {
  return <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest} />;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  /** Gets what a control needs to be tied to its label, hint and error. */
  children: (control: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode;
}

/** A label, a control, and under it a hint or what is wrong. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        ...(note ? { "aria-describedby": noteId } : {}),
        ...(error ? { "aria-invalid": true as const } : {}),
      })}
      {note ? (
        <div id={noteId} className={error ? "field__error" : "field__hint"}>
          {note}
        </div>
      ) : null}
    </div>
  );
}

/** A small fact in a row of facts; with `onRemove` it can be taken away. */
export function Chip({
  name,
  children,
  on = false,
  onRemove,
  removeLabel,
}: {
  name?: string;
  children: ReactNode;
  on?: boolean;
  onRemove?: (() => void) | undefined;
  removeLabel?: string;
}) {
  return (
    <span className={`chip ${on ? "chip--on" : ""}`}>
      {name ? <span className="chip__name">{name}</span> : null}
      <span>{children}</span>
      {onRemove ? (
        <button type="button" className="chip__remove" aria-label={removeLabel ?? "Remove"} onClick={onRemove}>
          <X size={13} aria-hidden />
        </button>
      ) : null}
    </span>
  );
}

/** A choice of a few, all visible. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { value: T; label: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <fieldset className="segments" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}

/** A yes or no that holds at once, with what it means under it. */
export function Check({
  label,
  hint,
  error,
  checked,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        {...(note ? { "aria-describedby": noteId } : {})}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {note ? (
          <div id={noteId} className={error ? "field__error" : "field__hint"}>
            {note}
          </div>
        ) : null}
      </div>
    </div>
  );
}
