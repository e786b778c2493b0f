import { ChevronDown, CornerDownRight, Plus, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { answerTypes, type QueryPlan } from "#contract";
import { Menu } from "../design/menu.tsx";
import { kindName, shortDay } from "../state/format.ts";
import { DayEditor, KindMenu, PersonPicker, PlaceEditor, TimeEditor, WithoutPicker } from "./PlanEditors.tsx";
import { answeredBy, exclusionsOf, leavingOut, windowGroups, withAsOf, withValue, withWindow } from "./plan-edits.ts";
import { answerWords, excludedText, noteText, sourceName, windowText } from "./plan-words.ts";
import "./plan.css";

const words = {
  label: "How the question was understood",
  who: "who",
  when: "when",
  asOf: "as of",
  where: "where",
  kind: "kind",
  source: "in",
  not: "without",
  answer: "answer",
  change: "Change",
  without: "Ask again without",
  carried: "from the question before",
  understood: "Understood as",
  filter: "Filter",
  person: "Person",
  time: "Time",
  leaveOut: "Without",
} as const;

/** One thing that was understood: its name, its value (which opens what changes it), and a way to do without. */
function PlanChip({
  name,
  carried = false,
  text,
  onRemove,
  children,
}: {
  name: string;
  carried?: boolean;
  text: string;
  onRemove?: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <span className={`chip chip--plan ${carried ? "chip--carried" : ""}`}>
        {carried ? <CornerDownRight size={12} role="img" aria-label={words.carried} /> : null}
        <span className="chip__name">{name}</span>
        {children}
        {onRemove ? (
          <button
            type="button"
            className="chip__remove"
            aria-label={`${words.without} ${name}: ${text}`}
            onClick={onRemove}
          >
            <X size={13} aria-hidden />
          </button>
        ) : null}
      </span>
    </li>
  );
}

/** Who · when · where · kind · without · answer: each can be changed or taken away, others added; then it is asked again. */
export function PlanChips({
  plan,
  asked,
  onChange,
}: {
  plan: QueryPlan;
  /** The question as it was typed. */
  asked: string;
  onChange: (plan: QueryPlan) => void;
}) {
  const [adding, setAdding] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const changed = useRef(false);
  const change = (next: QueryPlan) => {
    changed.current = true;
    setAdding(false);
    onChange(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another plan has come.
  useEffect(() => {
    // The chip that was just used may be gone: whoever works by keyboard goes on here.
    if (changed.current && (document.activeElement === document.body || document.activeElement === null)) {
      add.current?.focus({ preventScroll: true });
    }
    changed.current = false;
  }, [plan]);

  const held = new Set(plan.carried);
  const value = (name: string, text: string) => ({
    label: `${words.change} ${name}: ${text}`,
    className: "chip__value",
    button: text,
  });
  const plus = (text: string) => ({
    label: `Add ${text.toLowerCase()}`,
    className: "chip",
    button: (
      <>
        {text}
        <ChevronDown size={13} aria-hidden />
      </>
    ),
  });
  const groups = windowGroups(plan).filter(({ windows }) => plan.asOf === null || windows[0]?.to !== plan.asOf);

  return (
    <div className="plan-block">
      {plan.carried.length > 0 && plan.question !== asked ? (
        <p className="plan-understood">
          {words.understood} “{plan.question}”
        </p>
      ) : null}
      <ul className="plan" aria-label={words.label}>
        {plan.people.map((person) => (
          <PlanChip
            key={`who ${person.name}`}
            name={words.who}
            text={person.name}
            carried={held.has("people")}
            onRemove={() => change(withValue(plan, "people", person, null))}
          >
            <PersonPicker
              {...value(words.who, person.name)}
              onChoose={(next) => change(withValue(plan, "people", person, next))}
            />
          </PlanChip>
        ))}
        {groups.map((group) => (
          <PlanChip
            key={`when ${group.text} ${group.windows[0]?.from}`}
            name={words.when}
            text={windowText(group)}
            carried={held.has("windows")}
            onRemove={() => change(withWindow(plan, group.windows, null))}
          >
            <TimeEditor
              {...value(words.when, windowText(group))}
              window={group.windows[0] ?? null}
              onChange={(window) => change(withWindow(plan, group.windows, window))}
            />
          </PlanChip>
        ))}
        {plan.asOf !== null ? (
          <PlanChip
            key="as of"
            name={words.asOf}
            text={shortDay(plan.asOf)}
            onRemove={() => change(withAsOf(plan, null))}
          >
            <DayEditor
              {...value(words.asOf, shortDay(plan.asOf))}
              day={plan.asOf}
              onChange={(day) => change(withAsOf(plan, day))}
            />
          </PlanChip>
        ) : null}
        {plan.places.map((place) => (
          <PlanChip
            key={`where ${place}`}
            name={words.where}
            text={place}
            carried={held.has("places")}
            onRemove={() => change(withValue(plan, "places", place, null))}
          >
            <PlaceEditor
              {...value(words.where, place)}
              place={place}
              onChange={(next) => change(withValue(plan, "places", place, next))}
            />
          </PlanChip>
        ))}
        {plan.kinds.map((kind) => (
          <PlanChip
            key={`kind ${kind}`}
            name={words.kind}
            text={kindName(kind, true)}
            carried={held.has("kinds")}
            onRemove={() => change(withValue(plan, "kinds", kind, null))}
          >
            <KindMenu
              {...value(words.kind, kindName(kind, true))}
              chosen={plan.kinds}
              onChoose={(next) => change(withValue(plan, "kinds", kind, next))}
            />
          </PlanChip>
        ))}
        {plan.sources.length > 0 ? (
          <PlanChip
            key="in"
            name={words.source}
            text={plan.sources.map(sourceName).join(", ")}
            carried={held.has("sources")}
            onRemove={() => change({ ...plan, sources: [] })}
          >
            <span>{plan.sources.map(sourceName).join(", ")}</span>
          </PlanChip>
        ) : null}
        {exclusionsOf(plan).map(({ part, value: what, without }) => {
          const text = excludedText(part, what);
          return (
            <PlanChip
              key={`${part} ${what}`}
              name={words.not}
              text={text}
              carried={held.has("excluded")}
              onRemove={() => change(without)}
            >
              <span>{text}</span>
            </PlanChip>
          );
        })}
        <PlanChip key="answer" name={words.answer} text={answerWords[plan.answerType]} carried={held.has("answerType")}>
          <Menu
            {...value(words.answer, answerWords[plan.answerType])}
            items={answerTypes.map((type) => ({
              key: type,
              label: answerWords[type],
              checked: type === plan.answerType,
              onSelect: () => change(answeredBy(plan, type)),
            }))}
          />
        </PlanChip>
        <li>
          <button
            ref={add}
            type="button"
            className="chip chip--add"
            aria-expanded={adding}
            onClick={() => setAdding(!adding)}
          >
            <Plus size={13} aria-hidden />
            {words.filter}
          </button>
        </li>
        {adding ? (
          <>
            <li>
              <PersonPicker
                {...plus(words.person)}
                onChoose={(person) => change(withValue(plan, "people", null, person))}
              />
            </li>
            <li>
              <TimeEditor
                {...plus(words.time)}
                window={null}
                onChange={(window) => change(withWindow(plan, null, window))}
              />
            </li>
            <li>
              <KindMenu
                {...plus("Kind")}
                chosen={plan.kinds}
                onChoose={(kind) => {
                  const chosen = plan.kinds.includes(kind);
                  change(withValue(plan, "kinds", chosen ? kind : null, chosen ? null : kind));
                }}
              />
            </li>
            <li>
              <WithoutPicker {...plus(words.leaveOut)} onChoose={(what) => change(leavingOut(plan, what))} />
            </li>
          </>
        ) : null}
      </ul>
      {plan.notes.length > 0 ? (
        <ul className="plan-notes">
          {plan.notes.map((note) => (
            <li key={`${note.code} ${note.text}`}>{noteText(note)}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
