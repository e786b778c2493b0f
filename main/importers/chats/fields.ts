import { z } from "zod";

/**
 * Fields of strangers' JSON as schemas: what is missing or of another kind is null (or an empty list), so that one odd field
 * does not cost the message it stands in. They are transforms, not unions with a catch: most fields of most messages are
 * missing, and a failure that is caught costs a hundred times what a look at the type does.
 */

const anything = z.unknown().optional();

function digitsOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** Words; a number or truth value in their place is read as its digits or word. */
export const text = anything.transform(digitsOf);

const numeric = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;

/** A finite number, or digits in quotation marks. */
export const number = anything.transform((value): number | null => {
  const read = typeof value === "string" && value.length <= 40 && numeric.test(value) ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : null;
});

/** An id: digits stay digits, however long. */
export const id = anything.transform((value): string | null => {
  const read = typeof value === "boolean" ? null : digitsOf(value);
  return read !== null && read !== "" && read.length <= 500 ? read : null;
});

export const flag = anything.transform((value): boolean => value === true || value === "true" || value === 1);

/** What of a list fits; the rest of it is left out. */
export function list<T extends z.ZodType>(item: T) {
  return anything.transform((items): z.output<T>[] => {
    if (!Array.isArray(items)) return [];
    return items.flatMap((one: unknown) => {
      const read = item.safeParse(one);
      return read.success ? [read.data] : [];
    });
  });
}

/** An object, or null. */
export function object<T extends z.ZodRawShape>(shape: T) {
  const schema = z.object(shape);
  return anything.transform((value): z.output<typeof schema> | null => {
    if (typeof value !== "object" || value === null) return null;
    const read = schema.safeParse(value);
    return read.success ? read.data : null;
  });
}
