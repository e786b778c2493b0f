import { z } from "zod";

/**
 * Fields of strangers' JSON as schemas: what is missing or of another kind is null (or an empty list), so that one odd field
 * does not cost the message it stands in.
 */

/** Words; a number or truth value in their place is read as its digits or word. */
export const text = z
  .union([z.string(), z.number(), z.boolean()])
  .transform((value) => String(value))
  .nullable()
  .catch(null);

/** A number, or digits in quotation marks. */
export const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/)
      .transform(Number),
  ])
  .refine(Number.isFinite)
  .nullable()
  .catch(null);

/** An id: digits stay digits, however long. */
export const id = z
  .union([z.string(), z.number()])
  .transform((value) => String(value))
  .refine((value) => value !== "" && value.length <= 500)
  .nullable()
  .catch(null);

export const flag = z
  .union([z.boolean(), z.literal("true").transform(() => true), z.literal(1).transform(() => true)])
  .catch(false);

/** What of a list fits; the rest of it is left out. */
export function list<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items): z.output<T>[] =>
      items.flatMap((one) => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
}

/** An object, or null. */
export function object<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape).nullable().catch(null);
}
