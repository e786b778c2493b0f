/** What one backup says about a message or a call, before anyone decides who is who. */

export interface RawPart {
  readonly type: string;
  readonly name: string | null;
  readonly text: string | null;
  /** Base64, or null when the bytes are not in the file. */
  readonly data: string | null;
  /** Name of the file beside the backup that holds the bytes. */
  readonly file: string | null;
}

export interface RawMessage {
  readonly type: "sms" | "mms";
  /** From 1, in the order of the file. */
  readonly number: number;
  /** Milliseconds since 1970; NaN when it is not told. */
  readonly date: number;
  readonly sent: number;
  /** 1 received, 2 sent, 3 draft, 4 outbox, 5 failed, 6 queued. */
  readonly box: number;
  /** The others of the conversation, as their numbers are written. */
  readonly addresses: readonly string[];
  /** Names for `addresses`, in their order, when there are as many. */
  readonly names: readonly (string | null)[];
  /** Sender and receivers as an MMS lists them; the owner is one of them. */
  readonly from: string | null;
  readonly to: readonly { readonly address: string; readonly role: "to" | "cc" | "bcc" }[];
  readonly subject: string | null;
  readonly body: string | null;
  readonly parts: readonly RawPart[];
  readonly nativeId: string | null;
}

export interface RawCall {
  readonly type: "call";
  readonly number: number;
  readonly date: number;
  /** 1 incoming, 2 outgoing, 3 missed, 4 voicemail, 5 rejected, 6 blocked, 7 answered on another device. */
  readonly kind: number;
  readonly seconds: number;
  readonly address: string | null;
  readonly name: string | null;
}

export type RawEntry = RawMessage | RawCall;

/** `null` and blanks, as the program writes what is not there, as null. */
export function told(value: string | undefined): string | null {
  return value === undefined || value === "" || value === "null" ? null : value;
}

/** A contact's name; "(Unknown)" is none. */
export function nameOf(value: string | undefined): string | null {
  const name = told(value)?.trim() ?? "";
  return name === "" || /^\(?unknown\)?$/i.test(name) || name === "-1" ? null : name.slice(0, 500);
}

/** Numbers of a conversation; the place-holder for the owner's own is left out. */
export function addressesOf(value: string | undefined): string[] {
  const list = (told(value) ?? "").split("~").map((one) => one.trim());
  return list.filter((one) => one !== "" && one !== "insert-address-token" && one !== "null").slice(0, 500);
}

/** Names of `addresses`: as many, else of the only one. Names may hold commas; then they cannot be told apart. */
export function namesOf(value: string | undefined, addresses: readonly string[]): (string | null)[] {
  if (addresses.length === 1) return [nameOf(value)];
  const names = (told(value) ?? "").split(", ");
  return names.length === addresses.length ? names.map((one) => nameOf(one)) : [];
}

/** Milliseconds since 1970 of a date in milliseconds or, as the times of MMS are, in seconds. */
export function instantOf(value: string | undefined): number {
  const number = Number(told(value) ?? Number.NaN);
  return number > 0 && number < 1e11 ? number * 1000 : number;
}

/** Roles of an MMS's addresses (PduHeaders of Android): 137 from, 151 to, 130 cc, 129 bcc. */
export function roleOf(type: string | undefined): "from" | "to" | "cc" | "bcc" | null {
  return type === "137" ? "from" : type === "151" ? "to" : type === "130" ? "cc" : type === "129" ? "bcc" : null;
}
