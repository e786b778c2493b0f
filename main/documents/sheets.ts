import { type CellMeaning, cellNumber, meaningOf } from "./cell-format.ts";
import { lineOf, OfficeText } from "./office-text.ts";
import type { OfficePackage } from "./package.ts";
import { readCoreProperties } from "./properties.ts";
import { type Reading, TextBuilder, tooMuch } from "./reading.ts";
import { attribute, type Element, relationId, type XmlHandler } from "./xml.ts";

/** Characters of all shared texts of a workbook. */
const sharedChars = 64 * 1024 * 1024;
/** Empty cells that are kept between two filled ones; beyond it they are one gap. */
const maxGap = 64;

interface Workbook {
  readonly shared: readonly string[];
  readonly meanings: readonly CellMeaning[];
  readonly from1904: boolean;
}

/**
 * Excel (ECMA-376 part 1, §18): each sheet under its name, a row a line, tabs between the cells, days as ISO dates. Sheets
 * that a person has hidden are read and marked; those that only a program can show are left out.
 */
export async function readSheets(office: OfficePackage, reading: Reading): Promise<void> {
  await readCoreProperties(office, reading);
  const main =
    [...(await office.relations("")).values()].find(({ type }) => type === "officeDocument")?.target ??
    "xl/workbook.xml";
  const relations = await office.relations(main);
  const sheets: { name: string; state: string; part: string }[] = [];
  let from1904 = false;
  await office.walk(main, {
    open(element) {
      if (element.name === "workbookPr") from1904 = /^(1|true)$/.test(attribute(element, "date1904") ?? "");
      const part = element.name === "sheet" ? relations.get(relationId(element) ?? "")?.target : undefined;
      if (part !== undefined) {
        sheets.push({ name: element.attributes.name ?? "", state: attribute(element, "state") ?? "visible", part });
      }
      return undefined;
    },
  });
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target;
  const workbook = {
    shared: await sharedTexts(office, partOf("sharedStrings")),
    meanings: await cellMeanings(office, partOf("styles")),
    from1904,
  };
  for (const { name, state, part } of sheets) {
    if (state === "veryHidden") continue;
    if (reading.out.full) return;
    reading.out.line(state === "hidden" ? `${name} (hidden sheet)` : name);
    try {
      await office.walk(part, new SheetText(reading.out, workbook));
    } catch (error) {
      reading.reasons.push(`The sheet ${name} is damaged (${error instanceof Error ? error.message : String(error)})`);
    }
    await readComments(office, part, reading.out);
    reading.out.line("");
  }
}

async function sharedTexts(office: OfficePackage, part: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  let current = "";
  let takes = false;
  let chars = 0;
  if (part === undefined) return texts;
  const handler: XmlHandler = {
    open({ name }) {
      // How a text is pronounced is not what it says.
      if (name === "rPh") return "skip";
      if (name === "si") current = "";
      takes = name === "t";
      return undefined;
    },
    text(text) {
      if (!takes) return;
      current += text;
      chars += text.length;
      if (chars > sharedChars) throw tooMuch("Its shared texts are longer than is read of one document.");
    },
    close(name) {
      if (name === "t") takes = false;
      if (name === "si") texts.push(current);
    },
  };
  await office.walk(part, handler);
  return texts;
}

/** What the number in a cell means, by the cell's style. */
async function cellMeanings(office: OfficePackage, part: string | undefined): Promise<CellMeaning[]> {
  const codes = new Map<number, string>();
  const meanings: CellMeaning[] = [];
  if (part === undefined) return meanings;
  let inStyles = false;
  const handler: XmlHandler = {
    open(element) {
      const id = Number(attribute(element, "numFmtId") ?? 0);
      if (element.name === "cellXfs") inStyles = true;
      if (element.name === "numFmt") codes.set(id, attribute(element, "formatCode") ?? "");
      if (element.name === "xf" && inStyles) meanings.push(meaningOf(id, codes.get(id)));
      return undefined;
    },
    close(name) {
      if (name === "cellXfs") inStyles = false;
    },
  };
  await office.walk(part, handler).catch(() => undefined);
  return meanings;
}

async function readComments(office: OfficePackage, part: string, out: TextBuilder): Promise<void> {
  for (const { type, target } of (await office.relations(part)).values()) {
    if (type !== "comments") continue;
    const text = new OfficeText(new TextBuilder(200_000));
    await office.walk(target, text).catch(() => undefined);
    for (const note of text.notes) if (lineOf(note) !== "") out.line(`Comment: ${lineOf(note)}`);
  }
}

/** Column of a cell's name, from 0: `AB12` is 27; null for what is none. */
function columnOf(name: string | null): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(name ?? "")?.[1];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

class SheetText implements XmlHandler {
  readonly #out: TextBuilder;
  readonly #workbook: Workbook;
  #row = "";
  #column = 0;
  #place = 0;
  #type = "n";
  #style = 0;
  #value = "";
  #takes = false;

  constructor(out: TextBuilder, workbook: Workbook) {
    this.#out = out;
    this.#workbook = workbook;
  }

  done(): boolean {
    return this.#out.full;
  }

  open(element: Element): "skip" | undefined {
    switch (element.name) {
      case "f":
      case "rPh":
        return "skip";
      case "row":
        this.#row = "";
        this.#column = 0;
        this.#place = 0;
        break;
      case "c":
        this.#place = columnOf(element.attributes.r ?? null) ?? this.#place;
        this.#type = element.attributes.t ?? "n";
        this.#style = Number(element.attributes.s ?? 0);
        this.#value = "";
        break;
      case "v":
      case "t":
        this.#takes = true;
        break;
    }
    return undefined;
  }

  text(text: string): void {
    if (this.#takes && this.#value.length < this.#out.room) this.#value += text;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#takes = false;
    if (name === "c") this.#cell(this.#shown());
    if (name === "row" && this.#row.trim() !== "") this.#out.line(this.#row);
  }

  #cell(text: string): void {
    if (text !== "") {
      const gap = this.#place - this.#column;
      if (this.#row.length < this.#out.room) this.#row += "\t".repeat(gap > maxGap ? 1 : Math.max(0, gap)) + text;
      this.#column = this.#place;
    }
    this.#place++;
  }

  #shown(): string {
    const value = this.#value;
    if (this.#type === "s") return oneLine(this.#workbook.shared[Number(value)] ?? "");
    if (this.#type === "b") return value === "1" ? "TRUE" : value === "0" ? "FALSE" : value;
    if (this.#type !== "n" || value.trim() === "") return oneLine(value);
    const number = Number(value);
    const meaning = this.#workbook.meanings[this.#style] ?? "number";
    return Number.isNaN(number) ? oneLine(value) : cellNumber(number, meaning, this.#workbook.from1904);
  }
}

/** A cell's own line ends and tabs must not look like the table's. */
const oneLine = (text: string): string => text.replace(/[\t\r\n]+/g, " ").trim();
