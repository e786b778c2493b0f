/**
 * Joplin's RAW export: one `<32 hex>.md` an item, whose last lines are its fields (joplinapp.org, "Markdown and RAW"):
 * title, blank line, body, blank line, `id: …`, … `type_: 1`. Notes, notebooks, tags and resources all look so.
 */
export interface JoplinItem {
  readonly id: string;
  /** 1 note, 2 notebook, 4 resource, 5 tag, 6 tag of a note. */
  readonly type: number;
  readonly title: string;
  readonly body: string;
  readonly fields: ReadonlyMap<string, string>;
}

export const isJoplinName = (name: string): boolean => /^[0-9a-f]{32}\.md$/.test(name);

/** An item of its text, or null for any other text. */
export function joplinItem(text: string): JoplinItem | null {
  const lines = text.replace(/\r\n?/g, "\n").trimEnd().split("\n");
  const fields = new Map<string, string>();
  let at = lines.length - 1;
  for (; at >= 0; at--) {
    const match = /^([a-z][a-z0-9_]{0,60}): ?(.*)$/.exec(lines[at] ?? "");
    if (!match) break;
    fields.set(match[1] ?? "", match[2] ?? "");
  }
  const id = fields.get("id") ?? "";
  const type = Number(fields.get("type_"));
  if (!/^[0-9a-f]{32}$/.test(id) || !Number.isInteger(type) || type < 1) return null;
  const [title = "", ...body] = lines.slice(0, Math.max(0, at));
  return { id, type, title, body: body.join("\n").trim(), fields };
}

/** Names of notebooks and tags by the items that are in them. */
export class JoplinBook {
  readonly #folders = new Map<string, string>();
  readonly #tags = new Map<string, string>();
  readonly #tagged = new Map<string, string[]>();
  readonly #titles = new Map<string, string>();

  add({ id, type, title, fields }: JoplinItem): void {
    if (type === 2) this.#folders.set(id, title);
    else if (type === 4) this.#titles.set(id, title);
    else if (type === 5) this.#tags.set(id, title);
    else if (type === 6) {
      const note = fields.get("note_id") ?? "";
      this.#tagged.set(note, [...(this.#tagged.get(note) ?? []), fields.get("tag_id") ?? ""].slice(0, 500));
    }
  }

  notebook(item: JoplinItem): { id: string; title: string } | null {
    const id = item.fields.get("parent_id") ?? "";
    const title = this.#folders.get(id);
    return title === undefined ? null : { id, title };
  }

  tags(item: JoplinItem): string[] {
    return (this.#tagged.get(item.id) ?? []).map((tag) => this.#tags.get(tag)).filter((tag) => tag !== undefined);
  }

  /** Name of a resource as the person knew the file. */
  fileName(id: string): string | null {
    return this.#titles.get(id) || null;
  }
}
