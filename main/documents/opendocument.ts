import type { OfficePackage } from "./package.ts";
import { propertyHandler } from "./properties.ts";
import { isoOrNull, type Reading, type TextBuilder } from "./reading.ts";
import { attribute, type Element, walkXml, type XmlHandler } from "./xml.ts";

/** Repeats of one cell or row that are written out. */
const maxRepeats = 64;

/**
 * OpenDocument (ISO 26300): text, sheets and slides share their elements. Lines for paragraphs, tabs between the cells of
 * a row, notes by their marks, comments at the end. Tracked deletions are left out; a hidden sheet is read and marked.
 */
export async function readOpenDocument(office: OfficePackage, reading: Reading): Promise<void> {
  let encrypted = false;
  const open = ({ name }: Element) => {
    encrypted ||= name === "encryption-data";
    return undefined;
  };
  await office.walk("META-INF/manifest.xml", { open }).catch(() => undefined);
  if (encrypted) {
    reading.reasons.push("It is protected with a password");
    return;
  }
  await office.walk("meta.xml", propertyHandler(reading)).catch(() => undefined);
  const text = new OpenDocumentText(reading.out);
  await office.walk("content.xml", text);
  text.finish();
}

/** OpenDocument in a single XML file (`.fodt`). */
export async function readFlatOpenDocument(bytes: Uint8Array, reading: Reading): Promise<void> {
  await walkXml([bytes], propertyHandler(reading));
  const text = new OpenDocumentText(reading.out);
  await walkXml([bytes], text);
  text.finish();
}

const passedOver = new Set(
  "meta settings scripts font-face-decls styles master-styles tracked-changes ruby-text binary-data sequence-decls event-listeners forms".split(
    " ",
  ),
);

class OpenDocumentText implements XmlHandler {
  readonly #out: TextBuilder;
  readonly #hiddenStyles = new Set<string>();
  readonly #paragraphs: string[] = [];
  readonly #cells: { lines: string[]; repeats: number; value: string }[] = [];
  readonly #rows: { cells: string[]; repeats: number }[] = [];
  readonly #notes: string[] = [];
  readonly #comments: string[] = [];
  /** Lines of the note or comment that is open, instead of the text's. */
  #aside: { kind: "note" | "comment" | "speaker"; author: string; lines: string[] } | null = null;
  #style = "";
  #takesAuthor = false;
  #inCitation = false;
  /** Paragraphs that were open when the note began. */
  #base = 0;

  constructor(out: TextBuilder) {
    this.#out = out;
  }

  done(): boolean {
    return this.#out.full;
  }

  /** What stands at the end of the document. */
  finish(): void {
    for (const [index, note] of this.#notes.entries()) this.#out.line(`[${index + 1}] ${note}`);
    for (const comment of this.#comments) this.#out.line(comment);
  }

  open(element: Element): "skip" | undefined {
    const { name } = element;
    if (passedOver.has(name)) return "skip";
    switch (name) {
      case "style":
        this.#style = attribute(element, "name") ?? "";
        break;
      case "table-properties":
        if (attribute(element, "display") === "false") this.#hiddenStyles.add(this.#style);
        break;
      case "p":
      case "h":
        this.#paragraphs.push("");
        break;
      case "tab":
        this.#say("\t");
        break;
      case "line-break":
        this.#say("\n");
        break;
      case "s":
        this.#say(" ".repeat(Math.min(maxRepeats, Math.max(1, Number(attribute(element, "c") ?? 1) || 1))));
        break;
      case "note-citation":
        this.#inCitation = true;
        break;
      case "note":
        this.#say(`[${this.#notes.length + 1}]`);
        this.#beginAside("note");
        break;
      case "annotation":
        this.#beginAside("comment");
        break;
      case "notes":
        this.#beginAside("speaker");
        break;
      case "creator":
      case "sender-initials":
      case "date":
        if (this.#aside?.kind === "comment") {
          if (name !== "creator") return "skip";
          this.#takesAuthor = true;
        }
        break;
      case "table":
        this.#beginTable(element);
        break;
      case "table-row":
        this.#rows.push({ cells: [], repeats: repeatsOf(element, "number-rows-repeated") });
        break;
      case "table-cell":
      case "covered-table-cell":
        this.#cells.push({
          lines: [],
          repeats: repeatsOf(element, "number-columns-repeated"),
          value: heldBy(element),
        });
        break;
    }
    return undefined;
  }

  text(text: string): void {
    if (this.#takesAuthor && this.#aside) this.#aside.author += text;
    else if (this.#paragraphs.length > this.#base && !this.#inCitation) this.#say(text.replace(/[\t\r\n ]+/g, " "));
  }

  close(name: string): void {
    switch (name) {
      case "p":
      case "h":
        this.#emit(this.#paragraphs.pop() ?? "");
        break;
      case "note-citation":
        this.#inCitation = false;
        break;
      case "creator":
        this.#takesAuthor = false;
        break;
      case "note":
      case "annotation":
      case "notes":
        this.#endAside();
        break;
      case "table-cell":
      case "covered-table-cell":
        this.#endCell();
        break;
      case "table-row":
        this.#endRow();
        break;
      case "page":
        this.#out.line("");
        break;
    }
  }

  #say(text: string): void {
    const last = this.#paragraphs.length - 1;
    if (last >= 0 && (this.#paragraphs[last] ?? "").length < this.#out.room) this.#paragraphs[last] += text;
  }

  #emit(line: string): void {
    if (this.#aside) {
      this.#aside.lines.push(line.trim());
      return;
    }
    const cell = this.#cells.at(-1);
    if (cell) cell.lines.push(line.replace(/\s+/g, " ").trim());
    else this.#out.line(line);
  }

  #beginAside(kind: "note" | "comment" | "speaker"): void {
    if (this.#aside) return;
    this.#aside = { kind, author: "", lines: [] };
    this.#base = this.#paragraphs.length;
  }

  #endAside(): void {
    const aside = this.#aside;
    this.#aside = null;
    this.#base = 0;
    if (!aside) return;
    const text = aside.lines.join(" ").trim();
    if (aside.kind === "note") this.#notes.push(text);
    else if (text === "") return;
    else if (aside.kind === "speaker") this.#out.line(`Notes: ${text}`);
    else this.#comments.push(`${aside.author === "" ? "Comment" : `Comment by ${aside.author}`}: ${text}`);
  }

  /** Sheets have names that a person gave; tables inside a text have names that the program gave. */
  #beginTable(element: Element): void {
    const name = attribute(element, "name") ?? "";
    const hidden = this.#hiddenStyles.has(attribute(element, "style-name") ?? "");
    if (this.#rows.length > 0 || this.#paragraphs.length > 0 || /^(Table|Tabelle|Tableau|Tabla|Tabella)\d+$/.test(name))
      return;
    if (name !== "" && !name.startsWith("'file:")) this.#out.line(hidden ? `${name} (hidden sheet)` : name);
  }

  #endCell(): void {
    const cell = this.#cells.pop();
    const row = this.#rows.at(-1);
    if (!cell || !row) return;
    const text = cell.lines.filter((line) => line !== "").join(" ") || cell.value;
    // A long run of empty cells is the rest of the row; a long run of equal ones is a pattern.
    for (let at = 0; at < Math.min(cell.repeats, text === "" ? maxRepeats : 8); at++) row.cells.push(text);
  }

  #endRow(): void {
    const row = this.#rows.pop();
    const line = row?.cells.join("\t").trimEnd() ?? "";
    if (line === "") return;
    for (let at = 0; at < Math.min(row?.repeats ?? 1, 8); at++) this.#emit(line);
  }
}

function repeatsOf(element: Element, name: string): number {
  const repeats = Number(attribute(element, name) ?? 1);
  return Number.isFinite(repeats) && repeats >= 1 ? Math.floor(repeats) : 1;
}

/** What a cell holds where it does not say how it is shown. */
function heldBy(element: Element): string {
  const date = isoOrNull(attribute(element, "date-value"));
  return date ?? attribute(element, "string-value") ?? attribute(element, "value") ?? "";
}
