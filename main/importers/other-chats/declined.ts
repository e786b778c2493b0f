import { fileEnd } from "../files.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";

/** Chat exports that are known by sight and not read: named, so that nobody wonders where they went. */

interface Kind {
  readonly name: string;
  readonly file: RegExp;
  /** What the first bytes must say; absent: the name is enough. */
  readonly head?: RegExp;
  readonly hint: string;
}

const original = "The file stays where it is.";
const kinds: readonly Kind[] = [
  {
    name: "KakaoTalk",
    file: /\.(?:txt|csv)$/i,
    head: /^\ufeff?(?:.{0,200}(?:님과 카카오톡 대화|카카오톡 대화)|KakaoTalk Chats with |Date,User,Message\r?\n)/,
    hint: `KakaoTalk chats are not read yet. ${original}`,
  },
  {
    name: "Viber",
    file: /^(?:chats? with|messages|viber).*\.(?:csv|txt)$/i,
    head: /viber|^\ufeff?(?:Date,Time,Sender|Conversation,Sent Date)/i,
    hint: `Viber's exports are not read yet. ${original}`,
  },
  {
    name: "WeChat",
    file: /^(?:EnMicroMsg|MicroMsg|MM)\.(?:db|sqlite)$/i,
    hint: "WeChat's databases are encrypted or unknown and are not read; WeChat has no export of its own.",
  },
  {
    name: "Microsoft Teams",
    file: /\.(?:json|html?)$/i,
    head: /"@odata\.context"\s*:\s*"https:\/\/graph\.microsoft\.com\/[^"]*(?:chatMessage|\/messages)|teams\.microsoft\.com\/l\/message/,
    hint: "Exports of Teams at work are not read. A personal account's export (messages.json) is.",
  },
];

async function kindOf(entry: Entry): Promise<Kind | null> {
  for (const kind of kinds) {
    if (!kind.file.test(entry.name)) continue;
    if (kind.head === undefined) return kind;
    const head = new TextDecoder().decode(await entry.head().catch(() => new Uint8Array()));
    if (kind.head.test(head)) return kind;
  }
  return null;
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    if (entry.name.startsWith("._") || /\.(?:jpe?g|png|heic|mp4|mov)\..*json$/i.test(entry.name)) continue;
    const kind = await kindOf(entry);
    if (kind !== null) yield { primary: entry.path, companions: [], label: kind.name, confidence: kind.head ? 2 : 1 };
  }
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  const kind = entry === undefined ? null : await kindOf(entry);
  yield fileEnd(claim.primary, "skipped", kind?.hint ?? original);
}

/** Chats that are recognised and declined with a hint. */
export const declinedChatsImporter: Importer = { id: "other-chats", title: "Other chats", order: 78, recognise, read };
