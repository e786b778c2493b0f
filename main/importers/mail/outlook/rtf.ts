import { decodeText } from "../../text/charset.ts";

/** Unpacked RTF above this is cut. */
const maxRtf = 16 * 1024 * 1024;

/** What the dictionary holds at first (MS-OXRTFCP §2.1.3.1.2). */
const initial =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/** Unpacks compressed RTF (MS-OXRTFCP §3.2). Cut or damaged bytes give what stands before; null for another format. */
export function unpackRtf(packed: Buffer): Buffer | null {
  if (packed.length < 16) return null;
  const size = Math.min(packed.readUInt32LE(4), maxRtf);
  const kind = packed.readUInt32LE(8);
  if (kind === 0x414c454d) return packed.subarray(16, 16 + size);
  if (kind !== 0x75465a4c) return null;
  const dictionary = Buffer.alloc(4096, 0x20);
  let write = dictionary.write(initial, "latin1");
  const out = Buffer.alloc(Math.min(size, packed.length * 16));
  let length = 0;
  const put = (byte: number) => {
    if (length < out.length) out[length++] = byte;
    dictionary[write] = byte;
    write = (write + 1) & 4095;
  };
  for (let at = 16; at < packed.length && length < out.length; ) {
    const control = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(packed[at++] ?? 0);
        continue;
      }
      if (at + 1 >= packed.length) return out.subarray(0, length);
      const reference = packed.readUInt16BE(at);
      at += 2;
      const offset = reference >> 4;
      if (offset === write) return out.subarray(0, length);
      for (let i = 0; i < (reference & 15) + 2; i++) put(dictionary[(offset + i) & 4095] ?? 0);
    }
  }
  return out.subarray(0, length);
}

/** Destinations whose words are no text of the document. */
const hiddenGroups = new Set(
  "fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr listtable listoverridetable rsidtbl generator themedata datastore xmlnstbl latentstyles mmathpr pntext pnseclvl".split(
    " ",
  ),
);

const symbols: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n",
  page: "\n",
  row: "\n",
  cell: "\t",
  tab: "\t",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
};

interface Group {
  /** Nothing in it is shown. */
  hidden: boolean;
  /** Inside `\htmlrtf`: RTF that stands for HTML which is there too. */
  rtfOnly: boolean;
  /** Inside a tag of the HTML that the RTF wraps (`\*\htmltag`). */
  tag: boolean;
  /** Characters that follow `\u` for readers that do not know it. */
  skip: number;
}

/**
 * Text or HTML of RTF. RTF that wraps HTML (`\fromhtml1`, MS-OXRTFEX) gives that HTML back; any other gives plain text.
 */
export function readRtf(rtf: Buffer): { html: string } | { text: string } {
  const source = rtf.toString("latin1");
  const html = /\\fromhtml1?\b/.test(source.slice(0, 1000));
  const codepage = /\\ansicpg(\d{1,5})/.exec(source.slice(0, 2000))?.[1] ?? "1252";
  const charset = codepage === "65001" ? "utf-8" : codepage === "932" ? "shift_jis" : `cp${codepage}`;
  const out: string[] = [];
  let pending: number[] = [];
  const stack: Group[] = [];
  let group: Group = { hidden: false, rtfOnly: false, tag: false, skip: 1 };
  let toSkip = 0;
  const flush = () => {
    if (pending.length > 0) out.push(decodeText(Buffer.from(pending), charset).text);
    pending = [];
  };
  const shown = () => !group.hidden && !(html && group.rtfOnly && !group.tag);
  const put = (text: string) => {
    if (!shown()) return;
    flush();
    out.push(text);
  };
  const pattern = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;
  for (const match of source.matchAll(pattern)) {
    const [, word, number, hex, symbol, brace, plain] = match;
    if (brace === "{") {
      flush();
      // Deep nesting is an attack; its text stays, its groups are one.
      if (stack.length < 10_000) stack.push(group);
      group = { ...group };
    } else if (brace === "}") {
      flush();
      group = stack.pop() ?? group;
    } else if (word !== undefined) {
      const value = number === undefined ? null : Number(number);
      if (word === "u" && value !== null) {
        put(String.fromCharCode(value < 0 ? value + 65_536 : value & 0xffff));
        toSkip = group.skip;
        continue;
      }
      if (word === "uc") group.skip = Math.min(value ?? 1, 8);
      else if (word === "htmltag") {
        group.tag = true;
        group.hidden = !html;
      } else if (word === "htmlrtf") group.rtfOnly = value !== 0;
      else if (word === "bin") group.hidden = true;
      else if (hiddenGroups.has(word)) group.hidden = true;
      else if (symbols[word] !== undefined && !(html && group.rtfOnly)) put(symbols[word]);
    } else if (hex !== undefined) {
      if (toSkip > 0) toSkip--;
      else if (shown()) pending.push(Number.parseInt(hex, 16));
    } else if (symbol !== undefined) {
      if (symbol === "*") group.hidden = true;
      else if (symbol === "~") put("\u00a0");
      else if (symbol === "_") put("-");
      else if (/[\\{}]/.test(symbol)) put(symbol);
    } else if (plain !== undefined) {
      const text = plain.slice(toSkip);
      toSkip = Math.max(0, toSkip - plain.length);
      if (shown()) for (let i = 0; i < text.length; i++) pending.push(text.charCodeAt(i));
    }
  }
  flush();
  const text = out.join("").toWellFormed();
  return html ? { html: text } : { text };
}
