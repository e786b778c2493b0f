import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportedRecord, Party } from "#contract";
import { keptOf } from "#main/app/tokens.ts";
import type { TokenReading } from "#main/indexes/ports.ts";
import { schemaVersion } from "#main/indexes/schema.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { recordsMigrations } from "#main/records/schema.ts";
import { openStore } from "#main/records/store.ts";

/**
 * A made-up archive of any size, the same for the same seed: chats with sessions, mails with threads, pictures, events and
 * documents in the lengths that real ones have, of words as frequent as Zipf's law has them. It goes through the store's and
 * the index's own writers; its vectors are sums of the words' random vectors, so that texts of the same words are near, and
 * the states of tokens are their words' vectors. Tokens and words are kept as the product keeps them.
 */

/** Of the generator: another one makes another archive. */
const generator = 4;
export const speedModel = "speed-384";
const dimension = 384;

export function filesOf(folder: string): ArchiveFiles {
  return {
    recordsPath: join(folder, "records.db"),
    indexPath: join(folder, "index.db"),
    mediaPath: join(folder, "media.db"),
    key: new Uint8Array(32).fill(5),
    cipher: "aegis",
  };
}

/** Where the archive of this size lies, whether it is there or not; another schema has another place. */
export function speedFolder(records: number): string {
  const root = new URL("../../.cache/ask-speed", import.meta.url).pathname;
  return join(root, `${records}-g${generator}-r${recordsMigrations.length}-i${schemaVersion}`);
}

export const isMade = (folder: string): boolean => existsSync(join(folder, "made"));

/** Mulberry32: small, fast, the same everywhere. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const vocabularySize = 20_000;
const common =
  "the and to of a in is it you that was for on are with as they be at one have this from had by not but some what there we can out other were all your when up use how said an each she".split(
    " ",
  );

/** Words of two to four syllables; the commonest are English ones, which are stop words. */
export const vocabulary: readonly string[] = (() => {
  const random = seeded(11);
  const [heads, hearts, tails] = [
    "b c d f g h k l m n p r s t v w br cl dr fl gr pl st tr",
    "a e i o u ai ea oo",
    "n r s l t m d nd rt st ck",
  ].map((text) => text.split(" "));
  const pick = (list: readonly string[] | undefined) => list?.[Math.floor(random() * list.length)] ?? "";
  const words = new Set(common);
  while (words.size < vocabularySize) {
    const syllables = 2 + Math.floor(random() * 2.4);
    let word = "";
    for (let at = 0; at < syllables; at++) word += pick(heads) + pick(hearts);
    words.add(word + (random() < 0.6 ? pick(tails) : ""));
  }
  return [...words];
})();

/** Cumulated 1 / rank. */
const zipf = (() => {
  const sums = new Float64Array(vocabularySize);
  let sum = 0;
  for (let at = 0; at < vocabularySize; at++) {
    sum += 1 / (at + 1);
    sums[at] = sum;
  }
  return sums;
})();

export function zipfWord(random: () => number): string {
  const wanted = random() * (zipf[vocabularySize - 1] ?? 1);
  let [low, high] = [0, vocabularySize - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((zipf[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return vocabulary[low] ?? "";
}

export const people: readonly string[] = (() => {
  const random = seeded(23);
  const word = () => {
    const text = vocabulary[200 + Math.floor(random() * 15_000)] ?? "";
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  return Array.from({ length: 160 }, () => `${word()} ${word()}`);
})();

const partyOf = (name: string, role: Party["role"]): Party => ({
  name,
  address: `${name.toLowerCase().replace(" ", ".")}@example.org`,
  role,
  owner: false,
});

const firstDay = Date.UTC(2012, 0, 1);
const days = 12 * 365;

interface Making {
  readonly random: () => number;
  serial: number;
}

function text(making: Making, from: number, to: number): string {
  const { random } = making;
  const length = from + Math.floor(random() ** 2 * (to - from));
  const words: string[] = [];
  let rest = 0;
  for (let at = 0; at < length; at++) {
    const word = zipfWord(random);
    words.push(rest === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word);
    rest = rest === 0 ? 6 + Math.floor(random() * 12) : rest - 1;
    if (rest === 0) words[words.length - 1] += random() < 0.12 ? "?" : ".";
  }
  const end = random();
  if (end < 0.06) words.push(`on ${1 + Math.floor(random() * 28)} July ${2012 + Math.floor(random() * 12)} at 10:30.`);
  else if (end < 0.1) words.push(`costs €${(random() * 900).toFixed(2)}.`);
  else if (end < 0.13) words.push(random() < 0.5 ? "yesterday" : "next Friday");
  return words.join(" ");
}

function blank(making: Making, moment: number): ImportedRecord {
  const serial = making.serial++;
  const local = new Date(moment).toISOString().slice(0, 19);
  return {
    identity: `speed:${serial}`,
    kind: "message",
    nativeId: null,
    subject: null,
    text: null,
    author: null,
    participants: [],
    time: {
      utc: null,
      local,
      offset: null,
      zone: null,
      source: "made",
      precision: "second",
      inferred: false,
      confidence: "normal",
    },
    end: null,
    place: null,
    container: null,
    thread: null,
    sequence: null,
    replyTo: null,
    partOf: null,
    files: [{ path: `made/${serial}`, offset: null, bytes: null, role: null }],
    props: {},
  };
}

const someone = (random: () => number): string => people[Math.floor(random() ** 2 * people.length)] ?? "";

/** One sitting: a stretch of chat, a mail with its answers, a walk with a camera, an event, a document. */
function sitting(making: Making): ImportedRecord[] {
  const { random } = making;
  let moment = firstDay + Math.floor(random() * days) * 86_400_000 + (8 + Math.floor(random() * 13)) * 3_600_000;
  const kind = random();
  const step = (most: number) => {
    moment += 10_000 + Math.floor(random() * most);
    return moment;
  };
  if (kind < 0.35) {
    const chat = Math.floor(random() ** 2 * 60);
    const own = [0, 1, 2].map((at) => people[(chat * 3 + at * 7) % people.length] ?? "");
    return Array.from({ length: 4 + Math.floor(random() * 26) }, () => ({
      ...blank(making, step(180_000)),
      text: text(making, 2, 30),
      author: partyOf(own[Math.floor(random() * 3)] ?? "", "author"),
      container: { key: `chat:${chat}`, title: `Chat ${chat}`, kind: "chat" as const },
    }));
  }
  if (kind < 0.75) {
    const [a, b] = [someone(random), someone(random)];
    const [thread, subject] = [`thread:${making.serial}`, text(making, 2, 7)];
    return Array.from({ length: 1 + Math.floor(random() ** 2 * 5) }, (_, at) => ({
      ...blank(making, step(86_400_000)),
      kind: "email" as const,
      subject: at === 0 ? subject : `Re: ${subject}`,
      text: text(making, 20, 260),
      author: partyOf(at % 2 === 0 ? a : b, "author"),
      participants: [partyOf(at % 2 === 0 ? b : a, "to")],
      thread,
    }));
  }
  if (kind < 0.9) {
    const place = `${people[Math.floor(random() * 40)]?.split(" ")[0] ?? ""} Bay`;
    return Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
      ...blank(making, step(600_000)),
      kind: "photo" as const,
      place: { lat: 40 + random() * 10, lon: random() * 20, alt: null, name: place, confidence: "normal" as const },
      props: { name: `IMG_${making.serial}.jpg` },
    }));
  }
  if (kind < 0.97)
    return [
      {
        ...blank(making, moment),
        kind: "event",
        subject: text(making, 2, 6),
        text: text(making, 3, 20),
        author: partyOf(someone(random), "author"),
      },
    ];
  return [{ ...blank(making, moment), kind: "document", subject: text(making, 2, 6), text: text(making, 200, 900) }];
}

const wordVectors = new Map<string, Float32Array>();

function wordVector(word: string): Float32Array {
  const known = wordVectors.get(word);
  if (known) return known;
  let hash = 2_166_136_261;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 16_777_619);
  const random = seeded(hash);
  // Three uniform numbers are near enough to a normal one.
  const vector = Float32Array.from({ length: dimension }, () => random() + random() + random() - 1.5);
  wordVectors.set(word, vector);
  return vector;
}

const small = new Set(common);

/** Unit vector of a text: its first rarer words' vectors together. */
export function speedVector(text: string): Float32Array {
  const words = (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => !small.has(word)).slice(0, 40);
  const sum = new Float32Array(dimension);
  for (const word of words.length === 0 ? ["nothing"] : words) {
    const vector = wordVector(word);
    for (let at = 0; at < dimension; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/** What an encoder with a state for each token makes of a text. */
export function speedReading(text: string): TokenReading {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const states = new Float32Array(words.length * dimension);
  for (const [at, word] of words.entries()) states.set(wordVector(word), at * dimension);
  return { vector: speedVector(text), words, states };
}

/** Makes the archive where it is not there yet. */
export function makeSpeedArchive(records: number, tell: (line: string) => void): void {
  const folder = speedFolder(records);
  if (isMade(folder)) return;
  const draft = `${folder}.making`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const files = filesOf(draft);
  const store = openStore(files);
  const importId = store.writer.beginImport({ jobId: "speed", roots: ["made"], files: [] });
  const making: Making = { random: seeded(records), serial: 0 };
  let done = 0;
  for (let batch = 0; done < records; batch++) {
    const items: { type: "record"; record: ImportedRecord; cursor: number }[] = [];
    while (items.length < 2_000 && done + items.length < records)
      for (const record of sitting(making)) items.push({ type: "record", record, cursor: items.length });
    items.splice(records - done);
    store.writer.commit({
      importId,
      importer: "made",
      claim: `made-${batch}`,
      items,
      cursor: null,
      done: true,
      checked: true,
    });
    done += items.length;
    if (batch % 20 === 0) tell(`${done} of ${records} records stored`);
  }
  store.close();
  const reader = openRecordReader(files);
  const writer = openIndexWriter(files, reader);
  for (let left = writer.advance(2_000), at = 0; left > 0; left = writer.advance(2_000), at++)
    if (at % 20 === 0) tell(`${left} records and facts to index`);
  writer.setEncoders([{ model: speedModel, forms: ["said"], tokens: true }]);
  for (let rows = writer.pendingEmbeddings(speedModel, 2_000), at = 0; rows.length > 0; at++) {
    writer.putEmbeddings(
      speedModel,
      rows.map(({ chunkId, text: input }) => {
        const { vector, states } = keptOf(speedReading(input));
        return { chunkId, vector, tokens: states };
      }),
    );
    rows = writer.pendingEmbeddings(speedModel, 2_000);
    if (at % 20 === 0) tell(`${(at + 1) * 2_000} chunks embedded`);
  }
  for (let words = writer.pendingWords(speedModel, 2_000); words.length > 0; ) {
    writer.putWords(
      speedModel,
      words.map((word) => ({ word, vector: speedVector(word) })),
    );
    words = writer.pendingWords(speedModel, 2_000);
  }
  writer.close();
  reader.close();
  writeFileSync(join(draft, "made"), "");
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}
