import { folderOf } from "../files.ts";
import type { Entry } from "../types.ts";

/** Links, embeds and tags of Markdown as Obsidian, Logseq, Joplin and Notion write them. */

const maxLinks = 2_000;
const maxScan = 2_000_000;

export interface Link {
  /** As written, percent signs decoded, without heading, alias and size. */
  readonly target: string;
  /** Shown in the note: `![[…]]`, `![](…)`. */
  readonly embed: boolean;
}

/** Text without code, where a `#` is no tag and a bracket no link. */
function withoutCode(text: string): string {
  return text
    .slice(0, maxScan)
    .replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1|$(?![\s\S]))/gm, "")
    .replace(/`[^`\n]{0,500}`/g, "");
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Links to other files; addresses of the web are none of them. */
export function linksOf(text: string): Link[] {
  const links: Link[] = [];
  const plain = withoutCode(text);
  const add = (raw: string, embed: boolean) => {
    const target = raw
      .replace(/[|#?].*$/s, "")
      .trim()
      .normalize("NFC");
    if (target !== "" && !/^(?:[a-z][a-z0-9+.-]{1,20}:(?!\/[0-9a-f]{32})|\/\/)/i.test(target))
      links.push({ target, embed });
  };
  for (const match of plain.matchAll(/(!?)\[\[([^[\]\n]{1,500})\]\]/g)) {
    if (links.length < maxLinks) add(match[2] ?? "", match[1] === "!");
  }
  for (const match of plain.matchAll(
    /(!?)\[[^[\]\n]{0,500}\]\(<?([^()<>\n]{1,1000}(?:\([^()\n]{0,200}\)[^()<>\n]{0,500})?)>?\)/g,
  )) {
    const written = (match[2] ?? "").replace(/\s+["'][^"']*["']\s*$/, "");
    if (links.length < maxLinks) add(decoded(written), match[1] === "!");
  }
  return links;
}

/** `#tag`, `#tag/part`, `#[[two words]]`, and Logseq's `tags:: a, b`; a number alone is no tag. */
export function tagsOf(text: string): string[] {
  const tags = new Set<string>();
  const plain = withoutCode(text);
  for (const match of plain.matchAll(/(?:^|[\s(,])#(?:\[\[([^[\]\n]{1,100})\]\]|([\p{L}\p{N}_/-]{1,100}))/gmu)) {
    const tag = match[1] ?? match[2] ?? "";
    if (/\D/.test(tag) && tags.size < 500) tags.add(tag);
  }
  for (const match of plain.matchAll(/^[ \t-]*tags::[ \t]*(.{1,1000})$/gm)) {
    for (const one of (match[1] ?? "").split(",")) {
      const tag = one.replace(/\[\[|\]\]|#/g, "").trim();
      if (tag !== "" && tags.size < 500) tags.add(tag);
    }
  }
  return [...tags];
}

/** Files of a vault, found as its notes name them: beside the note, from the top, else anywhere by name. */
export class Vault {
  readonly #root: string;
  readonly #byPath = new Map<string, Entry>();
  readonly #byName = new Map<string, Entry[]>();

  constructor(root: string, entries: readonly Entry[]) {
    this.#root = root;
    for (const entry of entries) {
      this.#byPath.set(entry.joined.toLowerCase(), entry);
      const stem = /^([0-9a-f]{32})\.\w+$/.exec(entry.name)?.[1];
      for (const name of [entry.name.toLowerCase(), ...(stem === undefined ? [] : [`:/${stem}`])]) {
        const known = this.#byName.get(name);
        if (known === undefined) this.#byName.set(name, [entry]);
        else known.push(entry);
      }
    }
  }

  /** The file that a link of `from` means, never one outside of the vault. */
  find(target: string, from: Entry): Entry | null {
    const wanted = target.replaceAll("\\", "/").toLowerCase();
    if (wanted.startsWith(":/")) {
      // Joplin's description of a file is called like the file.
      const named = this.#byName.get(wanted) ?? [];
      return named.find(({ name }) => !name.endsWith(".md")) ?? named[0] ?? null;
    }
    for (const base of [folderOf(from.joined), this.#root]) {
      const path = resolved(base.toLowerCase(), wanted);
      const found = path === null ? undefined : (this.#byPath.get(path) ?? this.#byPath.get(`${path}.md`));
      if (found !== undefined) return found;
    }
    const name = wanted.split("/").at(-1) ?? "";
    const named = this.#byName.get(name) ?? this.#byName.get(`${name}.md`) ?? [];
    return named.find(({ joined }) => joined.toLowerCase().endsWith(`/${wanted}`)) ?? named[0] ?? null;
  }
}

/** A relative path from a folder, or null when it leads above the top. */
function resolved(base: string, path: string): string | null {
  const parts = path.startsWith("/") || base === "" ? [] : base.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else parts.push(part);
  }
  return parts.join("/");
}
