import { FileEnds } from "../chats/sent.ts";
import { baseName, fileEnd, folderOf } from "../files.ts";
import { reasonOf } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { readExport } from "./exporter.ts";
import { readPackage } from "./package.ts";
import { isExport, isOtherForm, isPackageMessages } from "./recognise.ts";

/** Name of an export without its ending and the number of its part: `Hut - general [12]`. */
const stem = (name: string) => name.replace(/\.(?:json|html?|csv|txt)$/i, "").replace(/ \[part \d+\]$/, "");

const within = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

/** Folders with what exports of this folder downloaded: `NAME.json_Files`; also those of exports that were renamed. */
function mediaOf(entry: Entry, exports: readonly Entry[], free: SourceTree): Entry[] {
  const folder = folderOf(entry.joined);
  const start = folder === "" ? 0 : folder.length + 1;
  const own = stem(entry.name);
  const neighbours = exports.filter(({ joined }) => folderOf(joined) === folder).map(({ name }) => stem(name));
  return free.joined.below(folder).filter(({ joined }) => {
    const rest = joined.slice(start);
    const top = rest.slice(0, Math.max(0, rest.indexOf("/")));
    if (!/_Files$/i.test(top)) return false;
    const of = stem(top.replace(/_Files$/i, ""));
    return of === own || !neighbours.includes(of);
  });
}

/** What a package holds beside messages: of the account, of servers, logs of what was clicked. */
const packageFolders =
  /^(?:account|activity|activities(?:_\w)?|ads|programs|servers|store|support_tickets|user_data_.*)$/i;

function packageRest(root: string, free: SourceTree): Entry[] {
  const start = root === "" ? 0 : root.length + 1;
  return free.joined.below(root).filter(({ joined }) => {
    const rest = joined.slice(start);
    const top = rest.slice(0, Math.max(0, rest.indexOf("/")));
    return top === "" ? /^readme\.txt$/i.test(rest) : packageFolders.test(top);
  });
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const exports: Entry[] = [];
  const packages: Entry[] = [];
  const others: Entry[] = [];
  for (const entry of free.entries) {
    if (entry.bytes === 0) continue;
    if (await isExport(entry)) exports.push(entry);
    else if (await isPackageMessages(entry)) packages.push(entry);
    else if (await isOtherForm(entry)) others.push(entry);
  }
  const twins = new Set<string>();
  for (const entry of exports) {
    const beside = others.filter(
      (other) => folderOf(other.joined) === folderOf(entry.joined) && stem(other.name) === stem(entry.name),
    );
    for (const { path } of beside) twins.add(path);
    const companions = [...mediaOf(entry, exports, free), ...beside].map(({ path }) => path);
    yield { primary: entry.path, companions, label: stem(entry.name), confidence: 3 };
  }
  for (const entry of others) {
    if (!twins.has(entry.path)) yield { primary: entry.path, companions: [], label: entry.name, confidence: 3 };
  }
  const told = new Set<string>();
  for (const entry of packages) {
    const folder = folderOf(entry.joined);
    const above = folderOf(folder);
    const companions = [free.joined.get(within(folder, "channel.json"))];
    if (!told.has(above)) {
      told.add(above);
      const index = free.joined.get(within(above, "index.json"));
      companions.push(index, ...(index === undefined ? [] : packageRest(folderOf(above), free)));
    }
    const paths = companions.flatMap((one) => (one === undefined ? [] : [one.path]));
    yield { primary: entry.path, companions: paths, label: baseName(folder), confidence: 3 };
  }
}

const otherFormHint =
  "This form of DiscordChatExporter leaves out ids and replies. Export the channel again with the format JSON and import that.";

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const ofExporter = await isExport(entry);
  if (!ofExporter && !(await isPackageMessages(entry))) {
    yield fileEnd(entry.path, "skipped", otherFormHint);
    return;
  }
  const ends = new FileEnds(claim);
  let records = context.resume === null ? 0 : 1;
  try {
    const items = ofExporter ? readExport(claim, entry, context, ends) : readPackage(entry, context, ends);
    for await (const item of items) {
      records++;
      yield item;
    }
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), records > 0);
  }
  for (const path of claim.companions) {
    if (/(?:^|\/)user\.json$/i.test(path)) ends.use(path);
    else if (ofExporter && /\.(?:html?|csv|txt)$/i.test(path) && !/_Files\//i.test(path)) {
      ends.warn(path, "The JSON export beside it has the same messages.");
    }
  }
  yield* ends.items(ofExporter ? "No message names it." : "It holds no messages.");
}

/** Discord: exports of DiscordChatExporter and the data package. The cursor is the number of messages done. */
export const discordImporter: Importer = { id: "discord", title: "Discord", order: 85, recognise, read };
