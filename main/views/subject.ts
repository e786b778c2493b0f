/** A subject without what replies and forwarded mails put before it. */
export const bareSubject = (subject: string): string => subject.replace(/^(?:\s*(?:re|aw|fwd?|wg)\s*:)+\s*/iu, "");
