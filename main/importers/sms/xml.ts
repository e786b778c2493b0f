import { xmlEvents } from "../text/xml.ts";
import type { Entry } from "../types.ts";
import {
  addressesOf,
  instantOf,
  nameOf,
  namesOf,
  type RawEntry,
  type RawMessage,
  type RawPart,
  roleOf,
  told,
} from "./messages.ts";

/** Backups of "SMS Backup & Restore" and of programs that write like it, streamed: one message is in memory. */

type Attributes = Readonly<Record<string, string | undefined>>;

const maxParts = 1000;

interface OpenMms {
  readonly attributes: Attributes;
  readonly parts: RawPart[];
  readonly listed: { address: string; role: "from" | "to" | "cc" | "bcc" }[];
}

/** The messages and calls of a backup, in its order. Throws what `xmlEvents` throws, after all that stood before. */
export async function* xmlEntries(entry: Entry): AsyncGenerator<RawEntry> {
  let mms: OpenMms | null = null;
  let number = 0;
  for await (const event of xmlEvents(entry)) {
    if (event.type === "text") continue;
    const name = event.name.toLowerCase();
    if (event.type === "close") {
      if (name === "mms" && mms !== null) {
        yield mmsOf(mms, ++number);
        mms = null;
      }
      continue;
    }
    const { attributes } = event;
    if (name === "mms") mms = { attributes, parts: [], listed: [] };
    else if (name === "part" && mms !== null && mms.parts.length < maxParts) mms.parts.push(partOf(attributes));
    else if (name === "addr" && mms !== null && mms.listed.length < maxParts) {
      const [role, address] = [roleOf(attributes.type), addressesOf(attributes.address)[0]];
      if (role !== null && address !== undefined) mms.listed.push({ address, role });
    } else if (name === "sms") yield smsOf(attributes, ++number);
    else if (name === "call") yield callOf(attributes, ++number);
  }
}

function smsOf(from: Attributes, number: number): RawMessage {
  const addresses = addressesOf(from.address);
  return {
    type: "sms",
    number,
    date: instantOf(from.date),
    sent: instantOf(from.date_sent),
    box: Number(told(from.type) ?? 1),
    addresses,
    names: namesOf(from.contact_name ?? from.name, addresses),
    from: null,
    to: [],
    subject: told(from.subject),
    body: told(from.body),
    parts: [],
    nativeId: null,
  };
}

function mmsOf({ attributes, parts, listed }: OpenMms, number: number): RawMessage {
  const addresses = addressesOf(attributes.address);
  return {
    type: "mms",
    number,
    date: instantOf(attributes.date),
    sent: instantOf(attributes.date_sent),
    box: Number(told(attributes.msg_box) ?? 1),
    addresses,
    names: namesOf(attributes.contact_name, addresses),
    from: listed.find(({ role }) => role === "from")?.address ?? null,
    to: listed.flatMap(({ address, role }) => (role === "from" ? [] : [{ address, role }])),
    subject: told(attributes.sub),
    body: null,
    parts,
    nativeId: told(attributes.m_id) ?? told(attributes.tr_id),
  };
}

export function partOf(from: Attributes): RawPart {
  return {
    type: (told(from.ct) ?? "").toLowerCase().slice(0, 100),
    name: told(from.name) ?? told(from.fn) ?? told(from.cl),
    text: told(from.text),
    data: told(from.data),
    file: null,
  };
}

export function callOf(from: Attributes, number: number): RawEntry {
  return {
    type: "call",
    number,
    date: instantOf(from.date),
    kind: Number(told(from.type) ?? Number.NaN),
    seconds: Number(told(from.duration) ?? Number.NaN),
    address: callAddress(from.number),
    name: nameOf(from.contact_name ?? from.name),
  };
}

/** Negative numbers stand for callers that are not told: unknown, private, pay phone. */
function callAddress(value: string | undefined): string | null {
  const number = told(value)?.trim() ?? "";
  return number === "" || /^-\d$/.test(number) ? null : number.slice(0, 320);
}
