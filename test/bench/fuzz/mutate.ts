/** Broken inputs out of sound ones. Everything comes from one number, so that any input can be made again. */

/** A generator of whole numbers below a bound (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}

/** What breaks parsers: signs of structure, edges of numbers, hostile names. */
const tokens = [
  "\0",
  "\xff\xfe",
  "\ufeff",
  "\u202e",
  "\n\n",
  "\r",
  "--",
  '"',
  "'",
  "<",
  ">",
  "]]>",
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  "&#xD800;",
  "{",
  "}",
  "[",
  "]",
  "null",
  "NaN",
  "-0",
  "1e999",
  "9223372036854775808",
  "-1",
  "0",
  "\\ud800",
  "../",
  "From ",
  "BEGIN:VEVENT\r\n",
  "END:VCARD\n",
  "=?utf-8?b?////?=",
  'boundary=""',
  "RRULE:FREQ=SECONDLY\r\n",
  "\\u0000",
  "%00",
  "PK\x03\x04",
] as const;

type Mutation = (bytes: Buffer, random: (below: number) => number) => Buffer;

const splice = (bytes: Buffer, at: number, drop: number, put: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]);

const mutations: readonly Mutation[] = [
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let n = 1 + random(8); n > 0; n--) copy[random(copy.length)] = random(256);
    return copy;
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => bytes.subarray(random(bytes.length)),
  (bytes, random) => splice(bytes, random(bytes.length), random(40), Buffer.alloc(0)),
  (bytes, random) => splice(bytes, random(bytes.length), 0, Buffer.from(tokens[random(tokens.length)] ?? "", "utf8")),
  (bytes, random) => {
    const from = random(bytes.length);
    const part = bytes.subarray(from, from + random(300));
    return splice(bytes, random(bytes.length), 0, Buffer.concat(Array.from({ length: 1 + random(60) }, () => part)));
  },
  (bytes, random) => {
    const lines = bytes.toString("latin1").split("\n");
    const [a, b] = [random(lines.length), random(lines.length)];
    [lines[a], lines[b]] = [lines[b] ?? "", lines[a] ?? ""];
    return Buffer.from(lines.join("\n"), "latin1");
  },
  (bytes, random) => {
    const digits = [...bytes.toString("latin1").matchAll(/\d+/g)];
    const one = digits[random(digits.length)];
    const put = ["0", "-1", "99999999999999999999", "4294967295", "1e400", ""][random(6)] ?? "";
    return one ? splice(bytes, one.index, one[0].length, Buffer.from(put)) : bytes;
  },
  (bytes, random) => {
    const [open, close] = (
      [
        ["[", "]"],
        ['{"a":', "}"],
        ["<a>", "</a>"],
        ["> ", ""],
        ["(", ")"],
      ] as const
    )[random(5)] ?? ["[", "]"];
    const deep = 10 ** (1 + random(4));
    return splice(bytes, random(bytes.length), 0, Buffer.from(open.repeat(deep) + close.repeat(random(2) * deep)));
  },
  (bytes) => Buffer.from(bytes.toString("latin1"), "utf16le"),
];

/** One to four mutations, one after the other; never longer than 4 MB. */
export function mutate(content: Uint8Array | string, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(content);
  for (let n = 1 + random(4); n > 0; n--) {
    if (bytes.length === 0) bytes = Buffer.from(tokens[random(tokens.length)] ?? "x");
    bytes = Buffer.from(
      (mutations[random(mutations.length)] ?? ((same) => same))(bytes, random).subarray(0, 4_000_000),
    );
  }
  return bytes;
}
