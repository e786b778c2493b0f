const reply = String.raw`\s*(?:re|aw|fwd?|wg)\s*:`;
const replies = new RegExp(`^(?:${reply})+\\s*`, "iu");
const tags = new RegExp(`^(?:${reply}|\\s*\\[[^\\]]*\\])+`, "iu");

/** A subject without what replies and forwarded mails put before it. */
export const bareSubject = (subject: string): string => subject.replace(replies, "");

/** How many characters of a subject are put before it by replies and lists: "Re: [list] [PATCH 06/10]". */
export const taggedLength = (subject: string): number => tags.exec(subject)?.[0].length ?? 0;
