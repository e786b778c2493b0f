import type { Container } from "#contract";
import { fileEnd } from "../files.ts";
import { decodeFile } from "../text/charset.ts";
import { cleanLine } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { type Found, identityOf, recordOf } from "./person.ts";
import { isContactTable, peopleOf } from "./table.ts";
import { cardsOf } from "./vcard.ts";

/** Largest address book, bytes: pictures stand in it. */
const fileCap = 128 * 1024 * 1024;
const cardNames = /\.(?:vcf|vcard)$/i;
const mayBeCards = /^[^.]+$|\.(?:txt|dat|bin|contact)$/i;

function isCards(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 600)).toString("latin1").replaceAll("\0", "");
  return /^(?:ï»¿|ÿþ|þÿ)?\s*BEGIN\s*:\s*VCARD/i.test(text);
}

async function isTable(entry: Entry): Promise<boolean> {
  if (!/\.(?:csv|tsv|txt)$/i.test(entry.name)) return false;
  const { text } = decodeFile(await entry.head());
  return isContactTable(/^[^\r\n]*/.exec(text)?.[0] ?? "");
}

/** All address books of a drop are one claim: the same person stands in several of them. */
async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const found: Entry[] = [];
  const doubtful: Entry[] = [];
  for (const entry of free.entries) {
    const hinted = cardNames.test(entry.name);
    if (!hinted && !mayBeCards.test(entry.name) && !/\.(?:csv|tsv)$/i.test(entry.name)) continue;
    try {
      if (isCards(await entry.head()) || (await isTable(entry))) found.push(entry);
      else if (hinted) doubtful.push(entry);
    } catch {
      if (hinted) doubtful.push(entry);
    }
  }
  const [primary, ...rest] = found;
  if (primary !== undefined) {
    const label = rest.length === 0 ? primary.name : `${found.length} address books`;
    yield { primary: primary.path, companions: rest.map(({ path }) => path), label, confidence: 3 };
  }
  for (const entry of doubtful) yield { primary: entry.path, companions: [], label: entry.name, confidence: 1 };
}

interface Book {
  readonly found: Found[];
  readonly groups: { readonly name: string; readonly members: readonly string[] }[];
}

/** Takes the people of a file in; how its ledger row ends. */
async function readBook(entry: Entry, book: Book): Promise<ImportedItem> {
  const bytes = await entry.readAll(fileCap);
  const title = cleanLine(entry.name.replace(/\.[^.]*$/, "")) ?? entry.name;
  const container: Container = { key: `addressbook:${title}`, title, kind: "addressbook" };
  const file = { path: entry.path, offset: null, bytes: entry.bytes, role: null };
  if (isCards(bytes)) {
    const { people, groups, empty } = cardsOf(bytes);
    for (const person of people) book.found.push({ person, container, file });
    book.groups.push(...groups);
    if (people.length + groups.length > 0) return fileEnd(entry.path, "imported", null, empty);
    return fileEnd(entry.path, "skipped", "The address book names nobody.", empty);
  }
  const { text, guessed } = decodeFile(bytes);
  if (!isContactTable(text.slice(0, 100_000))) return fileEnd(entry.path, "failed", "It holds no cards.");
  const { people, empty } = peopleOf(text);
  for (const person of people) book.found.push({ person: { ...person, guessed }, container, file });
  if (people.length === 0) return fileEnd(entry.path, "skipped", "The table names nobody.", empty);
  return fileEnd(entry.path, "imported", null, empty);
}

/** The cursor is the number of the person, in the order that the files themselves give. */
async function* read(claim: Claim, { tree, signal, resume }: ReadContext): AsyncGenerator<ImportedItem> {
  const book: Book = { found: [], groups: [] };
  const ends: ImportedItem[] = [];
  for (const path of [claim.primary, ...claim.companions]) {
    throwIfCancelled(signal);
    const entry = tree.get(path);
    if (entry === undefined) continue;
    try {
      ends.push(await readBook(entry, book));
    } catch (error) {
      ends.push(fileEnd(path, "failed", reasonOf(error, signal)));
    }
  }
  const people = new Map<string, Found[]>();
  for (const one of book.found) {
    const identity = identityOf(one.person);
    const cards = people.get(identity);
    if (cards === undefined) people.set(identity, [one]);
    else cards.push(one);
  }
  const memberOf = new Map<string, string[]>();
  for (const { name, members } of book.groups) {
    const label = cleanLine(name);
    if (label === null) continue;
    for (const uid of members) memberOf.set(uid, [...(memberOf.get(uid) ?? []), label]);
  }
  const from = typeof resume === "number" ? resume + 1 : 0;
  let index = 0;
  for (const cards of people.values()) {
    throwIfCancelled(signal);
    // The later revision holds, among equal ones the later read; its place is the first of the files.
    const [latest, ...earlier] = cards.toReversed().sort((a, b) => b.person.revision - a.person.revision);
    if (latest === undefined || index++ < from) continue;
    const labels = [...cards.flatMap(({ person }) => person.labels), ...(memberOf.get(latest.person.uid ?? "") ?? [])];
    const record = recordOf({ ...latest, person: { ...latest.person, labels } }, earlier);
    yield { type: "record", record, cursor: index - 1 };
  }
  yield* ends;
}

/** Address books: vCards of all versions, Google's and Outlook's tables. */
export const contactsImporter: Importer = { id: "contacts", title: "Contacts", order: 50, recognise, read };
