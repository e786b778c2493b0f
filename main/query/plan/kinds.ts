import type { RecordKind } from "#contract";
import { whole } from "./calendar.ts";
import type { Stretch } from "./words.ts";

/** Words for kinds of records and for where records came from. */

interface KindWord {
  readonly regex: RegExp;
  readonly kinds: readonly RecordKind[];
  /** The word also stands in texts, names and tags of what is asked for, and is looked for there. */
  readonly kept?: true;
  /** Only where all of them are asked for: the letter that fixes an appointment speaks of it, too. */
  readonly listed?: true;
}

const kindWords: readonly KindWord[] = [
  {
    regex: whole(
      "photo(?:graph)?s?|pictures?|pics?|snapshots?|selfies?|photographed|fotografiert|fotos?|bilde?r?n?|aufnahmen?|schnappsch[uü]sse?",
    ),
    kinds: ["photo"],
  },
  { regex: whole("screenshots?|screen ?grabs?|bildschirmfotos?|bildschirmaufnahmen?"), kinds: ["photo"], kept: true },
  { regex: whole("videos?(?![ -]?(?:games?|gaming|cards?|calls?|chats?|consoles?|spiel))|clips?"), kinds: ["video"] },
  { regex: whole("e-?mails?|mails?"), kinds: ["email"] },
  { regex: whole("chats?|texts?(?= (?:from|to|with|messages?))|chat ?nachricht(?:en)?"), kinds: ["message"] },
  { regex: whole("calendar|kalender\\p{L}*"), kinds: ["event"] },
  { regex: whole("appointments|termine?n?"), kinds: ["event"], listed: true },
  {
    regex: whole("voice (?:messages?|memos?|notes?)|voicemails?|sprachnachricht(?:en)?|sprachmemos?"),
    kinds: ["audio"],
  },
  { regex: whole("pdfs?|documents?|spreadsheets?|dokumente?n?"), kinds: ["document"] },
  { regex: whole("(?:(?<=my |our |meinen |unseren )notes|notizen|(?<=meinen )zetteln?)"), kinds: ["note"] },
];

const listing =
  /^\W*(?:(?:show|find|list|search|zeige?|finde|suche)(?!\p{L}).*|(?:(?:how many|wie viele|which|welche[nrsm]?|what|all|alle|my|our|any|meine|unsere|next|upcoming)\s+(?:\p{L}+\s+){0,2})?)$/iu;

/** What people write to one another, by whatever way: only where it is asked for itself. */
const written = whole("(?<!voice |text )messages|nachrichten");

const wanting =
  /^\W*(?:show|find|list|any|search|zeige?|finde|suche|gibt es|how many|wie viele|which|welche[nrsm]?|what|all|alle)\b/iu;
/** What makes of a word for a kind what is wanted: of what, from whom, what it says. */
const specified =
  /^\s*(?:of|from|by|with|about|taken|sent|showing|in|at|between|during|since|before|after|where|which|that (?:says?|said|mentions?)|von|vom|aus|mit|über|zwischen|seit|vor|nach|an|im|wo|in de[rm]|mit de[rm])(?!\p{L})/iu;

const asksWhat = /^\W*(?:was|wen|welche[nrsm]?)(?!\p{L})/iu;

/** Whether records themselves are asked for: "show me", "find", "photos of". */
export const wantsRecords = (text: string): boolean =>
  /^\W*(?:show|find|list|search|zeige?|finde|suche)(?!\p{L})/iu.test(text);

/**
 * Kinds that the question asks for, with the words that said so. A word for a kind counts where records are wanted
 * ("photos of", "emails from", "show me"), not where it is what is talked about ("who took the picture").
 */
export function kindsOf(text: string): { kinds: RecordKind[]; said: Stretch[] } {
  const kinds = new Set<RecordKind>();
  const said: Stretch[] = [];
  for (const { regex, kinds: named, kept, listed } of kindWords) {
    for (const match of text.matchAll(regex)) {
      const end = match.index + match[0].length;
      if (listed === true && !listing.test(text.slice(0, match.index))) continue;
      const talkedAbout = kept === undefined && named[0] === "document";
      const asked = (wanting.test(text) && !talkedAbout) || wantsRecords(text) || specified.test(text.slice(end));
      // "Was habe ich dort fotografiert?"
      const shot = asksWhat.test(text) && /^fotografiert$/iu.test(match[0]);
      const inside = /(?:^|\P{L})(?:in|from|among|in|aus|unter) (?:all )?(?:my|our|meine[nrm]|unsere[nrm]) $/iu.test(
        text.slice(0, match.index),
      );
      // "Photos, but none of the car", "Welche PDFs hat Tom geschickt?"
      const first = /^\W*(?:(?:my|all|any|meine|alle|which|what|welche) )?$/iu.test(text.slice(0, match.index));
      const many = /(?:s|n|er)$/iu.test(match[0]);
      if (!asked && !shot && !inside && !(first && many)) continue;
      for (const kind of named) kinds.add(kind);
      if (kept === undefined) said.push({ start: match.index, end });
    }
  }
  const [message] = text.matchAll(written);
  if (
    kinds.size === 0 &&
    message &&
    (wantsRecords(text) || /^\W*(?:(?:my|all|meine|alle) )?$/iu.test(text.slice(0, message.index)))
  ) {
    for (const kind of ["message", "email"] as const) kinds.add(kind);
    said.push({ start: message.index, end: message.index + message[0].length });
  }
  return { kinds: [...kinds], said };
}

/** All kinds that words stand for, wanted or not: for what is excluded. */
export function kindsNamed(text: string): RecordKind[] {
  return [...new Set(kindWords.flatMap(({ regex, kinds }) => (text.search(regex) >= 0 ? kinds : [])))];
}

/** Importers by the names that people have for them. */
const sourceNames: readonly (readonly [names: string, sources: readonly string[]])[] = [
  ["whats ?app", ["whatsapp"]],
  ["slack", ["slack"]],
  ["telegram", ["telegram"]],
  ["signal", ["signal"]],
  ["discord", ["discord"]],
  ["facebook|instagram|insta|(?:facebook )?messenger", ["meta"]],
  ["imessages?", ["imessage"]],
  ["sms|text messages?", ["sms", "imessage", "google-voice"]],
  ["skype", ["skype"]],
  ["matrix(?= (?:rooms?|chats?))", ["matrix"]],
  ["google chat", ["google-chat"]],
  ["hangouts", ["hangouts"]],
  ["google voice", ["google-voice"]],
  ["google keep", ["keep"]],
  ["evernote", ["evernote"]],
  ["outlook", ["pst", "msg"]],
  ["apple mail", ["emlx"]],
  ["bookmarks|lesezeichen", ["bookmarks"]],
];
const before = "(?<before>(?:on|in|via|over|through|by|per|über|auf|bei|from|von|aus) (?:my |our |the |meine[nrm] )?)?";
const after =
  "(?<after>[ -]?(?:chats?|groups?|channels?|messages?|threads?|conversations?|nachricht(?:en)?|gruppen?|kanal|kanäle))?";

const sourceWords = sourceNames.map(([names, ids]) => ({
  ids,
  placed: whole(`${before}(?:${names})${after}`),
  alone: whole(names),
}));

/** Sources that the question names as the place to look in, with the words that said so. */
export function sourcesOf(text: string): { sources: string[]; said: Stretch[] } {
  const sources = new Set<string>();
  const said: Stretch[] = [];
  for (const { placed, ids } of sourceWords) {
    for (const match of text.matchAll(placed)) {
      // "When did I install WhatsApp?" is about it, "on WhatsApp" is where to look.
      if (match.groups?.before === undefined && match.groups?.after === undefined) continue;
      for (const id of ids) sources.add(id);
      said.push({ start: match.index, end: match.index + match[0].length });
    }
  }
  return { sources: [...sources], said };
}

/** Sources of names in a text, wherever they stand: for what is excluded. */
export function sourcesNamed(text: string): string[] {
  return [...new Set(sourceWords.flatMap(({ alone, ids }) => (text.search(alone) >= 0 ? ids : [])))];
}
