import type { QueryPlan } from "#contract";
import { Chip } from "../design/controls.tsx";
import { kindName, shortDay } from "../state/format.ts";

const words = {
  label: "How the question was understood",
  who: "who",
  when: "when",
  where: "where",
  kind: "kind",
  without: "Ask again without",
} as const;

function windowText({ from, to, text }: QueryPlan["windows"][number]): string {
  const days = from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`;
  return text && text.toLowerCase() !== days.toLowerCase() ? `${text} (${days})` : days;
}

/** Who · when · where · kind. Taking one away asks again without it. */
export function PlanChips({ plan, onChange }: { plan: QueryPlan; onChange: (plan: QueryPlan) => void }) {
  const chips = [
    ...plan.people.map((person) => ({
      name: words.who,
      text: person.name,
      without: { ...plan, people: plan.people.filter((one) => one !== person) },
    })),
    ...plan.windows.map((window) => ({
      name: words.when,
      text: windowText(window),
      without: { ...plan, windows: plan.windows.filter((one) => one !== window) },
    })),
    ...plan.places.map((place) => ({
      name: words.where,
      text: place,
      without: { ...plan, places: plan.places.filter((one) => one !== place) },
    })),
    ...plan.kinds.map((kind) => ({
      name: words.kind,
      text: kindName(kind, true),
      without: { ...plan, kinds: plan.kinds.filter((one) => one !== kind) },
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="plan" aria-label={words.label}>
      {chips.map((chip) => (
        <li key={`${chip.name} ${chip.text}`}>
          <Chip
            name={chip.name}
            removeLabel={`${words.without} ${chip.name}: ${chip.text}`}
            onRemove={() => onChange(chip.without)}
          >
            {chip.text}
          </Chip>
        </li>
      ))}
    </ul>
  );
}
