import { lineOf, OfficeText } from "./office-text.ts";
import type { OfficePackage } from "./package.ts";
import { readCoreProperties } from "./properties.ts";
import { type Reading, TextBuilder } from "./reading.ts";
import { attribute, relationId } from "./xml.ts";

/**
 * PowerPoint (ECMA-376 part 1, §19): slides in the order of the show with an empty line between, each followed by the
 * speaker's notes and comments. A hidden slide is read and marked as such.
 */
export async function readSlides(office: OfficePackage, reading: Reading): Promise<void> {
  await readCoreProperties(office, reading);
  const main =
    [...(await office.relations("")).values()].find(({ type }) => type === "officeDocument")?.target ??
    "ppt/presentation.xml";
  const relations = await office.relations(main);
  const order: string[] = [];
  await office.walk(main, {
    open(element) {
      const id = element.name === "sldId" ? relationId(element) : null;
      const target = id === null ? undefined : relations.get(id)?.target;
      if (target !== undefined) order.push(target);
      return undefined;
    },
  });
  for (const part of order) {
    if (reading.out.full) return;
    await readSlide(office, part, reading);
  }
}

async function readSlide(office: OfficePackage, part: string, { out, reasons }: Reading): Promise<void> {
  const text = new TextBuilder(Math.max(0, out.room));
  const walker = new OfficeText(text);
  let hidden = false;
  try {
    await office.walk(part, {
      open(element) {
        if (element.name === "sld") hidden = /^(0|false)$/.test(attribute(element, "show") ?? "");
        return walker.open(element);
      },
      text: (value) => walker.text(value),
      close: (name) => walker.close(name),
      done: () => walker.done(),
    });
  } catch (error) {
    // One broken slide is no reason to lose the others.
    reasons.push(`A slide is damaged (${error instanceof Error ? error.message : String(error)})`);
  }
  if (hidden) out.line("(hidden slide)");
  out.line(text.toString().trim());
  for (const { type, target } of (await office.relations(part)).values()) {
    if (type !== "notesSlide" && type !== "comments") continue;
    const more = new OfficeText(new TextBuilder(200_000));
    const said = new TextBuilder(200_000);
    const walk = type === "notesSlide" ? new OfficeText(said) : more;
    await office.walk(target, walk).catch(() => undefined);
    const notes = said.toString().trim();
    if (notes !== "") out.line(`Notes: ${notes}`);
    for (const note of more.notes) if (lineOf(note) !== "") out.line(`Comment: ${lineOf(note)}`);
  }
  out.line("");
}
