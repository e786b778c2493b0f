import { baseName, folderOf } from "../files.ts";
import { cleanLine } from "../text/clean.ts";
import { jsonItems, readJson } from "../text/json.ts";
import type { Entry, SourceTree } from "../types.ts";
import { isExport, isPackageMessages, packageIds } from "./recognise.ts";
import { messageSchema, packageUserSchema } from "./schema.ts";

/** Who asked Discord for the package: it holds only their messages. */
export interface Owner {
  readonly id: string | null;
  readonly name: string | null;
}

/** Messages of exports that are looked through for one of the package. */
const maxLooked = 50_000;
const maxIds = 200_000;

const owners = new WeakMap<SourceTree, Promise<Owner | null>>();

/**
 * The owner of the data package in an import, null where there is none: by its user.json; else by a message that both the
 * package and an export of DiscordChatExporter have, whose author the export names.
 */
export function ownerIn(tree: SourceTree): Promise<Owner | null> {
  const known = owners.get(tree) ?? findOwner(tree);
  owners.set(tree, known);
  return known;
}

async function findOwner(tree: SourceTree): Promise<Owner | null> {
  const messages: Entry[] = [];
  for (const entry of tree.entries) if (await isPackageMessages(entry)) messages.push(entry);
  const [first] = messages;
  if (first === undefined) return null;
  return (await byAccount(tree, first)) ?? (await byMessages(tree, messages)) ?? { id: null, name: null };
}

async function byAccount(tree: SourceTree, messages: Entry): Promise<Owner | null> {
  const root = folderOf(folderOf(folderOf(messages.joined)));
  for (const entry of tree.joined.below(root)) {
    if (baseName(entry.path).toLowerCase() !== "user.json") continue;
    try {
      const read = packageUserSchema.safeParse(await readJson(entry, 64 * 1024 * 1024));
      if (!read.success || read.data.id === null) continue;
      return { id: read.data.id, name: cleanLine(read.data.global_name ?? read.data.username ?? "") };
    } catch {
      // What is wrong with the file is told where it is read.
    }
  }
  return null;
}

async function byMessages(tree: SourceTree, messages: readonly Entry[]): Promise<Owner | null> {
  const exports: Entry[] = [];
  for (const entry of tree.entries) if (await isExport(entry)) exports.push(entry);
  if (exports.length === 0) return null;
  const ids = new Set<string>();
  for (const entry of messages) {
    try {
      for await (const id of packageIds(entry)) if (ids.size < maxIds) ids.add(id);
    } catch {
      // Those before the damage count.
    }
  }
  for (const entry of exports) {
    let looked = 0;
    try {
      for await (const { value } of jsonItems(entry, ["$.messages.*"])) {
        const read = messageSchema.safeParse(value);
        const { id, author } = read.success ? read.data : { id: null, author: null };
        if (id !== null && author !== null && ids.has(id)) {
          return { id: author.id, name: cleanLine(author.nickname ?? author.name ?? "") };
        }
        if (++looked >= maxLooked) break;
      }
    } catch {
      // Another export may tell.
    }
  }
  return null;
}
