import { z } from "zod";
import { parseJson } from "../text/json.ts";
import type { Entry } from "../types.ts";
import { readLines } from "../whatsapp/lines.ts";
import { addressesOf, instantOf, nameOf, type RawEntry, type RawMessage, roleOf, told } from "./messages.ts";
import { callOf, partOf } from "./xml.ts";

/** Backups of "SMS Import / Export": one JSON object a line, files of MMS in a folder `data` beside. */

const word = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);
const addressSchema = z.object({ address: word, type: word, __display_name: word }).optional().catch(undefined);
const partSchema = z.object({ ct: word, name: word, fn: word, cl: word, text: word, _data: word, binary_data: word });
const lineSchema = z.object({
  address: word,
  number: word,
  duration: word,
  date: word,
  date_sent: word,
  type: word,
  msg_box: word,
  m_id: word,
  tr_id: word,
  sub: word,
  subject: word,
  body: word,
  __display_name: word,
  name: word,
  __sender_address: addressSchema,
  __recipient_addresses: z.array(addressSchema).optional().catch(undefined),
  __parts: z.array(partSchema).optional().catch(undefined),
});
type Line = z.infer<typeof lineSchema>;

/** The messages and calls of a backup; `onFault` is told of a line that is none. */
export async function* ndjsonEntries(entry: Entry, onFault: () => void): AsyncGenerator<RawEntry> {
  let number = 0;
  for await (const { text } of readLines(entry)) {
    if (text.trim() === "") continue;
    const read = readLine(text.replace(/^\ufeff/, ""), number + 1);
    if (read === null) {
      onFault();
      continue;
    }
    number++;
    yield read;
  }
}

/** One line; null when it is neither a message nor a call. */
export function readLine(text: string, number: number): RawEntry | null {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return null;
  const line = parsed.data;
  if (line.date === undefined) return null;
  if (line.number !== undefined && line.duration !== undefined) {
    const { date, type, duration, number: caller, name } = line;
    return callOf({ date, type, duration, number: caller, name, contact_name: line.__display_name }, number);
  }
  if (line.__parts !== undefined || line.msg_box !== undefined) return mmsOf(line, number);
  return line.address === undefined && line.body === undefined ? null : smsOf(line, number);
}

function smsOf(line: Line, number: number): RawMessage {
  const addresses = addressesOf(line.address);
  return {
    type: "sms",
    number,
    date: instantOf(line.date),
    sent: instantOf(line.date_sent),
    box: Number(told(line.type) ?? 1),
    addresses,
    names: addresses.map(() => nameOf(line.__display_name)),
    from: null,
    to: [],
    subject: told(line.subject),
    body: told(line.body),
    parts: [],
    nativeId: null,
  };
}

function mmsOf(line: Line, number: number): RawMessage {
  const listed = [line.__sender_address, ...(line.__recipient_addresses ?? [])].flatMap((one) => {
    const address = addressesOf(one?.address)[0];
    const role = roleOf(one?.type);
    return one === undefined || address === undefined || role === null
      ? []
      : [{ address, role, name: nameOf(one.__display_name) }];
  });
  const sent = Number(line.msg_box) !== 1;
  const others = listed.filter(({ role }) => (role === "from") !== sent);
  return {
    type: "mms",
    number,
    date: instantOf(line.date),
    sent: instantOf(line.date_sent),
    box: Number(told(line.msg_box) ?? 1),
    addresses: others.map(({ address }) => address),
    names: others.map(({ name }) => name),
    from: listed.find(({ role }) => role === "from")?.address ?? null,
    to: listed.flatMap(({ address, role }) => (role === "from" ? [] : [{ address, role }])),
    subject: told(line.sub),
    body: null,
    parts: (line.__parts ?? []).slice(0, 1000).map(({ binary_data: data, _data, ...part }) => ({
      ...partOf({ ...part, data }),
      file: told(_data)?.split("/").at(-1) ?? null,
    })),
    nativeId: told(line.m_id) ?? told(line.tr_id),
  };
}
