import { z } from "zod";

/** Messages of Messenger and Instagram, in both forms that the exports have had, as one. */

/** A text of the export; the older form's mojibake is mended, the end-to-end form is right as it stands. */
type Mend = (text: string) => string;

const text = z.string().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);
const amount = z
  .union([z.number(), z.string().regex(/^-?\d{1,17}$/)])
  .nullish()
  .catch(null);
const list = <T extends z.ZodType>(item: T) => z.array(item.nullable().catch(null)).nullish().catch(null);

const fileSchema = z.object({ uri: z.string() });
const reactionSchema = z.object({ reaction: z.string(), actor: text });
const shareSchema = z.object({ link: text, share_text: text, original_content_owner: text });

const messageSchema = z.object({
  sender_name: text,
  senderName: text,
  timestamp_ms: amount,
  timestamp: amount,
  content: text,
  text: text,
  type: text,
  is_unsent: flag,
  isUnsent: flag,
  missed: flag,
  call_duration: z.number().nonnegative().nullish().catch(null),
  photos: list(fileSchema),
  videos: list(fileSchema),
  audio_files: list(fileSchema),
  gifs: list(fileSchema),
  files: list(fileSchema),
  media: list(fileSchema),
  sticker: fileSchema.nullish().catch(null),
  share: z
    .union([shareSchema, z.array(shareSchema)])
    .nullish()
    .catch(null),
  reactions: list(reactionSchema),
  users: list(z.object({ name: z.string() })),
  plan: z.object({ title: text, location: text, timestamp: amount }).nullish().catch(null),
  poll: z
    .object({ question: text, options: list(z.object({ option: text })) })
    .nullish()
    .catch(null),
});

export interface MetaMessage {
  readonly sender: string | null;
  /** Milliseconds since 1970 as written; sentinels included. */
  readonly ms: number | null;
  readonly content: string | null;
  /** `Generic`, `Call`, `Subscribe` …; only older and end-to-end exports tell it. */
  readonly type: string | null;
  readonly unsent: boolean;
  readonly missed: boolean;
  readonly callSeconds: number | null;
  /** Paths of files as the export writes them. */
  readonly files: readonly string[];
  readonly shares: readonly {
    readonly link: string | null;
    readonly text: string | null;
    readonly owner: string | null;
  }[];
  readonly reactions: readonly { readonly emoji: string; readonly by: string | null }[];
  /** People who were added or who left. */
  readonly users: readonly string[];
  readonly plan: { readonly title: string | null; readonly place: string | null } | null;
  readonly poll: { readonly question: string | null; readonly options: readonly string[] } | null;
}

const present = <T>(items: readonly (T | null)[] | null | undefined): T[] =>
  (items ?? []).filter((item): item is T => item !== null);

/** Milliseconds of a stamp; older exports wrote seconds under `timestamp`. */
function stamp(ms: string | number | null | undefined, either: string | number | null | undefined): number | null {
  if (ms !== null && ms !== undefined) return finite(Number(ms));
  if (either === null || either === undefined) return null;
  const value = Number(either);
  return finite(Math.abs(value) < 1e11 ? value * 1000 : value);
}

const finite = (value: number) => (Number.isFinite(value) ? Math.trunc(value) : null);

/** One message, or null when it is no object. Never throws. */
export function readMessage(value: unknown, mend: Mend): MetaMessage | null {
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success) return null;
  const one = parsed.data;
  const said = (text: string | null | undefined) => (text === null || text === undefined ? null : mend(text));
  const files = [one.photos, one.videos, one.audio_files, one.gifs, one.files, one.media].flatMap(present);
  if (one.sticker) files.push(one.sticker);
  const shares = one.share === null || one.share === undefined ? [] : [one.share].flat();
  return {
    sender: said(one.sender_name ?? one.senderName),
    ms: stamp(one.timestamp_ms, one.timestamp),
    content: said(one.content ?? one.text),
    type: one.type ?? null,
    unsent: one.is_unsent === true || one.isUnsent === true,
    missed: one.missed === true,
    callSeconds: one.call_duration ?? null,
    files: files.map(({ uri }) => mend(uri)),
    shares: shares.map((share) => ({
      link: said(share.link),
      text: said(share.share_text),
      owner: said(share.original_content_owner),
    })),
    reactions: present(one.reactions).map(({ reaction, actor }) => ({ emoji: mend(reaction), by: said(actor) })),
    users: present(one.users).map(({ name }) => mend(name)),
    plan: one.plan ? { title: said(one.plan.title), place: said(one.plan.location) } : null,
    poll: one.poll
      ? {
          question: said(one.poll.question),
          options: present(one.poll.options).flatMap(({ option }) => said(option) ?? []),
        }
      : null,
  };
}

const participantSchema = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);

/** Name of a participant; the end-to-end form writes it as a plain string. */
export function readParticipant(value: unknown): { readonly name: string; readonly plain: boolean } | null {
  const parsed = participantSchema.safeParse(value);
  return parsed.success ? { name: parsed.data, plain: typeof value === "string" } : null;
}
