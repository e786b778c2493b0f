import { z } from "zod";
import { type Names, plainText } from "./markup.ts";
import { emojiOf } from "./short-codes.ts";

/** Text of layout blocks, for messages whose `text` is empty. Unknown blocks say nothing; depth is bounded. */

const maxDepth = 12;
const maxChars = 100_000;

const node = z.object({
  type: z.string().catch(""),
  text: z
    .union([z.string(), z.object({ text: z.string().catch("") })])
    .optional()
    .catch(undefined),
  elements: z.array(z.unknown()).optional().catch(undefined),
  fields: z.array(z.unknown()).optional().catch(undefined),
  user_id: z.string().optional().catch(undefined),
  channel_id: z.string().optional().catch(undefined),
  usergroup_id: z.string().optional().catch(undefined),
  range: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  unicode: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  fallback: z.string().optional().catch(undefined),
  style: z.union([z.string(), z.unknown()]).optional().catch(undefined),
  indent: z.number().int().min(0).max(10).optional().catch(undefined),
  alt_text: z.string().optional().catch(undefined),
});
type Node = z.infer<typeof node>;

export interface BlockText {
  readonly text: string;
  /** Addresses that a label hides. */
  readonly links: string[];
}

/** Text of a message's `blocks`. Never throws. */
export function blocksText(blocks: readonly unknown[], names: Names): BlockText {
  const links: string[] = [];
  let left = maxChars;

  const inline = (value: unknown, depth: number): string => {
    const parsed = node.safeParse(value);
    if (!parsed.success || depth > maxDepth || left <= 0) return "";
    const text = inlineText(parsed.data, depth);
    left -= text.length;
    return text;
  };
  const inlineText = (one: Node, depth: number): string => {
    if (one.type === "user") return `@${names.user(one.user_id ?? "") ?? one.user_id ?? ""}`;
    if (one.type === "channel") return `#${names.channel(one.channel_id ?? "") ?? one.channel_id ?? ""}`;
    if (one.type === "usergroup") return `@${one.usergroup_id ?? ""}`;
    if (one.type === "broadcast") return `@${one.range ?? ""}`;
    if (one.type === "emoji") return unicodeOf(one.unicode) ?? emojiOf(one.name ?? "") ?? `:${one.name ?? ""}:`;
    if (one.type === "date") return one.fallback ?? "";
    if (one.type === "mrkdwn") return marked(one);
    if (one.type === "image") return one.alt_text ?? "";
    const said = typeof one.text === "string" ? one.text : (one.text?.text ?? "");
    if (one.type === "link") {
      if (said === "" || said === one.url) return one.url ?? "";
      if (one.url !== undefined) links.push(one.url);
      return said;
    }
    return said + (one.elements ?? []).map((element) => inline(element, depth + 1)).join("");
  };
  const marked = (one: Node): string => {
    const plain = plainText(typeof one.text === "string" ? one.text : (one.text?.text ?? ""), names);
    links.push(...plain.links);
    return plain.text;
  };
  const block = (value: unknown, depth: number): string => {
    const parsed = node.safeParse(value);
    if (!parsed.success || depth > maxDepth || left <= 0) return "";
    const one = parsed.data;
    const elements = one.elements ?? [];
    if (one.type === "rich_text")
      return elements
        .map((element) => block(element, depth + 1))
        .filter(Boolean)
        .join("\n");
    if (one.type === "rich_text_list") {
      const indent = "  ".repeat(one.indent ?? 0);
      const mark = (i: number) => (one.style === "ordered" ? `${i + 1}.` : "•");
      return elements.map((element, i) => `${indent}${mark(i)} ${inline(element, depth + 1)}`).join("\n");
    }
    if (one.type === "rich_text_quote") return inline(one, depth).replace(/^/gm, "> ");
    if (one.type === "context") return elements.map((element) => inline(element, depth + 1)).join(" ");
    if (one.type === "section" || one.type === "header") {
      const fields = (one.fields ?? []).map((field) => inline({ ...Object(field), type: "mrkdwn" }, depth + 1));
      return [marked(one), ...fields].filter(Boolean).join("\n");
    }
    if (one.type === "image") return one.alt_text ?? "";
    return one.type.startsWith("rich_text") ? inline(one, depth).replace(/\n$/, "") : "";
  };
  const text = blocks
    .slice(0, 200)
    .map((one) => block(one, 0))
    .filter((part) => part.trim() !== "")
    .join("\n");
  return { text, links };
}

function unicodeOf(hex: string | undefined): string | null {
  if (hex === undefined || !/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/i.test(hex)) return null;
  const points = hex.split("-").map((part) => Number.parseInt(part, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
}
