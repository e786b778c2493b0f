import { z } from "zod";

/** Sidecars of Google Photos, as an export holds them. Only fields that are used; anything odd in them counts as absent. */

const epochSeconds = z
  .object({ timestamp: z.string().regex(/^-?\d{1,12}$/) })
  .transform((one) => Number(one.timestamp));
const geo = z.object({ latitude: z.number(), longitude: z.number(), altitude: z.number().optional() });

const photoSchema = z.object({
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  photoTakenTime: epochSeconds.nullable().catch(null),
  geoData: geo.nullish().catch(null),
  geoDataExif: geo.nullish().catch(null),
  people: z
    .array(z.object({ name: z.string() }))
    .nullish()
    .catch(null),
  favorited: z.boolean().nullish().catch(null),
  archived: z.boolean().nullish().catch(null),
  trashed: z.boolean().nullish().catch(null),
  /** How it came to Google Photos: `{"fromPartnerSharing": {}}`, `{"mobileUpload": {"deviceType": "ANDROID_PHONE"}}` … */
  googlePhotosOrigin: z.record(z.string(), z.unknown()).nullish().catch(null),
});
/** `photoTakenTime` in seconds since 1970, negative before; 0 stands for "none". */
export type TakeoutPhoto = z.infer<typeof photoSchema>;

const albumSchema = z.object({
  title: z.string().min(1),
  description: z.string().optional().catch(undefined),
  photoTakenTime: z.undefined().optional(),
});
export type TakeoutAlbum = z.infer<typeof albumSchema>;

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes).replace(/^\ufeff/, ""));
  } catch {
    return null;
  }
}

/** A photo's sidecar, or null when the file is something else. */
export function readTakeoutPhoto(bytes: Uint8Array): TakeoutPhoto | null {
  const value = json(bytes);
  if (typeof value !== "object" || value === null || !("photoTakenTime" in value)) return null;
  return photoSchema.safeParse(value).data ?? null;
}

/** An album's metadata file, or null. It is told from a photo's sidecar by having no photoTakenTime. */
export function readTakeoutAlbum(bytes: Uint8Array): TakeoutAlbum | null {
  return albumSchema.safeParse(json(bytes)).data ?? null;
}
