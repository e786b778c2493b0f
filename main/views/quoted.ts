/**
 * Blanks out what a mail repeats of others and its signature, but for telephone numbers. Letters become spaces and line ends stay, so every offset
 * in the result is an offset in the mail. A forwarded mail is content, not quotation: it stays. When nothing would be
 * left, the mail is given as it is.
 */
export function maskQuoted(text: string): string {
  const lines = text.split("\n");
  const colons = lines.map(endsInColon);
  const masked: string[] = [];
  let hidden: "no" | "signature" | "history" = "no";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const marked = mark.test(line);
    if (marked && isForwarded(line)) {
      // From here on another mail is shown for the first time, with all that stands in it.
      masked.push(...lines.slice(at));
      break;
    }
    const mayIntroduce = hidden !== "history" && (colons[at] || colons[at + 1] || colons[at + 2]);
    const introduced = mayIntroduce ? introduction(lines, at) : 0;
    if (marked) {
      if (hidden !== "history" && (isOriginal(line) || headerBlock(lines, at))) hidden = "history";
      else if (hidden === "no" && (/^--\s?$/.test(line) || isDevice(line, lines, at))) hidden = "signature";
    }
    if (introduced > 0) {
      for (let i = 0; i < introduced; i++) masked.push(blank(lines[at + i] ?? ""));
      at += introduced - 1;
      // Without marks before its lines the old mail runs to the end.
      const next = lines.slice(at + 1, at + 4).find((one) => one.trim() !== "");
      if (next !== undefined && !isQuote(next)) hidden = "history";
      continue;
    }
    const kept = hidden === "signature" && reached.test(line);
    masked.push((hidden !== "no" && !kept) || (marked && isQuote(line)) ? blank(line) : line);
  }
  const result = masked.join("\n");
  return result.trim() === "" ? text : result;
}

const endsInColon = (line: string): boolean => {
  const end = line.trimEnd();
  return end.endsWith(":") || end.endsWith("：");
};
/** A line of a signature that says by what number its writer is reached: that is looked for, and stands nowhere else. */
const reached =
  /^[\s*|•-]*(?:(?:tele)?phone|tel(?:efon)?|mobile?|mobil(?:telefon)?|cell|handy|fon|fax)\.?(?:\s\p{L}+)?\s*:?\s*[+(]?\d[\d\s()./-]{5,}/iu;
const blank = (line: string) => " ".repeat(line.length);
const quote = /^\s?[>|›»]/;
const isQuote = (line: string) => quote.test(line);

/** A line that mail programs put before what they quote, by language: how it begins, and what it holds. */
const introductions: readonly (readonly [begin: RegExp, holds: RegExp])[] = [
  [/^on\b/i, /\bwrote\b/i],
  [/^(?:am|vom|um)\b/i, /\b(?:schrieb|hat .{0,80}geschrieben)\b/i],
  [/^le\b/i, /\ba écrit\b/i],
  [/^el\b/i, /\bescribi[óo]/i],
  [/^(?:il|in data)\b/i, /\bha scritto\b/i],
  [/^(?:em|no dia|a)\b/i, /\bescreveu\b/i],
  [/^op\b/i, /\bschreef\b/i],
  [/^(?:den|på)(?=\s)/i, /\bskr(?:e|é)v\b/i],
  [/^(?:w dniu|dnia|dn\.|on)\s/i, /napisał|pisze/i],
  [/^(?:dne|ve?)\s/i, /\bnapsal/i],
  [/^\d|^(?:pe|ma|ti|ke|to|la|su)\b/i, /\bkirjoitti\b/i],
  [/^/, /(?:пишет|писал(?:\(а\)|а|и)?|написал(?:\(а\)|а|и)?|пише|написав)/i],
  [/^\d|^on\b/i, /\byazdı\b/i],
  [/^\d/, /\b(?:ezt írta|írta)\b/i],
  [/^(?:la|în|pe|on)\b/i, /\ba scris\b/i],
  [/^\d|^στις/i, /έγραψε/i],
  [/^/, /(?:さんは書きました|さんが書きました|のメール|wrote)/],
  [/^(?:在|于|\d)|[\d年]/, /(?:写道|寫道|写到)/],
  // Gmail in several languages names only the day and the address.
  [/^\p{L}{2,4}\.?,? \d/u, /<[^<>\s]*@[^<>\s]*>\s*:$/],
  [/^\d|년/, /(?:작성|님이 씀)/],
];

/** A date, a clock or an address: an introduction names one of them, a sentence about somebody who wrote seldom does. */
const told = /@|\d{1,2}[:.]\d{2}|\d{4}|\d{1,2}[./-]\d{1,2}/;

/** How many lines from here introduce a quotation: 0, or up to three that a program wrapped. */
function introduction(lines: readonly string[], at: number): number {
  const first = lines[at] ?? "";
  if (first.length > 300 || first.trim() === "" || isQuote(first)) return 0;
  let joined = "";
  for (let count = 1; count <= 3; count++) {
    const line = lines[at + count - 1];
    if (line === undefined || line.trim() === "" || isQuote(line)) return 0;
    joined = joined === "" ? line.trim() : `${joined} ${line.trim()}`;
    if (joined.length > 400) return 0;
    if (!/[:：]\s*$/.test(joined)) continue;
    return told.test(joined) && introductions.some(([begin, holds]) => begin.test(joined) && holds.test(joined))
      ? count
      : 0;
  }
  return 0;
}

/** Words of "original message" between dashes or underscores, by language. */
const original =
  /^[\s*]*[-_=]{2,}\s*(?:original(?:ni)? (?:message|appointment|zpráva)|ursprüngliche (?:nachricht|e-mail)|ursprünglicher termin|message d['’]origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|původní zpráva|eredeti üzenet|исходное сообщение|оригинальное сообщение|оригінальне повідомлення|özgün ileti|orijinal mesaj|mesaj original|αρχικό μήνυμα|元のメッセージ|原始邮件|原始郵件|邮件原件|원본 메시지)\s*[-_=]{2,}/i;

const isOriginal = (line: string) => line.length < 200 && (original.test(line) || /^_{25,}\s*$/.test(line));

/** Words of "forwarded message" between dashes, by language; Apple's line has no dashes. */
const forwarded =
  /^[\s*>]*(?:-{2,}|—{2,})\s*(?:forwarded|weitergeleitete|message transféré|mensaje reenviado|messaggio inoltrato|mensagem (?:reencaminhada|encaminhada)|doorgestuurd bericht|vidarebefordrat|videresendt|välitetty|treść przekazanej|přeposlaná|továbbított|пересылаемое|пересланное|переслане|iletilen|转发的?邮件|轉寄的?郵件|転送された|전달된)|^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|début du (?:message|courriel) (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:reencaminhada|encaminhada)|begin doorgestuurd bericht)\s*:/i;

const isForwarded = (line: string) => line.length < 200 && forwarded.test(line);

/** Lines that telephones and programs put under a mail, by language. */
const device =
  /^(?:(?:sent|get outlook) (?:from|for|via|with)|von meinem .{1,40} gesendet|gesendet (?:von|mit)|diese nachricht wurde von|envoyé (?:de(?:puis)?|à partir|avec)|enviado (?:desde|do|de|a partir|via)|inviato (?:da|dal)|verzonden (?:vanaf|met|vanuit)|verstuurd vanaf|skickat från|sendt fra|lähetetty|wysłan[eo] z|odesláno z|отправлено (?:с|из)|надіслано з|iphone'umdan gönderildi|iphone ?から送信|从我的 ?iphone ?发送|發自我的 ?iphone|나의 iphone에서 보냄)/i;

function isDevice(line: string, lines: readonly string[], at: number): boolean {
  if (line.length > 90 || !device.test(line.trim()) || /[.!?]\s+\S/.test(line)) return false;
  // As a line of its own: what a person writes begins no paragraph with it and goes on.
  return at === 0 || (lines[at - 1] ?? "").trim() === "" || lines.slice(at + 1).every((one) => one.trim() === "");
}

/** Names of the fields with which Outlook heads what it quotes, by language. */
const fields = {
  from: "from|von|de|da|van|från|fra|lähettäjä|od|feladó|от|від|kimden|από|expeditor|差出人|发件人|寄件者|보낸 사람",
  sent: "sent|date|gesendet|datum|envoyé|date d['’]envoi|enviado(?: el| em)?|fecha|data|inviato|verzonden|skickat|sendt|dato|lähetetty|päivämäärä|wysłano|data|odesláno|elküldve|dátum|отправлено|дата|надіслано|gönderildi|gönderilme tarihi|tarih|στάλθηκε|trimis|送信日時|日付|发送时间|日期|寄件日期|보낸 날짜",
  more: "to|subject|an|betreff|à|objet|para|asunto|assunto|a|oggetto|aan|onderwerp|till|ämne|til|emne|vastaanottaja|aihe|do|temat|komu|předmět|címzett|tárgy|кому|тема|kime|konu|προς|θέμα|către|subiect|宛先|件名|收件人|主题|主旨|받는 사람|제목",
} as const;
const field = (names: string) => new RegExp(`^[\\s*]{0,4}(?:${names})[\\s*]*[:：]\\s?`, "i");
const from = field(fields.from);
const sent = field(fields.sent);
const more = field(fields.more);

/** Outlook's way of quoting: From, Sent, To, Subject on lines of their own, then the old mail. */
function headerBlock(lines: readonly string[], at: number): boolean {
  if (!from.test(lines[at] ?? "")) return false;
  // On top it is the mail's own beginning, and no quotation.
  if (lines.slice(0, at).every((line) => line.trim() === "")) return false;
  const next = lines.slice(at + 1, at + 6);
  return next.some((line) => sent.test(line)) && next.some((line) => more.test(line));
}

/** Any of the beginnings above, asked once a line: most lines have none, and need not be asked for each. */
const mark = new RegExp(
  [quote, original, /^_{25}/, forwarded, from, /^--\s?$/].map(({ source }) => source).join("|") +
    `|^\\s*${device.source.slice(1)}`,
  "i",
);
