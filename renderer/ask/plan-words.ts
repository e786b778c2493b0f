import { type AnswerType, type PlanNote, type QueryPlan, recordKinds } from "#contract";
import { counted, kindName, shortDay } from "../state/format.ts";
import type { windowGroups } from "./plan-edits.ts";

/** A plan in a person's words. */

export const answerWords: Readonly<Record<AnswerType, string>> = {
  date: "a date",
  duration: "a length of time",
  number: "a number",
  amount: "an amount",
  person: "a person",
  place: "a place",
  yesno: "yes or no",
  list: "a list",
  text: "in words",
};

const sourceNames: Readonly<Record<string, string>> = {
  whatsapp: "WhatsApp",
  slack: "Slack",
  telegram: "Telegram",
  signal: "Signal",
  discord: "Discord",
  meta: "Messenger, Instagram",
  imessage: "Messages",
  sms: "SMS",
  skype: "Skype",
  keep: "Google Keep",
  evernote: "Evernote",
  "google-chat": "Google Chat",
  "google-voice": "Google Voice",
  hangouts: "Hangouts",
  matrix: "Matrix",
  pst: "Outlook",
  msg: "Outlook",
  emlx: "Apple Mail",
  bookmarks: "bookmarks",
};
export const sourceName = (source: string): string => sourceNames[source] ?? source;

export function noteText({ code, text }: PlanNote): string {
  if (code === "no_such_date") return `No calendar has a ${text}. The question was asked without it.`;
  if (code === "outside_archive") return `Nothing in this archive is from then (${text}).`;
  if (code === "unknown_time")
    return `When “${text}” was, only you know. Give the dates under “Filter” to narrow it down.`;
  return `Only the first ${text} characters of the question were read.`;
}

export function windowText({ text, windows }: ReturnType<typeof windowGroups>[number]): string {
  const [first, ...more] = windows;
  if (!first) return text;
  const { from, to } = first;
  const year = from.endsWith("-01-01") && to === `${from.slice(0, 4)}-12-31`;
  const days = year ? from.slice(0, 4) : from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`;
  if (more.length > 0) return `${text} (${counted(windows.length, "time")})`;
  return text && !text.toLowerCase().includes(days.toLowerCase()) ? `${text} (${days})` : text || days;
}

/** What is left out, as a person calls it. */
export function excludedText(part: keyof QueryPlan["excluded"], value: string): string {
  if (part === "records") return `the ${counted(Number(value), "record")} shown before`;
  if (part === "kinds")
    return recordKinds
      .filter((kind) => kind === value)
      .map((kind) => kindName(kind, true))
      .join("");
  return part === "sources" ? sourceName(value) : value;
}
