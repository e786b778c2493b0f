import { type PictureTags, sureTag } from "#contract";
import { navigate } from "../state/route.ts";

const words = {
  title: "Seen in the picture",
  note: "a model’s guess",
} as const;

/** How sure the model is, in words: its number is no promise. */
function surety(score: number): string {
  return score >= 0.8 ? "quite sure" : score >= 0.5 ? "likely" : "perhaps";
}

/** What a model sees in a picture; each is a way to search for more of it. */
export function Tags({ tags, cited }: { tags: PictureTags; cited: string | null }) {
  const sure = tags.tags.filter(({ score }) => score >= sureTag);
  if (sure.length === 0) return null;
  return (
    <section className="picture-tags" aria-label={words.title}>
      <h2>
        {words.title} <span className="quiet">{words.note}</span>
      </h2>
      <ul>
        {sure.map(({ label, score }) => (
          <li key={label}>
            <button
              type="button"
              className="chip"
              title={`${surety(score)}, ${words.note}`}
              aria-label={`${label}, ${surety(score)}. Search the library for it`}
              onClick={() => navigate({ place: "library", params: { q: label } })}
            >
              {label === cited ? <mark>{label}</mark> : label}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
