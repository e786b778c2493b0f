import { parseStamp, stampTime } from "../calendar/values.ts";
import { cleanLine } from "../text/clean.ts";
import { type ContentLine, contentLines, splitEscaped, unescapeText } from "../text/content-lines.ts";
import { civilMs } from "../text/time.ts";
import { birthdayOf, type Channel, distinct, type Person, plainUid } from "./person.ts";

/** vCard 2.1 (versit 1996), 3.0 (RFC 2426) and 4.0 (RFC 6350), mixed as they come in one file. */

const maxLines = 5_000;

/** What a file of cards holds. */
export interface Cards {
  readonly people: Person[];
  /** Groups: their name and the ids of their members. */
  readonly groups: { readonly name: string; readonly members: readonly string[] }[];
  /** Cards that name nobody. */
  readonly empty: number;
}

/** Reads all cards of a file; never throws. A card without an end ends where the next one begins. */
export function cardsOf(bytes: Uint8Array): Cards {
  const people: Person[] = [];
  const groups: Cards["groups"] = [];
  let empty = 0;
  let lines: ContentLine[] | null = null;
  let nested = 0;
  const close = () => {
    if (lines === null) return;
    const card = new Card(lines);
    const group = card.group();
    if (group !== null) groups.push(group);
    else if (card.isEmpty()) empty++;
    else people.push(card.person());
    lines = null;
  };
  for (const line of contentLines(bytes)) {
    const marks = /^\s*VCARD\s*$/i.test(line.value);
    if (line.name === "BEGIN" && marks) {
      // Only a card that stands as the value of AGENT lies inside another one.
      if (lines !== null && lines.at(-1)?.name === "AGENT" && lines.at(-1)?.value.trim() === "") nested++;
      else {
        close();
        lines = [];
      }
    } else if (line.name === "END" && marks) {
      if (nested > 0) nested--;
      else close();
    } else if (nested === 0 && lines !== null && lines.length < maxLines) lines.push(line);
  }
  close();
  return { people, groups, empty };
}

/** Types that say nothing to a person, or that stand in a field of their own. */
const silent = new Set(["pref", "internet", "voice", "msg", "x-internet", "ietf", "text"]);
const words: Readonly<Record<string, string>> = { cell: "mobile", "work,fax": "work fax", iphone: "iPhone" };

class Card {
  readonly #lines: readonly ContentLine[];
  readonly #old: boolean;

  constructor(lines: readonly ContentLine[]) {
    this.#lines = lines;
    this.#old = lines.some(({ name, value }) => name === "VERSION" && value.trim() === "2.1");
  }

  #line(name: string): ContentLine | undefined {
    return this.#lines.find((line) => line.name === name && line.value.trim() !== "");
  }

  #all(...names: string[]): ContentLine[] {
    return this.#lines.filter((line) => names.includes(line.name) && line.value.trim() !== "").slice(0, 1_000);
  }

  /** Version 2.1 escapes separators only: a backslash before a letter is one. */
  #plain(value: string): string {
    return this.#old ? value.replace(/\\([;,:\\])/g, "$1") : unescapeText(value);
  }

  #text(name: string): string | null {
    const line = this.#line(name);
    return line === undefined ? null : cleanLine(this.#plain(line.value).slice(0, 2_000));
  }

  #parts(line: ContentLine | undefined): (string | null)[] {
    return line === undefined
      ? []
      : splitEscaped(line.value, ";").map((part) => cleanLine(this.#plain(part).slice(0, 2_000)));
  }

  isEmpty(): boolean {
    return !this.#lines.some(({ name, value }) => !/^(?:VERSION|PRODID|UID|REV)$/.test(name) && /[^\s;]/.test(value));
  }

  /** KIND:group (RFC 6350 §6.1.4) and Apple's words for it. */
  group(): Cards["groups"][number] | null {
    const kind = this.#text("KIND") ?? this.#text("X-ADDRESSBOOKSERVER-KIND");
    if (kind?.toLowerCase() !== "group") return null;
    const members = this.#all("MEMBER", "X-ADDRESSBOOKSERVER-MEMBER").map(({ value }) => plainUid(value));
    return { name: this.#text("FN") ?? this.#parts(this.#line("N"))[0] ?? "", members };
  }

  person(): Person {
    const [family, given, middle, prefix, suffix] = this.#parts(this.#line("N"));
    const ofParts = [prefix, given, middle, family, suffix].filter((part) => part != null).join(" ");
    const [organisation = null, ...units] = this.#parts(this.#line("ORG"));
    const birthday = this.#line("BDAY");
    const uid = this.#line("UID");
    const revision = parseStamp(this.#line("REV")?.value ?? "");
    const day = birthday && birthdayOf(birthday.value, birthday.params.get("X-APPLE-OMIT-YEAR")?.[0] ?? null);
    return {
      uid: uid === undefined ? null : plainUid(uid.value).slice(0, 900) || null,
      name: this.#text("FN") ?? (ofParts || this.#text("NICKNAME")),
      note:
        this.#all("NOTE")
          .map(({ value }) => this.#plain(value))
          .join("\n\n") || null,
      phones: distinct(this.#channels("TEL"), "phone"),
      emails: distinct(this.#channels("EMAIL"), "email"),
      organisation,
      unit: units.filter((part) => part !== null).join(", ") || null,
      birthday: day ?? null,
      photo: this.#photo(),
      labels: this.#all("CATEGORIES").flatMap(({ value }) =>
        splitEscaped(value, ",")
          .map((one) => cleanLine(this.#plain(one)))
          .filter((label) => label !== null),
      ),
      links: this.#all("URL").map(({ value }) => this.#plain(value).trim().slice(0, 4_000)),
      modified: stampTime(this.#line("REV"), "vcard:REV"),
      revision: revision === null ? 0 : civilMs(revision.civil),
      guessed: this.#lines.some((line) => line.guessed),
      extra: this.#extra(birthday !== undefined && day == null ? birthday.value.slice(0, 200) : null),
    };
  }

  #channels(name: "TEL" | "EMAIL"): Channel[] {
    return this.#all(name).flatMap((line) => {
      const raw = this.#plain(line.value).trim();
      const value = cleanLine(name === "TEL" ? telephone(raw) : raw.replace(/^mailto:/i, "").slice(0, 1_000));
      if (value === null) return [];
      const types = (line.params.get("TYPE") ?? []).flatMap((type) => type.toLowerCase().split(","));
      const order = line.params.get("PREF")?.[0];
      return [{ value, label: this.#label(line, types), preferred: types.includes("pref") || order === "1" }];
    });
  }

  /** What a person called it (`item1.X-ABLabel`; `_$!<Home>!$_` is a built-in word), else what its types say. */
  #label(line: ContentLine, types: readonly string[]): string | null {
    const own =
      line.group !== null &&
      this.#lines.find((other) => other.group === line.group && /^X-ABLABEL$/.test(other.name))?.value;
    if (own)
      return cleanLine(
        this.#plain(own)
          .replace(/^_\$!<(.*)>!\$_$/s, "$1")
          .slice(0, 200),
      );
    const said = [...new Set(types.filter((type) => type !== "" && !silent.has(type)))];
    if (said.length === 0) return null;
    return cleanLine(words[said.join(",")] ?? said.map((type) => words[type] ?? type.replace(/^x-/, "")).join(" "));
  }

  /** MIME type of the picture in the card, by its first bytes, else as it is called; null for an address of one. */
  #photo(): string | null {
    const line = this.#line("PHOTO");
    if (line === undefined) return null;
    const data = /^data:([^,;]*)[^,]*,/i.exec(line.value);
    const link = /^[a-z][a-z0-9+.-]*:\/\//i.test(line.value.trim());
    if (link) return null;
    const code = data === null ? line.value : line.value.slice(data[0].length);
    const head = Buffer.from(code.slice(0, 200).replace(/\s/g, ""), "base64").toString("latin1");
    const sniffed = [...signatures].find(([start]) => head.startsWith(start))?.[1];
    if (sniffed !== undefined) return sniffed;
    if (data?.[1]) return data[1].toLowerCase();
    const type = (line.params.get("TYPE")?.[0] ?? line.params.get("MEDIATYPE")?.[0] ?? "").toLowerCase();
    if (type === "") return "application/octet-stream";
    return type.includes("/") ? type : `image/${type === "jpg" ? "jpeg" : type}`;
  }

  #extra(birthday: string | null): Record<string, unknown> {
    const extra: Record<string, unknown> = {};
    const list = (key: string, values: readonly unknown[]) => {
      if (values.length > 0) extra[key] = values;
    };
    for (const name of ["NICKNAME", "TITLE", "ROLE", "ANNIVERSARY", "X-ANNIVERSARY", "GENDER", "X-MAIDENNAME"]) {
      const text = this.#text(name);
      if (text !== null) extra[name.replace(/^X-/, "").toLowerCase()] = text;
    }
    if (birthday !== null) extra.birthday = birthday;
    list(
      "addresses",
      this.#all("ADR").map((line) => ({
        label: this.#label(
          line,
          (line.params.get("TYPE") ?? []).map((type) => type.toLowerCase()),
        ),
        address: this.#parts(line)
          .filter((part) => part !== null)
          .join(", "),
      })),
    );
    list(
      "handles",
      this.#lines
        .filter(({ name }) =>
          /^(?:IMPP|X-(?:AIM|ICQ|JABBER|MSN|SKYPE(?:-USERNAME)?|YAHOO|QQ|SOCIALPROFILE|GTALK|GOOGLE-TALK))$/.test(name),
        )
        .slice(0, 200)
        .map(({ name, value, params }) => ({
          service: (
            params.get("X-SERVICE-TYPE")?.[0] ??
            params.get("TYPE")?.[0] ??
            name.replace(/^X-/, "")
          ).toLowerCase(),
          handle: cleanLine(this.#plain(value).slice(0, 500)),
        })),
    );
    list(
      "related",
      this.#all("RELATED", "X-ABRELATEDNAMES", "X-SPOUSE").map((line) => ({
        label: this.#label(
          line,
          (line.params.get("TYPE") ?? []).map((type) => type.toLowerCase()),
        ),
        name: cleanLine(this.#plain(line.value).slice(0, 500)),
      })),
    );
    return extra;
  }
}

const signatures = new Map([
  ["\xff\xd8\xff", "image/jpeg"],
  ["\x89PNG", "image/png"],
  ["GIF8", "image/gif"],
  ["RIFF", "image/webp"],
  ["BM", "image/bmp"],
]);

/** `tel:+39-300;ext=5` (RFC 6350 §6.4.1, RFC 3966) as people write it. */
function telephone(raw: string): string {
  if (!/^tel:/i.test(raw)) return raw.slice(0, 200);
  const [number = "", ...params] = raw.slice(4).split(";");
  const extension = params.find((param) => /^ext=/i.test(param))?.slice(4);
  return `${number}${extension === undefined ? "" : ` ext. ${extension}`}`.slice(0, 200);
}
