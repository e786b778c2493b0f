import type { RecordFlag } from "#contract";
import { cleanLine } from "../text/clean.ts";
import { decodeWords, first, type Headers } from "./headers.ts";
import { lately } from "./lately.ts";

/** What labels, status headers and file name flags say of a message. */
export interface MailStatus {
  readonly labels: readonly string[];
  readonly flags: readonly RecordFlag[];
  /** The owner wrote it. */
  readonly sent: boolean;
  /** Why it is left out, or null: spam and deleted mail are not brought back. */
  readonly leftOut: "spam" | "deleted" | null;
}

const words = (text: string) => new Set(text.split("|").map((word) => word.toLowerCase()));

/** System labels and folder names as Gmail and mail programs write them, by language of the account. */
const sentNames = words(
  "sent|sent mail|sent items|sent messages|gesendet|gesendete objekte|gesendete elemente|enviados|enviado|elementos enviados|messages envoyés|envoyés|éléments envoyés|inviata|posta inviata|verzonden|verzonden items|skickat|skickade|sendt|sendte|lähetetyt|wysłane|отправленные|надіслані|odeslané|odeslaná pošta|elküldött|gönderilmiş postalar|gönderilmiş öğeler|送信済みメール|送信済み|已发送|已发送邮件|寄件備份|보낸편지함",
);
const spamNames = words(
  "spam|junk|junk e-mail|junk-e-mail|bulk mail|unerwünscht|correo no deseado|indésirables|courrier indésirable|posta indesiderata|ongewenste e-mail|skräppost|søppelpost|roskaposti|спам|nevyžádaná pošta|迷惑メール|垃圾邮件|垃圾郵件|스팸함",
);
const trashNames = words(
  "trash|bin|deleted|deleted items|deleted messages|papierkorb|gelöschte elemente|gelöschte objekte|papelera|eliminados|elementos eliminados|lixeira|corbeille|éléments supprimés|cestino|posta eliminata|prullenbak|verwijderde items|papperskorg|papperskorgen|papirkurv|roskakori|kosz|корзина|кошик|koš|kuka|çöp kutusu|ゴミ箱|已删除邮件|垃圾桶|휴지통",
);
const draftNames = words(
  "draft|drafts|entwurf|entwürfe|borrador|borradores|rascunhos|brouillon|brouillons|bozze|concepten|utkast|kladder|luonnokset|wersje robocze|черновики|чернетки|koncepty|taslaklar|下書き|草稿|임시보관함",
);
const starNames = words(
  "starred|flagged|markiert|destacados|com estrela|suivis|speciali|met ster|stjärnmärkt|oznaczone gwiazdką|помеченные|с звездочкой|スター付き|已加星标|별표편지함",
);

/** What the name of a mailbox or folder says of the mail in it. */
export const mailboxStatus = lately(64, 300, readMailbox);

function readMailbox(name: string): { sent: boolean; leftOut: MailStatus["leftOut"]; draft: boolean } {
  const key = name.replace(/^\./, "").split(/[/.]/).at(-1)?.trim().toLowerCase() ?? "";
  const leftOut = spamNames.has(key) ? "spam" : trashNames.has(key) ? "deleted" : null;
  return { sent: sentNames.has(key), leftOut, draft: draftNames.has(key) };
}

/** Gmail's labels: decoded first, then split at commas outside quotes. */
export function gmailLabels(headers: Headers): string[] {
  const raw = first(headers, "x-gmail-labels");
  if (raw === null) return [];
  const labels: string[] = [];
  for (const match of decodeWords(raw).text.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|([^,]*))\s*(?:,|$)/g)) {
    const label = cleanLine(match[1]?.replace(/\\(.)/g, "$1") ?? match[2] ?? "");
    if (label !== null && !labels.includes(label)) labels.push(label);
    if (labels.length >= 500) break;
  }
  return labels;
}

/**
 * Reads X-Gmail-Labels, Status, X-Status, X-Mozilla-Status and the flags of a Maildir name (`…:2,DFPRST`).
 * `mailbox` is the name of the mailbox that holds the message.
 */
export function mailStatus(headers: Headers, mailbox: string, nameFlags: string): MailStatus {
  const labels = gmailLabels(headers);
  const has = (names: ReadonlySet<string>) => labels.some((label) => names.has(label.toLowerCase()));
  const box = mailboxStatus(mailbox);
  const status = `${first(headers, "status") ?? ""}${first(headers, "x-status") ?? ""}`;
  const mozilla = Number.parseInt(first(headers, "x-mozilla-status") ?? "0", 16) || 0;
  const flags: RecordFlag[] = [];
  if (has(starNames) || status.includes("F") || (mozilla & 0x0004) !== 0 || nameFlags.includes("F"))
    flags.push("starred");
  if (has(draftNames) || box.draft || status.includes("T") || nameFlags.includes("D")) flags.push("draft");
  const deleted =
    has(trashNames) ||
    status.includes("D") ||
    (mozilla & 0x0008) !== 0 ||
    nameFlags.includes("T") ||
    box.leftOut === "deleted";
  const spam = has(spamNames) || box.leftOut === "spam";
  return { labels, flags, sent: has(sentNames) || box.sent, leftOut: spam ? "spam" : deleted ? "deleted" : null };
}
