import type { StoredRecord } from "#contract";

/** A text as it was said, and what stands in it or beside it to describe a picture that went with it. */
export interface Captioned {
  /** Characters of the text that are no caption: [0, end). */
  readonly end: number;
  readonly captions: readonly string[];
}

/** "[photo: a dog on a beach]" at the end of a message, as chats write a picture that was described. */
const atEnd = /\s*\[(?:photo|image|picture|video|foto|bild): ([^\]\n]{1,500})\]\s*$/iu;
/** A longer text of an attachment is a document, no caption. Characters. */
const longestCaption = 300;

/** Splits captions from the view `text` of a record; short texts of attached pictures are captions too. */
export function captioned(record: StoredRecord, text: string): Captioned {
  const found = atEnd.exec(text);
  const beside = (record.props.attachments ?? []).flatMap(({ mime, text: own }) =>
    own !== null && own.trim() !== "" && own.length <= longestCaption && /^(?:image|video)\//i.test(mime ?? "")
      ? [own.replace(/\s+/g, " ").trim()]
      : [],
  );
  return {
    end: found?.index ?? text.length,
    captions: [...(found?.[1] === undefined ? [] : [found[1].trim()]), ...beside],
  };
}
