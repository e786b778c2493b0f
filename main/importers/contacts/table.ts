import { cleanLine, cleanText } from "../text/clean.ts";
import { csvRows } from "../text/csv.ts";
import { birthdayOf, type Channel, distinct, type Person } from "./person.ts";

/**
 * Contacts as a table: Google's CSV in any language of its headers, and Outlook's in English. Google numbers what may
 * come several times, `E-mail 1 - Value`, in every language; what stands before is in a fixed order (observed).
 */

const numbered = /^(.{1,60}?)\s*(\d{1,3})\s*[-–:]\s*(.{1,60})$/;

type Field =
  | "name"
  | "given"
  | "middle"
  | "family"
  | "prefix"
  | "suffix"
  | "nickname"
  | "organisation"
  | "title"
  | "unit"
  | "birthday"
  | "note"
  | "labels";

const english: Readonly<Record<string, Field>> = {
  name: "name",
  "given name": "given",
  "first name": "given",
  "additional name": "middle",
  "middle name": "middle",
  "family name": "family",
  "last name": "family",
  "name prefix": "prefix",
  title: "prefix",
  "name suffix": "suffix",
  suffix: "suffix",
  nickname: "nickname",
  "organization name": "organisation",
  company: "organisation",
  "organization title": "title",
  "job title": "title",
  "organization department": "unit",
  department: "unit",
  birthday: "birthday",
  notes: "note",
  labels: "labels",
  "group membership": "labels",
  categories: "labels",
};

/** Order of Google's unnumbered columns since 2024, and before: by these where the words are of another language. */
const recent: readonly (Field | null)[] = [
  "given",
  "middle",
  "family",
  null,
  null,
  null,
  "prefix",
  "suffix",
  "nickname",
  null,
  "organisation",
  "title",
  "unit",
  "birthday",
  "note",
  null,
  "labels",
];
const former: readonly (Field | null)[] = [
  "name",
  "given",
  "middle",
  "family",
  null,
  null,
  null,
  null,
  "prefix",
  "suffix",
  null,
  "nickname",
  null,
  null,
  "birthday",
];

/** Columns of Outlook that hold a number or an address. */
const channel = /^(?:(e-?mail)(?: \d)? address|(.{0,20}) ?(phone|fax|pager)(?: \d)?)$/i;

interface Layout {
  readonly fields: ReadonlyMap<Field, number>;
  /** Columns of one numbered group, in order. */
  readonly groups: readonly (readonly number[])[];
  readonly single: readonly { readonly column: number; readonly label: string | null; readonly email: boolean }[];
}

/** What the columns of a header mean, or null when it is none of a table of contacts. */
export function layoutOf(header: readonly string[]): Layout | null {
  const groups = new Map<string, number[]>();
  const fields = new Map<Field, number>();
  const single: Layout["single"][number][] = [];
  let lead = 0;
  for (const [column, raw] of header.entries()) {
    const name = raw.replace(/^\ufeff/, "").trim();
    const match = numbered.exec(name);
    if (match) {
      const key = `${match[1]} ${match[2]}`;
      groups.set(key, [...(groups.get(key) ?? []), column]);
      continue;
    }
    if (groups.size === 0) lead++;
    const field = english[name.toLowerCase()];
    if (field !== undefined && !fields.has(field)) fields.set(field, column);
    const found = channel.exec(name);
    if (found)
      single.push({
        column,
        label: found[1] ? null : found[2]?.trim().toLowerCase() || null,
        email: Boolean(found[1]),
      });
  }
  const google = [...groups.values()].some((columns) => columns.length === 2);
  const named = fields.has("name") || fields.has("given") || fields.has("family");
  if (!google && !(named && single.length >= 2)) return null;
  if (!named) {
    const order = lead >= 20 ? former : recent;
    for (const [column, field] of order.entries()) if (field !== null && column < lead) fields.set(field, column);
    if (lead >= 20) {
      fields.set("labels", lead - 1);
      fields.set("note", lead - 4);
    }
  }
  return { fields, groups: [...groups.values()], single };
}

/** Whether a file begins with a header of such a table. */
export function isContactTable(text: string): boolean {
  for (const row of csvRows(text)) return layoutOf(row) !== null;
  return false;
}

const isEmail = (value: string) => /^[^\s@]+@[^\s@]+$/.test(value);
const isPhone = (value: string) =>
  /^[+(]?[\d(][\d\s().\-/\u00a0\u202f\u200e]{3,30}(?:(?:x|ext\.?)\s*\d+)?$/i.test(value) &&
  !/^\d{4}-\d\d-\d\d$/.test(value);

/** People of a table, and how many rows name nobody. */
export function peopleOf(text: string): { people: Person[]; empty: number } {
  const people: Person[] = [];
  let layout: Layout | null = null;
  let empty = 0;
  for (const row of csvRows(text)) {
    if (layout === null) {
      layout = layoutOf(row);
      if (layout === null) break;
      continue;
    }
    const person = personOf(row, layout);
    if (person === null) empty += row.some((cell) => cell.trim() !== "") ? 1 : 0;
    else people.push(person);
  }
  return { people, empty };
}

function personOf(row: readonly string[], { fields, groups, single }: Layout): Person | null {
  const cell = (column: number | undefined) =>
    column === undefined ? null : cleanLine((row[column] ?? "").slice(0, 2_000));
  const field = (name: Field) => cell(fields.get(name));
  const phones: Channel[] = [];
  const emails: Channel[] = [];
  const links: string[] = [];
  const other: { label: string | null; value: string }[] = [];
  for (const columns of groups) {
    const [labelAt, valueAt] = columns;
    if (columns.length !== 2) {
      const filled = columns.map(cell);
      // A group of many columns is a postal address or an organisation; its first column is what it is called.
      if (filled.slice(1).some((one) => one !== null))
        other.push({
          label: filled[0] ?? null,
          value: filled
            .slice(1)
            .filter((one) => one !== null)
            .join(", "),
        });
      continue;
    }
    const label = cell(labelAt);
    // Several values of one label stand in one cell.
    for (const value of (row[valueAt ?? -1] ?? "").split(/\s*:::\s*/).map((one) => cleanLine(one.slice(0, 1_000)))) {
      if (value === null) continue;
      const one = { value, label: label?.replace(/^\*\s*/, "") || null, preferred: label?.startsWith("*") ?? false };
      if (isEmail(value)) emails.push(one);
      else if (isPhone(value)) phones.push(one);
      else if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) links.push(value);
      else other.push({ label: one.label, value });
    }
  }
  for (const { column, label, email } of single) {
    const value = cell(column);
    if (value === null) continue;
    (email ? emails : phones).push({ value, label, preferred: false });
  }
  const parts = (["prefix", "given", "middle", "family", "suffix"] as const).map(field).filter((part) => part !== null);
  const name = field("name") ?? (parts.join(" ") || field("nickname"));
  const noteAt = fields.get("note");
  const note = noteAt === undefined ? null : cleanText(row[noteAt] ?? "").trim() || null;
  if (name === null && phones.length === 0 && emails.length === 0 && field("organisation") === null) return null;
  const extra: Record<string, unknown> = {};
  if (field("title") !== null) extra.title = field("title");
  if (field("nickname") !== null) extra.nickname = field("nickname");
  if (other.length > 0) extra.more = other.slice(0, 100);
  const birthday = field("birthday");
  if (birthday !== null && birthdayOf(birthday) === null) extra.birthday = birthday;
  return {
    uid: null,
    name,
    note,
    phones: distinct(phones, "phone"),
    emails: distinct(emails, "email"),
    organisation: field("organisation"),
    unit: field("unit"),
    birthday: birthday === null ? null : birthdayOf(birthday),
    photo: null,
    labels: (field("labels") ?? "")
      .split(/\s*:::\s*|;/)
      .map((label) => label.trim())
      .filter((label) => label !== "" && !label.startsWith("*")),
    links,
    modified: null,
    revision: 0,
    guessed: false,
    extra,
  };
}
