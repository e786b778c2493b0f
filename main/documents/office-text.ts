import { TextBuilder } from "./reading.ts";
import { attribute, type Element, type XmlHandler } from "./xml.ts";

/** Set-up of paragraphs, tables and pages, text that was deleted, and second forms of what is told already. */
const passedOver = new Set(
  "pPr tblPr tcPr trPr tblGrid sectPr del moveFrom Fallback rt instrText delText binData fonts styles".split(" "),
);
/** Place-holders of a slide that repeat on each of them. */
const furniture = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

export interface Note {
  readonly id: string;
  readonly author: string | null;
  readonly out: TextBuilder;
}

/**
 * Text of Word's and PowerPoint's XML, whose elements have the same names: paragraphs as lines, rows of tables as lines
 * with a tab between the cells, marks `[1]` where a note stands. Deleted and hidden text is left out.
 */
export class OfficeText implements XmlHandler {
  /** Ids of notes in the order of their marks, `footnote:3`. */
  readonly marks: string[] = [];
  /** Notes and comments that the part itself holds. */
  readonly notes: Note[] = [];
  #out: TextBuilder;
  readonly #paragraphs: string[] = [];
  readonly #cells: string[][] = [];
  readonly #rows: string[][] = [];
  #takes = false;
  #inRun = false;
  #hidden = false;
  #furniture = false;

  constructor(out: TextBuilder) {
    this.#out = out;
  }

  done(): boolean {
    return this.#out.full;
  }

  open(element: Element): "skip" | undefined {
    const { name } = element;
    if (passedOver.has(name)) return "skip";
    switch (name) {
      case "p":
        this.#paragraphs.push("");
        break;
      case "r":
        this.#inRun = true;
        this.#hidden = false;
        break;
      case "vanish":
        this.#hidden = this.#inRun && !/^(0|false|off)$/.test(attribute(element, "val") ?? "");
        break;
      case "t":
      case "text":
        this.#takes = true;
        break;
      case "tab":
      case "ptab":
        this.#say("\t");
        break;
      case "br":
      case "cr":
        this.#say("\n");
        break;
      case "noBreakHyphen":
        this.#say("\u2011");
        break;
      case "tr":
        this.#rows.push([]);
        break;
      case "tc":
        this.#cells.push([]);
        break;
      case "ph":
        this.#furniture = furniture.has(attribute(element, "type") ?? "");
        break;
      case "footnoteReference":
      case "endnoteReference":
        this.#mark(`${name.slice(0, -"Reference".length)}:${attribute(element, "id") ?? ""}`);
        break;
      case "footnote":
      case "endnote":
      case "comment":
      case "cm":
        return this.#note(element);
    }
    return undefined;
  }

  text(text: string): void {
    if (this.#takes) this.#say(text);
  }

  close(name: string): void {
    switch (name) {
      case "t":
        this.#takes = false;
        break;
      case "text":
        this.#takes = false;
        this.#emit(this.#paragraphs.pop() ?? "");
        break;
      case "r":
        this.#inRun = false;
        this.#hidden = false;
        break;
      case "p":
        this.#emit(this.#paragraphs.pop() ?? "");
        break;
      case "tc":
        this.#rows.at(-1)?.push((this.#cells.pop() ?? []).filter((line) => line !== "").join(" "));
        break;
      case "tr":
        this.#emit((this.#rows.pop() ?? []).join("\t").trimEnd());
        break;
      case "sp":
        this.#furniture = false;
        break;
    }
  }

  #say(text: string): void {
    if (this.#hidden || this.#furniture) return;
    const last = this.#paragraphs.length - 1;
    if (last < 0) this.#paragraphs.push(text);
    else if ((this.#paragraphs[last] ?? "").length < this.#out.room) this.#paragraphs[last] += text;
  }

  /** A finished line: into the cell that is open, else into the text. */
  #emit(line: string): void {
    const cell = this.#cells.at(-1);
    if (cell) cell.push(line.replace(/\s+/g, " ").trim());
    else this.#out.line(line);
  }

  #mark(id: string): void {
    this.marks.push(id);
    this.#say(`[${this.marks.length}]`);
  }

  #note(element: Element): "skip" | undefined {
    // The line above the notes is one of them.
    if (/separator|continuation/i.test(attribute(element, "type") ?? "") || this.notes.length > 100_000) return "skip";
    const out = new TextBuilder(Math.max(0, this.#out.room));
    this.notes.push({
      id: `${element.name}:${attribute(element, "id") ?? ""}`,
      author: attribute(element, "author"),
      out,
    });
    this.#out = out;
    return undefined;
  }
}

/** Text of a note on one line. */
export const lineOf = (note: Note): string => note.out.toString().replace(/\s+/g, " ").trim();
