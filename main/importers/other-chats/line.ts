import type { Container, ImportedRecord, RecordFlag } from "#contract";
import { chatRecord, member, Repeats } from "../chats/message.ts";
import { FileEnds } from "../chats/sent.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { timeFromCivil } from "../text/time.ts";
import {
  type Claim,
  type Entry,
  type ImportedItem,
  type Importer,
  limits,
  type ReadContext,
  type SourceTree,
} from "../types.ts";
import { readLines } from "../whatsapp/lines.ts";
import { type LineDate, type LineHeader, readLineDate, readLineHeader } from "./line-text.ts";

/** What stands for a file that the text cannot hold, in the languages that were seen. */
const media =
  /^\[(?:photo|video|voice message|file|album|写真|動画|ボイスメッセージ|ファイル|アルバム|照片|影片|語音訊息|檔案|相簿|사진|동영상|음성 메시지|파일)\]$/i;
const unsent = /unsent a message|メッセージの送信を取り消しました|已收回訊息|메시지를 삭제했습니다/i;

async function looksLikeLine(entry: Entry): Promise<boolean> {
  const text = new TextDecoder().decode(await entry.head().catch(() => new Uint8Array()));
  const lines = text.split(/\r?\n/).slice(0, 40);
  const dated = lines.findIndex((line) => readLineDate(line) !== null);
  if (dated < 0) return false;
  if (/^\ufeff?\[LINE\]/.test(text)) return true;
  return lines.slice(dated + 1).filter((line) => readLineHeader(line)?.name).length >= 2;
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    if (!/\.txt$/i.test(entry.name) || entry.name.startsWith("._") || !(await looksLikeLine(entry))) continue;
    yield { primary: entry.path, companions: [], label: titleOf(entry, "") ?? entry.name, confidence: 3 };
  }
}

/** "[LINE] Chat history with Yui", "[LINE] Yuiとのトーク履歴": by the first line, else by the file's name. */
function titleOf(entry: Entry, first: string): string | null {
  const text = /\[LINE\]\s*(.+)/.exec(first)?.[1] ?? /\[LINE\]\s*(.+?)(?:\.txt)?$/.exec(entry.name)?.[1] ?? "";
  const inside =
    /^(?:Chat (?:history )?(?:with|in) )(.+)$/i.exec(text)?.[1] ??
    /^(.+?)とのトーク/.exec(text)?.[1] ??
    /^與(.+?)的聊天/.exec(text)?.[1];
  return cleanLine((inside ?? text).replace(/^["“「](.+)["”」]$/, "$1"))?.slice(0, 200) ?? null;
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const ends = new FileEnds(claim);
  const resume = typeof context.resume === "number" ? context.resume : -1;
  const repeats = new Repeats();
  let container: Container | null = null;
  let date: LineDate | null = null;
  let open: { header: LineHeader; date: LineDate | null; line: number; text: string } | null = null;
  let line = -1;
  const finish = (): ImportedRecord | null =>
    open === null || container === null ? null : messageRecord(open, container, entry.path, repeats);
  try {
    for await (const { text } of readLines(entry)) {
      throwIfCancelled(context.signal);
      line++;
      if (container === null) {
        const title = titleOf(entry, text);
        container = { key: `line:${(title ?? "").toLowerCase()}`, title, kind: "chat" };
      }
      const day = readLineDate(text);
      const header = day === null ? readLineHeader(text) : null;
      if (day === null && header === null) {
        if (open !== null && open.text.length < limits.textChars) open.text += `\n${text}`;
        continue;
      }
      const record = finish();
      if (record !== null && (open?.line ?? 0) > resume) yield { type: "record", record, cursor: open?.line ?? 0 };
      open = header === null ? null : { header, date, line, text: header.text };
      date = day ?? date;
    }
    ends.use(entry.path);
  } catch (error) {
    ends.use(entry.path);
    ends.warn(entry.path, reasonOf(error, context.signal));
  }
  const record = finish();
  if (record !== null && (open?.line ?? 0) > resume) yield { type: "record", record, cursor: open?.line ?? 0 };
  yield* ends.items("There is no message in it.");
}

function messageRecord(
  { header, date, line, text }: { header: LineHeader; date: LineDate | null; line: number; text: string },
  container: Container,
  path: string,
  repeats: Repeats,
): ImportedRecord {
  // Messages of several lines stand in quotation marks, those inside doubled.
  const quoted = text.includes("\n") && /^"[\s\S]*"\s*$/.test(text);
  const said = quoted ? text.trim().slice(1, -1).replaceAll('""', '"') : text;
  const { hour, minute, name } = header;
  const time =
    date === null
      ? null
      : timeFromCivil({ ...date, hour, minute, second: 0 }, null, { source: "message-header", precision: "minute" });
  const key = fieldHash([time?.local ?? null, name, said.trim()]);
  const repeat = repeats.next(key);
  const flags: RecordFlag[] = media.test(said.trim())
    ? ["missing-media"]
    : unsent.test(said) && name === null
      ? ["deleted"]
      : [];
  const shown = cleanLine(name ?? "")?.slice(0, 200) ?? null;
  return chatRecord({
    identity: `line:${fieldHash([container.key]).slice(0, 16)}:${fieldHash([key, String(repeat)])}`,
    nativeId: null,
    kind: shown === null ? "system" : "message",
    text: media.test(said.trim()) ? null : said,
    author: shown === null ? null : member(shown, null, { role: "author" }),
    time,
    container,
    sequence: line,
    file: { path, offset: null, bytes: null, role: null },
    props: flags.length > 0 ? { flags } : {},
  });
}

/** LINE's text export. The cursor is the line of the last message. */
export const lineImporter: Importer = { id: "line", title: "LINE chat", order: 79, recognise, read };
