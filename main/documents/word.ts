import { lineOf, type Note, OfficeText } from "./office-text.ts";
import type { OfficePackage, Relation } from "./package.ts";
import { propertyHandler, readCoreProperties } from "./properties.ts";
import { type Reading, TextBuilder } from "./reading.ts";
import { walkXml } from "./xml.ts";

/**
 * Word (ECMA-376 part 1, §17): headers, the text, footers, notes by their marks, comments with their authors. Each
 * header and footer once, however many sections repeat it. Tracked deletions and hidden text are left out.
 */
export async function readWord(office: OfficePackage, reading: Reading): Promise<void> {
  await readCoreProperties(office, reading);
  const main = mainPart([...(await office.relations("")).values()]);
  const relations = [...(await office.relations(main)).values()];
  const { out } = reading;
  for (const line of await edges(office, relations, "header")) out.line(line);
  const body = new OfficeText(out);
  await office.walk(main, body);
  const notes = [...(await notesOf(office, relations, "footnotes")), ...(await notesOf(office, relations, "endnotes"))];
  const byId = new Map(notes.map((note) => [note.id, note]));
  for (const [index, id] of body.marks.entries()) {
    const note = byId.get(id);
    if (note) out.line(`[${index + 1}] ${lineOf(note)}`);
  }
  for (const note of await notesOf(office, relations, "comments")) {
    out.line(`${note.author ? `Comment by ${note.author}` : "Comment"}: ${lineOf(note)}`);
  }
  for (const line of await edges(office, relations, "footer")) out.line(line);
}

/** Word 2003's single XML file, whose elements have the same names. */
export async function readWordXml(bytes: Uint8Array, reading: Reading): Promise<void> {
  await walkXml([bytes], propertyHandler(reading));
  await walkXml([bytes], new OfficeText(reading.out));
}

const mainPart = (relations: readonly Relation[]): string =>
  relations.find(({ type }) => type === "officeDocument")?.target ?? "word/document.xml";

/** Distinct texts of the headers or footers. A broken one is left out: it is no part of the letter. */
async function edges(office: OfficePackage, relations: readonly Relation[], type: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { target } of relations.filter((relation) => relation.type === type).slice(0, 200)) {
    const out = new TextBuilder(20_000);
    await office.walk(target, new OfficeText(out)).catch(() => undefined);
    const text = out.toString().trim();
    // A page number alone says nothing.
    if (/\p{L}/u.test(text)) found.add(text);
  }
  return found;
}

async function notesOf(office: OfficePackage, relations: readonly Relation[], type: string): Promise<readonly Note[]> {
  const part = relations.find((relation) => relation.type === type)?.target;
  if (part === undefined) return [];
  const text = new OfficeText(new TextBuilder(500_000));
  await office.walk(part, text).catch(() => undefined);
  return text.notes.filter((note) => lineOf(note) !== "");
}
