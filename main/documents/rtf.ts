import { decodeText } from "#main/importers/text/charset.ts";
import { isoOrNull, type Reading } from "./reading.ts";

/** Depth of groups that no program writes. */
const maxDepth = 512;

/** Groups that hold no text of the document (RTF 1.9.1). */
const passedOver = new Set(
  "fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator pict object objdata themedata datastore latentstyles filetbl xmlnstbl pgptbl wgrffmtfilter mmathPr nonshppict fldinst bkmkstart bkmkend picprop sp template".split(
    " ",
  ),
);
const marks: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n",
  page: "\n",
  tab: "\t",
  cell: "\t",
  nestcell: "\t",
  row: "\n",
  nestrow: "\n",
  emdash: "\u2014",
  endash: "\u2013",
  bullet: "\u2022",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201c",
  rdblquote: "\u201d",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
};
/** Character sets of fonts (`\fcharset`) whose code page is not the document's. */
const charsets: Readonly<Record<number, string>> = {
  0: "windows-1252",
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gbk",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};

interface Group {
  skip: boolean;
  hidden: boolean;
  /** Characters that stand for one `\u` in readers that do not know it. */
  fallback: number;
  charset: string;
  /** Field of the document's properties that is being read. */
  field: "title" | "created" | null;
  inFonts: boolean;
}

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/giy;

/** Rich Text Format 1.9.1: its text, its title and time of making. Pictures, objects and hidden text are left out. */
export async function readRtf(bytes: Uint8Array, reading: Reading): Promise<void> {
  new RtfReader(Buffer.from(bytes).toString("latin1"), reading).read();
}

class RtfReader {
  readonly #text: string;
  readonly #reading: Reading;
  readonly #fonts = new Map<number, string>();
  readonly #stack: Group[] = [];
  #group: Group = { skip: false, hidden: false, fallback: 1, charset: "", field: null, inFonts: false };
  #codePage = "windows-1252";
  #font = 0;
  /** Bytes that wait for the rest of their character. */
  #pending: number[] = [];
  #toSwallow = 0;
  #title = "";
  readonly #created: Record<string, number> = {};

  constructor(text: string, reading: Reading) {
    this.#text = text;
    this.#reading = reading;
  }

  read(): void {
    const { out } = this.#reading;
    token.lastIndex = 0;
    while (token.lastIndex < this.#text.length && !out.full) {
      const match = token.exec(this.#text);
      if (match === null) break;
      const [, word, parameter, hex, symbol, brace, plain] = match;
      if (hex === undefined) this.#flush();
      if (word !== undefined)
        this.#word(word.toLowerCase() === word ? word : "", parameter === undefined ? null : Number(parameter));
      else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (brace === "{") this.#open();
      else if (brace === "}") this.#close();
      else if (plain !== undefined) this.#plain(plain);
    }
    this.#flush();
    this.#reading.title ??= this.#title || null;
    this.#reading.created ??= this.#createdTime();
    if (this.#stack.length > 0 && !out.full) this.#reading.reasons.push("It is cut off");
  }

  #open(): void {
    if (this.#stack.length < maxDepth) this.#stack.push({ ...this.#group });
    else this.#group.skip = true;
  }

  #close(): void {
    this.#toSwallow = 0;
    this.#group = this.#stack.pop() ?? this.#group;
  }

  #say(text: string): void {
    if (this.#group.field === "title") this.#title += this.#title.length < 1000 ? text : "";
    else if (!this.#group.skip && !this.#group.hidden) this.#reading.out.add(text);
  }

  #plain(text: string): void {
    const kept = text.slice(this.#toSwallow);
    this.#toSwallow = Math.max(0, this.#toSwallow - text.length);
    // Bytes above 127 may stand as they are, in the code page of the font.
    this.#say(/[\u0080-\u00ff]/.test(kept) ? this.#decode(Buffer.from(kept, "latin1")) : kept);
  }

  #byte(value: number): void {
    if (this.#toSwallow > 0) this.#toSwallow--;
    else this.#pending.push(value);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Uint8Array.from(this.#pending);
    this.#pending = [];
    this.#say(this.#decode(bytes));
  }

  #decode(bytes: Uint8Array): string {
    return decodeText(bytes, this.#group.charset || this.#codePage).text;
  }

  #symbol(symbol: string): void {
    if (symbol === "*") this.#group.skip = true;
    else if (symbol === "~") this.#say(" ");
    else if (symbol === "_") this.#say("\u2011");
    else if (symbol === "\n" || symbol === "\r") this.#say("\n");
    else if ("\\{}".includes(symbol)) this.#say(symbol);
  }

  #word(word: string, value: number | null): void {
    const group = this.#group;
    if (word === "bin") {
      token.lastIndex = Math.min(this.#text.length, token.lastIndex + Math.max(0, value ?? 0));
    } else if (word === "u" && value !== null) {
      this.#say(String.fromCharCode(value & 0xffff));
      this.#toSwallow = group.fallback;
    } else if (word === "uc") group.fallback = Math.min(16, Math.max(0, value ?? 1));
    else if (word === "ansicpg")
      this.#codePage = value === 65001 ? "utf-8" : value === 10000 ? "macintosh" : `cp${value ?? 1252}`;
    else if (word === "mac") this.#codePage = "macintosh";
    else if (word === "fonttbl") {
      group.inFonts = true;
      group.skip = true;
    } else if (word === "f" && value !== null) {
      this.#font = value;
      if (!group.inFonts) group.charset = this.#fonts.get(value) ?? "";
    } else if (word === "fcharset" && group.inFonts) {
      const charset = charsets[value ?? 1];
      if (charset !== undefined && value !== 0 && this.#fonts.size < 10_000) this.#fonts.set(this.#font, charset);
    } else if (word === "v") group.hidden = value !== 0;
    else if (word === "deleted") group.hidden = value !== 0;
    else if (word === "plain") group.hidden = false;
    else if (word === "info") group.skip = true;
    else if (word === "title" && group.skip) group.field = "title";
    else if (word === "creatim") group.field = "created";
    else if (group.field === "created" && value !== null) this.#created[word] = value;
    else if (passedOver.has(word)) group.skip = true;
    else if (marks[word] !== undefined) this.#say(marks[word] ?? "");
  }

  #createdTime(): string | null {
    const { yr, mo, dy, hr, min, sec } = this.#created;
    if (yr === undefined || mo === undefined || dy === undefined) return null;
    const two = (number: number | undefined) => String(number ?? 0).padStart(2, "0");
    const clock = hr === undefined ? "" : `T${two(hr)}:${two(min)}:${two(sec)}`;
    return isoOrNull(`${String(yr).padStart(4, "0")}-${two(mo)}-${two(dy)}${clock}`);
  }
}
