import { type ReactNode, useState } from "react";
import { type QueryPlan, type RecordKind, recordKinds } from "#contract";
import { Button, Field } from "../design/controls.tsx";
import { Menu } from "../design/menu.tsx";
import { Picker } from "../design/picker.tsx";
import { Popover } from "../design/popover.tsx";
import { count, kindTitle } from "../state/format.ts";
import { useLibrary } from "../state/library.ts";
import { useSession } from "../state/session.ts";

/** What opens from a chip to change it. */

const words = {
  from: "From",
  to: "Until",
  day: "Day",
  place: "Place",
  use: "Use it",
  cancel: "Cancel",
  findPerson: "Find a person…",
  noPerson: "Nobody of that name or address.",
  findWithout: "A person or a kind…",
  none: "Nothing of that name.",
} as const;

type Person = QueryPlan["people"][number];
type Window = QueryPlan["windows"][number];
interface Trigger {
  /** What opening it does, read out. */
  label: string;
  button: ReactNode;
  className?: string;
}

function usePersonOptions() {
  const people = useLibrary((library) => library.people);
  return (people ?? []).map((one) => ({
    key: String(one.id),
    label: one.owner ? `${one.name} (you)` : one.name,
    name: one.name,
    note: count(one.records),
    also: [...one.addresses, ...(one.also ?? [])],
  }));
}

const loadPeople = () => void useLibrary.getState().loadPeople();

export function PersonPicker({ onChoose, ...trigger }: Trigger & { onChoose: (person: Person) => void }) {
  const options = usePersonOptions();
  return (
    <Picker
      {...trigger}
      placeholder={words.findPerson}
      none={words.noPerson}
      options={options}
      onOpen={loadPeople}
      onChoose={(key) => {
        const chosen = options.find((one) => one.key === key);
        if (chosen) onChoose({ personId: Number(key), name: chosen.name });
      }}
    />
  );
}

/** Kinds that the archive holds. */
function useKinds(): RecordKind[] {
  const byKind = useSession((session) => session.status?.counts?.byKind);
  return recordKinds.filter((kind) => kind !== "system" && (byKind?.[kind] ?? 0) > 0);
}

export function KindMenu({
  chosen,
  onChoose,
  ...trigger
}: Trigger & { chosen: readonly RecordKind[]; onChoose: (kind: RecordKind) => void }) {
  const kinds = useKinds();
  return (
    <Menu
      {...trigger}
      items={kinds.map((kind) => ({
        key: kind,
        label: kindTitle(kind, true),
        checked: chosen.includes(kind),
        onSelect: () => onChoose(kind),
      }))}
    />
  );
}

export function WithoutPicker({
  onChoose,
  ...trigger
}: Trigger & { onChoose: (what: { people?: Person[]; kinds?: RecordKind[] }) => void }) {
  const people = usePersonOptions();
  const kinds = useKinds();
  return (
    <Picker
      {...trigger}
      placeholder={words.findWithout}
      none={words.none}
      onOpen={loadPeople}
      options={[
        ...kinds.map((kind) => ({ key: `kind ${kind}`, label: kindTitle(kind, true), note: "" })),
        ...people.map((one) => ({ ...one, key: `person ${one.key}` })),
      ]}
      onChoose={(key) => {
        const kind = kinds.find((one) => key === `kind ${one}`);
        const person = people.find((one) => key === `person ${one.key}`);
        if (kind) onChoose({ kinds: [kind] });
        else if (person) onChoose({ people: [{ personId: Number(person.key), name: person.name }] });
      }}
    />
  );
}

/** A panel with fields and one thing to do. */
function Editor({
  trigger,
  ready,
  onUse,
  children,
}: {
  trigger: Trigger;
  ready: boolean;
  onUse: () => void;
  children: ReactNode;
}) {
  return (
    <Popover {...trigger}>
      {(close) => (
        <form
          className="plan-editor"
          onSubmit={(event) => {
            event.preventDefault();
            if (!ready) return;
            close();
            onUse();
          }}
        >
          {children}
          <div className="popover__foot">
            <Button tone="quiet" onClick={close}>
              {words.cancel}
            </Button>
            <Button type="submit" tone="primary" disabled={!ready}>
              {words.use}
            </Button>
          </div>
        </form>
      )}
    </Popover>
  );
}

function DayField({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="date"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function TimeEditor({
  window,
  onChange,
  ...trigger
}: Trigger & { window: Window | null; onChange: (window: Window) => void }) {
  const counts = useSession((session) => session.status?.counts);
  const [from, setFrom] = useState(window?.from ?? counts?.firstDay ?? "");
  const [to, setTo] = useState(window?.to ?? counts?.lastDay ?? "");
  const ready = from !== "" && to !== "" && from <= to;
  return (
    <Editor trigger={trigger} ready={ready} onUse={() => onChange({ from, to, text: "" })}>
      <div className="popover__fields">
        <DayField label={words.from} value={from} onChange={setFrom} />
        <DayField label={words.to} value={to} onChange={setTo} />
      </div>
    </Editor>
  );
}

export function DayEditor({ day, onChange, ...trigger }: Trigger & { day: string; onChange: (day: string) => void }) {
  const [value, setValue] = useState(day);
  return (
    <Editor trigger={trigger} ready={value !== ""} onUse={() => onChange(value)}>
      <DayField label={words.day} value={value} onChange={setValue} />
    </Editor>
  );
}

export function PlaceEditor({
  place,
  onChange,
  ...trigger
}: Trigger & { place: string; onChange: (place: string) => void }) {
  const [value, setValue] = useState(place);
  return (
    <Editor trigger={trigger} ready={value.trim() !== ""} onUse={() => onChange(value.trim())}>
      <Field label={words.place}>
        {(control) => (
          <input
            {...control}
            className="input"
            maxLength={80}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
    </Editor>
  );
}
