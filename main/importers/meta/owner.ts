import { z } from "zod";
import { cleanLine } from "../text/clean.ts";
import { reasonOf } from "../text/guard.ts";
import { readJson } from "../text/json.ts";
import type { Claim, Entry, ReadContext, SourceTree } from "../types.ts";
import { repair } from "./repair.ts";
import { participantsIn } from "./thread.ts";

const fileBytes = 4 * 1024 * 1024;

/** Files that say whose export it is, in any of its folders. */
export function isOwnerFile(name: string): boolean {
  return /^(?:profile_information|personal_information|autofill_information)\.json$/i.test(name);
}

const value = z.object({ value: z.string() });
const profileName = z.union([z.string(), z.object({ full_name: z.string() }).transform((one) => one.full_name)]);
const profile = z.object({ name: profileName }).transform((one) => [one.name]);
const facebook = z.object({
  profile_v2: profile.optional().catch(undefined),
  profile: profile.optional().catch(undefined),
});
/** The keys of Instagram's profile are in the account's language, so each of its values may be the name. */
const instagram = z.object({
  profile_user: z.array(z.object({ string_map_data: z.record(z.string(), value.nullable().catch(null)) })),
});
const autofill = z.object({
  autofill_information_v2: z.record(z.string(), z.array(z.string()).catch([])),
});

/** Names by which the owner may be called, from the text of such a file. */
export function ownerNames(json: unknown): string[] {
  const names: string[] = [];
  const fb = facebook.safeParse(json).data;
  names.push(...(fb?.profile_v2 ?? []), ...(fb?.profile ?? []));
  for (const user of instagram.safeParse(json).data?.profile_user ?? []) {
    for (const one of Object.values(user.string_map_data)) if (one !== null) names.push(one.value);
  }
  const filled = autofill.safeParse(json).data?.autofill_information_v2 ?? {};
  names.push(...(filled.FULL_NAME ?? filled.full_name ?? []));
  return names.flatMap((name) => cleanLine(repair(name)) ?? []);
}

const found = new WeakMap<SourceTree, Map<string, Promise<ReadonlySet<string>>>>();

/**
 * Names of the owner of the export at `root`: as its profile says; else the one participant who is in all of its threads.
 * Empty when neither is certain. Worked out once a tree.
 */
export function ownerOf(root: string, claims: readonly Claim[], context: ReadContext): Promise<ReadonlySet<string>> {
  const roots = found.get(context.tree) ?? new Map<string, Promise<ReadonlySet<string>>>();
  found.set(context.tree, roots);
  const known = roots.get(root) ?? workOut(root, claims, context);
  roots.set(root, known);
  known.catch(() => roots.delete(root));
  return known;
}

async function workOut(root: string, claims: readonly Claim[], context: ReadContext): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const entry of context.tree.joined.below(root)) {
    if (!isOwnerFile(entry.name)) continue;
    try {
      for (const name of ownerNames(await readJson(entry, fileBytes))) names.add(name);
    } catch (error) {
      reasonOf(error, context.signal);
    }
  }
  if (names.size > 0) return names;
  const threads: Entry[] = claims.flatMap((claim) => context.tree.get(claim.primary) ?? []);
  let common: string[] | null = null;
  let seen = 0;
  for (const thread of threads) {
    const people = participantsIn(await thread.head().catch(() => new Uint8Array()));
    // Some exports leave the owner out of chats of two.
    if (people === null || new Set(people).size < 2) continue;
    seen++;
    common = common === null ? people : common.filter((name) => people.includes(name));
  }
  const [only] = new Set(common ?? []);
  return seen >= 2 && only !== undefined && new Set(common).size === 1 ? new Set([only]) : new Set();
}
