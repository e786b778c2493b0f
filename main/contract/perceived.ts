import { z } from "zod";

/** Text that a model read in a picture or in frames of a video: a derived view, made again when the picture or the model changes. */
export const pictureTextSchema = z.object({
  /** Model and version that read it. */
  model: z.string(),
  /** Lines in reading order, \n between; a space between those that stand beside each other in one row. Citations of the view `ocr` count in it. */
  text: z.string(),
  lines: z.array(
    z.object({
      /** [start, end) of the line in `text`. */
      start: z.number().int().nonnegative(),
      end: z.number().int().nonnegative(),
      /** Corners x, y in the upright picture, parts of its width and height (0–1), clockwise from where the line begins. */
      quad: z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]),
      /** Mean probability of its characters, 0–1. */
      confidence: z.number().min(0).max(1),
      /** Seconds into a video; null for a picture. */
      at: z.number().nonnegative().nullable(),
    }),
  ),
});
export type PictureText = z.infer<typeof pictureTextSchema>;

/** What a model sees in a picture, best first. */
export const pictureTagsSchema = z.object({
  model: z.string(),
  tags: z.array(z.object({ label: z.string(), score: z.number().min(0).max(1) })),
});
export type PictureTags = z.infer<typeof pictureTagsSchema>;

/**
 * Score from which a label is shown and found by its name. Weaker ones only count together, for a query that several of
 * them mean ("anole", "chameleon", "iguana" for "lizard").
 */
export const sureTag = 0.3;

/** What models found in a record's picture; null: not looked at (yet), or it failed. */
export const perceivedSchema = z.object({
  ocr: pictureTextSchema.nullable(),
  tags: pictureTagsSchema.nullable(),
});
export type Perceived = z.infer<typeof perceivedSchema>;
