import { FilesBeside } from "../chats/beside.ts";
import { type FileEnds, messageItems } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import type { Claim, Entry, ImportedItem, ReadContext } from "../types.ts";
import { ownerIn } from "./owner.ts";
import { containerOf, type DiscordChannel, messageRecord } from "./record.ts";
import { channelSchema, type DiscordMessage, guildSchema, messageSchema } from "./schema.ts";

/** JSON of DiscordChatExporter: a channel a file, or several parts of one. */

async function channelOf(entry: Entry, owner: string | null): Promise<DiscordChannel> {
  let guild: string | null = null;
  let name: string | null = null;
  let id: string | null = null;
  let found = 0;
  for await (const { path, value } of jsonItems(entry, ["$.guild", "$.channel"])) {
    if (path[0] === "guild") guild = guildSchema.safeParse(value).data?.name ?? null;
    else {
      const channel = channelSchema.safeParse(value).data;
      name = channel?.name ?? null;
      id = channel?.id ?? null;
    }
    // Both stand before the messages, which need not be read for this.
    if (++found === 2) break;
  }
  const told = id ?? `${guild ?? ""}/${name ?? ""}`;
  return { id: told, container: containerOf(told, name, guild), owner };
}

/** Names of people and roles as far as the messages so far have told them. */
class KnownNames {
  readonly users = new Map<string, string>();
  readonly channels = new Map<string, string>();
  readonly roles = new Map<string, string>();

  learn({ author, mentions }: DiscordMessage): void {
    for (const user of author === null ? mentions : [author, ...mentions]) {
      const name = user.nickname ?? user.name;
      if (user.id !== null && name !== null && this.users.size < 200_000) this.users.set(user.id, name);
      for (const role of user.roles) {
        if (role.id !== null && role.name !== null && this.roles.size < 10_000) this.roles.set(role.id, role.name);
      }
    }
  }
}

export async function* readExport(
  claim: Claim,
  entry: Entry,
  context: ReadContext,
  ends: FileEnds,
): AsyncGenerator<ImportedItem> {
  ends.use(entry.path);
  const owner = await ownerIn(context.tree);
  const channel = await channelOf(entry, owner?.id ?? null);
  const files = new FilesBeside(claim, context.tree, folderOf(entry.joined));
  const names = new KnownNames();
  if (channel.container.title !== null) names.channels.set(channel.id, channel.container.title.replace(/ in .*$/, ""));
  const resume = typeof context.resume === "number" ? context.resume : 0;
  let index = 0;
  for await (const { value } of jsonItems(entry, ["$.messages.*"])) {
    throwIfCancelled(context.signal);
    const read = messageSchema.safeParse(value);
    index++;
    if (!read.success || read.data.id === null) {
      ends.leaveOut(entry.path, "Some entries are no messages.");
      continue;
    }
    names.learn(read.data);
    const place = { path: entry.path, index, files };
    const { record, entries, shown } = messageRecord({ ...read.data, id: read.data.id }, channel, names, place);
    for (const one of [...entries, ...shown]) ends.use(one.path);
    if (index <= resume) continue;
    yield* messageItems(record, entries, { before: index - 1, after: index }, ends, context);
  }
}
