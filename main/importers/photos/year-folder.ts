/** "Photo" at the beginning of a word, in the languages in which Google names its year folders. */
const photo =
  /^(?:ph?oto|fot|zdj|bild|bilder|billed|kuv|valokuv|fényk|kép|slik|снимк|сним|фото|світлин|φωτο|εικόν|תמונ|صور|عکس|ảnh|hình|gambar|larawan|รูป|ภาพ|फ़?ो?टो|तस्वी|nuotrauk|attēl|poze|写真|照片|相片|사진|写)/iu;
const year = /(?:18|19|20)\d\d/;

/**
 * Whether a title is one of Google's own year folders ("Photos from 2024", "2024 年の写真"), which gather by date and which
 * nobody made: a word for photos, a year, and at most two more words.
 */
export function isYearFolder(title: string): boolean {
  const text = title.normalize("NFC").trim();
  if (!year.test(text)) return false;
  const words = text
    .replace(year, " ")
    .split(/[\s'’\-_,.]+/u)
    .filter((word) => word !== "");
  if (words.length > 4) return false;
  return words.some((word) => photo.test(word) || /(?:写真|照片|相片|사진|รูปภาพ)/u.test(word));
}
