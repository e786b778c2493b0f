import json from "./short-codes.json" with { type: "json" };

/**
 * Emoji by Slack's short codes. `short-codes.json` lists the names of iamcal/emoji-data (MIT), which Slack uses, taken
 * from emojibase-data 17.0.0 (MIT); flags of countries and skin tones follow from their names.
 */
const table: ReadonlyMap<string, string> = new Map(Object.entries(json));

/** Flags are two regional indicators: `flag-de` → U+1F1E9 U+1F1EA. */
function flagOf(code: string): string | null {
  const letters = /^flag-([a-z]{2})$/.exec(code)?.[1];
  return letters === undefined
    ? null
    : String.fromCodePoint(...[...letters].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 0x61));
}

/** The emoji of a short code without colons, `+1` or `wave::skin-tone-3`; null for a workspace's own emoji. */
export function emojiOf(code: string): string | null {
  const [name = "", tone] = code.split("::");
  const emoji = table.get(name) ?? flagOf(name);
  if (emoji === undefined || emoji === null) return null;
  const level = /^skin-tone-([2-6])$/.exec(tone ?? "")?.[1];
  return level === undefined ? emoji : emoji.replace(/\ufe0f$/, "") + String.fromCodePoint(0x1f3f9 + Number(level));
}

/** Text with its short codes as emoji; unknown ones and those inside code stay as written. */
export function withEmoji(text: string): string {
  if (!text.includes(":")) return text;
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((piece, i) =>
      i % 2 === 1
        ? piece
        : piece.replace(
            /:([a-z0-9_+'-]{1,100})(?::(:skin-tone-[2-6]))?:/g,
            (whole, name: string, tone?: string) => emojiOf(tone === undefined ? name : `${name}:${tone}`) ?? whole,
          ),
    )
    .join("");
}
