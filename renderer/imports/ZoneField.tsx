import type { ImportPlan } from "#contract";
import { Field } from "../design/controls.tsx";

const words = {
  none: "Leave it open",
  label: "Time zone of their clocks",
  archive: "Most of what is in this archive was made there.",
  machine: "That is the zone of this machine.",
} as const;

/** "WhatsApp chat", "WhatsApp chat and Signal chat" */
function listed(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

/** Some sources write the time without its zone: the person says once which it was, or leaves it open. */
export function ZoneField({
  question,
  zone,
  onChange,
}: {
  question: NonNullable<ImportPlan["zoneQuestion"]>;
  zone: string | null;
  onChange: (zone: string | null) => void;
}) {
  const zones = Intl.supportedValuesOf("timeZone");
  const known = zones.includes(question.guess) ? zones : [question.guess, ...zones];
  return (
    <Field
      label={words.label}
      hint={`${listed(question.sources)}: the times in it do not say their zone. ${words[question.basis]} It is kept as an assumption.`}
    >
      {(control) => (
        <select
          {...control}
          className="input import-card__zone"
          value={zone ?? ""}
          onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
        >
          <option value="">{words.none}</option>
          {known.map((one) => (
            <option key={one} value={one}>
              {one.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
