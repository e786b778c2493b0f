import type { Container, ImportedRecord, RecordProps, RecordTime, SourceLocation } from "#contract";
import { blankRecord } from "../blank.ts";
import { boundedIdentity } from "../chats/message.ts";
import { cleanLine, cleanText, fieldHash } from "../text/clean.ts";
import { limits } from "../types.ts";

type Contact = NonNullable<RecordProps["contact"]>;
export type Channel = Contact["phones"][number];

/** A card of an address book, whatever format it was written in. */
export interface Person {
  /** As the source writes it, or null. */
  readonly uid: string | null;
  readonly name: string | null;
  readonly note: string | null;
  readonly phones: readonly Channel[];
  readonly emails: readonly Channel[];
  readonly organisation: string | null;
  readonly unit: string | null;
  /** `1985-07-04`, or `--07-04` without a year. */
  readonly birthday: string | null;
  /** MIME type of the picture that the card holds. */
  readonly photo: string | null;
  readonly labels: readonly string[];
  readonly links: readonly string[];
  readonly modified: RecordTime | null;
  /** When it was changed, ms; 0 when the card does not say. Decides between two cards of one person. */
  readonly revision: number;
  readonly guessed: boolean;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A person found, with where it stands. */
export interface Found {
  readonly person: Person;
  readonly container: Container;
  readonly file: SourceLocation;
}

/** Id without the wrapping that a group's members are named with. */
export const plainUid = (uid: string): string => uid.trim().replace(/^urn:uuid:/i, "");

/**
 * `contact:UID`. Small numbers are unique in one address book only, so the name goes with them; without an id the name, the
 * first number and the first address.
 */
export function identityOf({ uid, name, phones, emails }: Person): string {
  if (uid !== null && uid.length > 8) return boundedIdentity(`contact:${uid}`);
  const digits = phones[0]?.value.replace(/[^\d+]/g, "") ?? null;
  const said = uid === null ? [name, digits, emails[0]?.value.toLowerCase() ?? null] : [uid, name];
  return `contact:#${fieldHash(said)}`;
}

/** `19850704`, `1985-07-04T…`, `--0704`, `--07-04`, `7/4/1985` is none (nobody knows its order); null for what is no day. */
export function birthdayOf(text: string, omitted: string | null = null): string | null {
  const match = /^\s*(?:(\d{4})-?|--)(\d{2})-?(\d{2})(?!\d)/.exec(text);
  if (!match) return null;
  const [, year = "", month = "", day = ""] = match;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return null;
  // 1604 is Apple's year for "no year", marked or not; zeros are other programs'.
  const none = year === "" || year === omitted || year === "1604" || year === "0000";
  return none ? `--${month}-${day}` : `${year}-${month}-${day}`;
}

/** Without repeats: numbers by their digits, addresses without case. A preferred one stays preferred. */
export function distinct(channels: readonly Channel[], kind: "phone" | "email"): Channel[] {
  const found = new Map<string, Channel>();
  for (const channel of channels) {
    const key =
      kind === "phone" ? channel.value.replace(/[^\d+*#]/g, "") || channel.value : channel.value.toLowerCase();
    const known = found.get(key);
    if (known === undefined) found.set(key, channel);
    else {
      const label = known.label ?? channel.label;
      found.set(key, { ...known, label, preferred: known.preferred || channel.preferred });
    }
  }
  return [...found.values()].slice(0, 500);
}

/** The record of a person; `earlier` are cards of the same person that this one takes the place of. */
export function recordOf({ person, container, file }: Found, earlier: readonly Found[]): ImportedRecord {
  const { phones, emails, organisation, unit, birthday, photo, labels, links, modified, guessed } = person;
  const older = earlier
    .map((one) => ({
      phones: one.person.phones.map(({ value }) => value).filter((value) => !phones.some((p) => p.value === value)),
      emails: one.person.emails.map(({ value }) => value).filter((value) => !emails.some((e) => e.value === value)),
    }))
    .filter((one) => one.phones.length + one.emails.length > 0);
  const extra = { ...person.extra, ...(older.length > 0 ? { earlier: older.slice(0, 20) } : {}) };
  const note = person.note === null ? null : cleanText(person.note).slice(0, limits.textChars).trim() || null;
  const paths = new Set([file.path]);
  const files = [file];
  for (const one of earlier) {
    if (paths.has(one.file.path)) continue;
    paths.add(one.file.path);
    files.push(one.file);
  }
  const name = person.name ?? person.organisation ?? emails[0]?.value ?? phones[0]?.value ?? null;
  return {
    ...blankRecord(),
    identity: identityOf(person),
    kind: "contact",
    nativeId: person.uid,
    subject: name === null ? null : cleanLine(name.slice(0, 1_000)),
    text: note,
    container,
    files: files.slice(0, 50),
    props: {
      contact: {
        phones: [...phones],
        emails: [...emails],
        organisation,
        unit,
        birthday,
        photo: photo === null ? null : { mime: photo },
      },
      ...(labels.length > 0 ? { labels: [...new Set(labels)].slice(0, 200) } : {}),
      ...(links.length > 0 ? { links: [...new Set(links)].slice(0, 200) } : {}),
      ...(modified ? { modified } : {}),
      ...(guessed ? { flags: ["charset-guessed" as const] } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  };
}
