import type { SourceLocation } from "#contract";
import { sha256 } from "../text/clean.ts";
import { type Entry, limits } from "../types.ts";
import { mimeMessage } from "./body.ts";
import { isCfb } from "./outlook/cfb.ts";
import { outlookMessage } from "./outlook/item.ts";
import { readMsg } from "./outlook/msg.ts";
import { Pst } from "./outlook/pst.ts";
import { isPst, readAtOf } from "./outlook/store.ts";
import { isTnef, readTnef } from "./outlook/tnef.ts";
import type { Message } from "./parts.ts";
import { unquoteFrom } from "./splitter.ts";

/** Messages inside messages that are opened on the way to a part. */
const maxDepth = 10;

function find(message: Message | null, part: string, depth: number): Buffer | null {
  if (message === null || depth > maxDepth) return null;
  const file = message.body.files.find((one) => one.part === part && one.bytes !== null);
  if (file !== undefined) return file.bytes;
  const nested = message.body.messages.find(
    (one) => part.startsWith(`${one.part}.`) || part.startsWith(`${one.part}/`),
  );
  return nested === undefined ? null : find(nested.open(), part, depth + 1);
}

/**
 * The decoded bytes of one file inside a message: what `SourceLocation.part` names. `bytes`: a message as MIME, with or
 * without an mbox separator on top (then its From-quoting is undone), an Outlook message file or winmail.dat. Null when
 * there is no such part. Pure; never throws.
 */
export function partOfMessage(bytes: Uint8Array, part: string): Buffer | null {
  const [first] = readings(bytes, part);
  return first ?? null;
}

/** The part under each way in which the message may have been written. */
function* readings(bytes: Uint8Array, part: string): Generator<Buffer> {
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = function* (one: Message | null) {
    const file = find(one, part, 0);
    if (file !== null) yield file;
  };
  if (isCfb(message) || isTnef(message)) {
    const item = isTnef(message) ? readTnef(message) : readMsg(message);
    yield* found(item === null ? null : outlookMessage(item));
    return;
  }
  const separated = message.toString("latin1", 0, 5) === "From ";
  const body = separated ? message.subarray(message.indexOf(10) + 1) : message;
  if (separated) yield* found(mimeMessage(unquoteFrom(body)));
  // Mailboxes that count bytes do not quote.
  yield* found(mimeMessage(body));
}

/**
 * Opens a file inside a message again, by the place that its record names. Null when it is not there any more, or is not
 * the one with this hash. Throws what the entry throws.
 */
export async function readPart(
  entry: Entry,
  place: Pick<SourceLocation, "offset" | "bytes" | "part">,
  hash: string | null = null,
): Promise<Uint8Array | null> {
  const { offset, bytes, part } = place;
  if (part === undefined) return null;
  const fits = (file: Buffer) => hash === null || sha256(file) === hash;
  if (isPst(await entry.head())) {
    const id = Number(/^\d+/.exec(part)?.[0] ?? 0);
    const pst = await Pst.open(await readAtOf(entry));
    const message = await pst.message(id);
    const file = message === null ? null : find(outlookMessage(message.item, String(id)), part, 0);
    return file !== null && fits(file) ? file : null;
  }
  const whole = offset === null || bytes === null;
  const message = whole ? await entry.readAll(limits.pictureBytes) : await rangeOf(entry, offset, bytes);
  for (const file of readings(message, part)) if (fits(file)) return file;
  return null;
}

async function rangeOf(entry: Entry, offset: number, bytes: number): Promise<Buffer> {
  // Behind the cap of a message stand a separator and a blank line.
  const end = offset + Math.min(bytes, limits.messageBytes + 4_096);
  const pieces: Uint8Array[] = [];
  for await (const piece of entry.stream({ start: offset, end })) pieces.push(piece);
  return Buffer.concat(pieces);
}
