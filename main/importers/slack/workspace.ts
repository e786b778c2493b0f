import { z } from "zod";
import { cleanLine } from "../text/clean.ts";
import { reasonOf } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import type { ReadContext, SourceTree } from "../types.ts";
import type { Names } from "./markup.ts";

/** The lists beside the channels' folders: who the users are and what the channels are called. */

export const userFiles = ["users.json", "org_users.json"];
export const channelFiles = ["channels.json", "groups.json", "mpims.json", "dms.json"] as const;

const text = z.string().optional().catch(undefined);
export const profileSchema = z.object({ display_name: text, real_name: text, name: text });
const userSchema = z.object({
  id: z.string(),
  name: text,
  real_name: text,
  profile: profileSchema.optional().catch(undefined),
});
const channelSchema = z.object({
  id: z.string(),
  name: text,
  members: z.array(z.string()).optional().catch(undefined),
});

export interface Channel {
  readonly id: string | null;
  /** Name of its folder, and of the channel but for direct messages. */
  readonly name: string;
  readonly kind: "channel" | "direct";
  readonly members: readonly string[];
}

export interface Workspace {
  readonly names: Names;
  /** The channel of a folder, by its name or its id. */
  readonly channel: (folder: string) => Channel;
  /** User id of the one who is in all direct chats; null unless certain. */
  readonly owner: string | null;
  /** Lists that could not be read, with the reason. */
  readonly faults: ReadonlyMap<string, string>;
}

/** The first that says something: display name, real name, account name. */
export function shownName(...names: (string | null | undefined)[]): string | null {
  for (const name of names) {
    const line = cleanLine(name ?? "");
    if (line !== null) return line.slice(0, 200);
  }
  return null;
}

const read = new WeakMap<SourceTree, Map<string, Promise<Workspace>>>();

/** The workspace whose lists lie in `root`; read once a tree. */
export function workspaceOf(root: string, context: ReadContext): Promise<Workspace> {
  const known = read.get(context.tree) ?? new Map<string, Promise<Workspace>>();
  read.set(context.tree, known);
  const workspace = known.get(root) ?? readWorkspace(root, context);
  known.set(root, workspace);
  workspace.catch(() => known.delete(root));
  return workspace;
}

async function readWorkspace(root: string, context: ReadContext): Promise<Workspace> {
  const faults = new Map<string, string>();
  const list = async (name: string, take: (value: unknown) => void) => {
    const entry = context.tree.joined.get(root === "" ? name : `${root}/${name}`);
    if (entry === undefined) return;
    try {
      for await (const { value } of jsonItems(entry, ["$.*"])) take(value);
    } catch (error) {
      faults.set(entry.path, reasonOf(error, context.signal));
    }
  };
  const users = new Map<string, string>([["USLACKBOT", "Slackbot"]]);
  for (const file of userFiles) {
    await list(file, (value) => {
      const user = userSchema.safeParse(value).data;
      if (user === undefined) return;
      const name = shownName(user.profile?.display_name, user.profile?.real_name, user.real_name, user.name);
      if (name !== null) users.set(user.id, name);
    });
  }
  const channels = new Map<string, Channel>();
  const names = new Map<string, string>();
  const direct: (readonly string[])[] = [];
  for (const file of channelFiles) {
    await list(file, (value) => {
      const one = channelSchema.safeParse(value).data;
      if (one === undefined) return;
      const members = one.members ?? [];
      const kind = file === "dms.json" || file === "mpims.json" ? "direct" : "channel";
      const name = one.name?.normalize("NFC") ?? one.id;
      if (kind === "channel") names.set(one.id, name);
      if (file === "dms.json" && members.length > 1) direct.push(members);
      const channel: Channel = { id: one.id, name, kind, members };
      for (const key of [one.id, name]) if (!channels.has(key)) channels.set(key, channel);
    });
  }
  const common = direct.reduce((all, members) => all.filter((id) => members.includes(id)), direct[0] ?? []);
  return {
    names: { user: (id) => users.get(id) ?? null, channel: (id) => names.get(id) ?? null },
    channel: (folder) =>
      channels.get(folder) ?? {
        id: /^[CGD][A-Z0-9]{7,20}$/.test(folder) ? folder : null,
        name: folder,
        kind: /^D[A-Z0-9]{7,20}$|^mpdm-/.test(folder) ? "direct" : "channel",
        members: [],
      },
    owner: direct.length > 1 && common.length === 1 ? (common[0] ?? null) : null,
    faults,
  };
}
