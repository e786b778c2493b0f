import type { RecordTime, StoredRecord } from "#contract";
import { bytes, moment } from "../state/format.ts";

/** One line of "what is known about it". */
export interface Fact {
  name: string;
  value: string;
}

const timeSources: readonly (readonly [RegExp, string])[] = [
  [/^exif:/, "written by the camera"],
  [/^(header|mail):/i, "from the mail's header"],
  [/^separator$/, "from the line that separates mails in the mailbox"],
  [/^message/, "written before the message in the chat's export"],
  [/^file-name$/, "read from the file's name"],
  [/^file-time$/, "the file's own date, which copying can change"],
  [/gps/i, "from the satellite fix"],
  [/^(takeout|json|sidecar)/i, "from the file beside it"],
];

/** "written by the camera (exif:DateTimeOriginal)" */
export function timeOrigin(time: RecordTime): string {
  const words = timeSources.find(([pattern]) => pattern.test(time.source))?.[1];
  const parts = [words ? `${words} (${time.source})` : time.source];
  if (time.inferred) parts.push(`the time zone${time.zone ? `, ${time.zone},` : ""} was worked out, not given`);
  else if (time.offset) parts.push(`UTC${time.offset}`);
  else if (time.local) parts.push("no time zone was given");
  if (time.confidence === "low") parts.push("uncertain");
  return parts.join("; ");
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

/** What the source said besides text: only what is there. */
export function factsOf(record: StoredRecord): Fact[] {
  const { props, place, time, end, container } = record;
  const facts: Fact[] = [];
  const add = (name: string, value: string | null | undefined) => {
    if (value) facts.push({ name, value });
  };
  add("When", time ? (end ? `${moment(time)} – ${moment(end)}` : moment(time)) : "No date");
  add("Known from", time ? timeOrigin(time) : null);
  if (place) {
    const point = place.lat !== null && place.lon !== null ? `${place.lat.toFixed(5)}, ${place.lon.toFixed(5)}` : null;
    add("Where", [place.name, point].filter(Boolean).join(" · ") + (place.confidence === "low" ? " (uncertain)" : ""));
  }
  add("In", container?.title);
  add("Camera", [props.camera?.make, props.camera?.model].filter(Boolean).join(" "));
  add("Size", props.size ? `${props.size.width} × ${props.size.height}` : null);
  add("Length", props.duration === undefined ? null : duration(props.duration));
  add("Albums", props.albums?.map((album) => album.name).join(", "));
  add("Labels", props.labels?.join(", "));
  add("Rating", props.rating === undefined ? null : `${props.rating} of 5`);
  add("Forwarded from", props.forwardedFrom);
  add("Flags", props.flags?.join(", "));
  if (props.contact) {
    add("Phone", props.contact.phones.map((phone) => phone.value).join(", "));
    add("Mail", props.contact.emails.map((mail) => mail.value).join(", "));
    add("Organisation", props.contact.organisation);
    add("Birthday", props.contact.birthday);
  }
  return facts;
}

export function attachmentNote(attachment: { mime: string | null; bytes: number | null; missing: boolean }): string {
  if (attachment.missing) return "not in what was imported";
  return [attachment.mime, attachment.bytes === null ? null : bytes(attachment.bytes)].filter(Boolean).join(", ");
}

/** A span [start, end) of one view of a record. */
export type Cite = { view: string; span: [number, number] } | null;

/** What stands between the texts of two attachments in the view that citations count in. */
const attachmentGap = 2;

/** A citation's span in each attachment's own text: the view that it counts in joins all of them. */
export function attachmentCites(texts: readonly (string | null)[], cite: Cite): Cite[] {
  let start = 0;
  return texts.map((text) => {
    if (text === null) return null;
    const from = start;
    start += text.length + attachmentGap;
    if (cite?.view !== "attachment") return null;
    const span: [number, number] = [
      Math.max(0, cite.span[0] - from),
      Math.min(text.length, Math.max(0, cite.span[1] - from)),
    ];
    return span[1] > span[0] ? { view: cite.view, span } : null;
  });
}

/** `text:10-40` from the address, or null. */
export function parseCite(cite: string | undefined): Cite {
  const found = /^(text|subject|attachment|ocr|tags|metadata):(\d{1,9})-(\d{1,9})$/.exec(cite ?? "");
  if (!found?.[1]) return null;
  return { view: found[1], span: [Number(found[2]), Number(found[3])] };
}
