import type { OfficePackage } from "./package.ts";
import { isoOrNull, type Reading } from "./reading.ts";
import type { XmlHandler } from "./xml.ts";

/** Takes a document's own title and time of making out of the elements that office programs write them in. */
export function propertyHandler(reading: Reading): XmlHandler {
  let field = "";
  let text = "";
  return {
    open({ name }) {
      field = name;
      text = "";
      return undefined;
    },
    text(value) {
      if (text.length < 2000) text += value;
    },
    close(name) {
      if (name !== field) return;
      if (/^title$/i.test(name)) reading.title ??= text;
      // `created`: OOXML, `creation-date`: ODF.
      if (/^(created|creation-date)$/i.test(name)) reading.created ??= isoOrNull(text);
    },
  };
}

/** Properties of an Office Open XML file. A fault of theirs is no fault of the document. */
export async function readCoreProperties(office: OfficePackage, reading: Reading): Promise<void> {
  const relations = [...(await office.relations("")).values()];
  const part = relations.find(({ type }) => type === "core-properties")?.target ?? "docProps/core.xml";
  await office.walk(part, propertyHandler(reading)).catch(() => undefined);
}
