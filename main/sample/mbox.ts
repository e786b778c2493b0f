import { attachmentBytes } from "./attachments.ts";
import { moment, pad } from "./clock.ts";
import { hash32 } from "./random.ts";
import type { Mail } from "./story/mail.ts";
import { type Correspondent, people } from "./story/people.ts";

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** Message-ID of a mail of the story, without angle brackets. */
export function messageId(mail: Mail): string {
  return `${mail.id}@${people[mail.from].address.split("@")[1]}`;
}

/** Encoded-words of at most 45 octets each, cut between characters (RFC 2047). */
function encodedWords(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself.
  if (/^[\x00-\x7f]*$/.test(value)) return value;
  const words: string[] = [];
  let part = "";
  for (const letter of value) {
    if (Buffer.byteLength(part + letter, "utf8") > 42) {
      words.push(part);
      part = "";
    }
    part += letter;
  }
  words.push(part);
  return words.map((word) => `=?utf-8?B?${Buffer.from(word, "utf8").toString("base64")}?=`).join("\n ");
}

function mailbox({ name, address }: Correspondent): string {
  const words = encodedWords(name);
  return words === name && /[^A-Za-z0-9 ]/.test(name) ? `"${name}" <${address}>` : `${words} <${address}>`;
}

/** Quoted-printable with soft breaks below 76 characters (RFC 2045, section 6.7). */
export function quotedPrintable(bytes: Uint8Array): string {
  const out: string[] = [];
  for (const line of Buffer.from(bytes).toString("latin1").split("\n")) {
    let current = "";
    for (let i = 0; i < line.length; i++) {
      const code = line.charCodeAt(i);
      const last = i === line.length - 1;
      const plain = code >= 33 && code <= 126 && code !== 61;
      const blank = (code === 32 || code === 9) && !last;
      const atom = plain || blank ? line.charAt(i) : `=${code.toString(16).toUpperCase().padStart(2, "0")}`;
      if (current.length + atom.length > 75) {
        out.push(`${current}=`);
        current = "";
      }
      current += atom;
    }
    out.push(current);
  }
  return out.join("\n");
}

const base64Lines = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("base64")
    .replace(/.{76}(?=.)/g, "$&\n");

/** Soft-broken paragraphs (RFC 3676): a line that ends in a blank goes on. */
function flowed(text: string): string {
  return text
    .split("\n")
    .map((paragraph) => {
      const lines: string[] = [];
      let line = "";
      for (const word of paragraph.split(" ")) {
        if (line !== "" && line.length + word.length > 70) {
          lines.push(`${line} `);
          line = word;
        } else line = line === "" ? word : `${line} ${word}`;
      }
      lines.push(line);
      return lines.map((l) => (/^( |>|From )/.test(l) ? ` ${l}` : l)).join("\n");
    })
    .join("\n");
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function html(mail: Mail): string {
  const blocks = mail.body
    .split("\n\n")
    .map((block) => `<p style="margin:0 0 14px">${escapeHtml(block).replaceAll("\n", "<br>\n")}</p>`)
    .join("\n");
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${escapeHtml(mail.subject)}</title></head>
<body style="font-family:Georgia,serif;color:#2b2a26;background:#f6f2ea">
<div style="max-width:560px;margin:24px auto;padding:24px;background:#ffffff">
<h2 style="font-weight:normal">${escapeHtml(people[mail.from].name)}</h2>
${blocks}
</div></body></html>`;
}

interface Part {
  readonly headers: readonly string[];
  readonly body: string;
}

function textPart(mail: Mail): Part {
  const type = "Content-Type: text/plain;";
  switch (mail.form) {
    case "latin1":
      return {
        headers: [`${type} charset=iso-8859-1`, "Content-Transfer-Encoding: quoted-printable"],
        body: quotedPrintable(Buffer.from(mail.body, "latin1")),
      };
    case "base64":
      return {
        headers: [`${type} charset=utf-8`, "Content-Transfer-Encoding: base64"],
        body: base64Lines(Buffer.from(mail.body, "utf8")),
      };
    case "flowed":
      return {
        headers: [`${type} charset=utf-8; format=flowed`, "Content-Transfer-Encoding: 8bit"],
        body: flowed(mail.body),
      };
    default:
      return {
        headers: [`${type} charset=utf-8`, "Content-Transfer-Encoding: quoted-printable"],
        body: quotedPrintable(Buffer.from(mail.body, "utf8")),
      };
  }
}

function multipart(kind: "alternative" | "mixed", seed: string, parts: readonly Part[]): Part {
  const boundary = `=_${kind}_${hash32(seed).toString(16)}`;
  const body = parts.map((part) => `--${boundary}\n${part.headers.join("\n")}\n\n${part.body}\n`).join("");
  return { headers: [`Content-Type: multipart/${kind}; boundary="${boundary}"`], body: `${body}--${boundary}--\n` };
}

function content(mail: Mail): Part {
  let part = textPart(mail);
  if (mail.form === "html" || (mail.form === null && people[mail.from].shop)) {
    const page: Part = {
      headers: ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"],
      body: quotedPrintable(Buffer.from(html(mail), "utf8")),
    };
    part = multipart("alternative", mail.id, [part, page]);
  }
  if (mail.attach.length === 0) return part;
  const attachments = mail.attach.map((attachment): Part => {
    const { mime, bytes } = attachmentBytes(attachment);
    return {
      headers: [
        `Content-Type: ${mime}; name="${attachment.name}"`,
        "Content-Transfer-Encoding: base64",
        `Content-Disposition: attachment; filename="${attachment.name}"`,
      ],
      body: base64Lines(bytes),
    };
  });
  return multipart("mixed", `${mail.id} attachments`, [part, ...attachments]);
}

/** One message with its separator line, in the mboxrd dialect: body lines like `>From ` get one more `>`. */
function message(mail: Mail, all: ReadonlyMap<string, Mail>): string {
  const sender = people[mail.from];
  const at = moment(mail.at, sender.zone);
  const second = hash32(mail.id) % 60;
  const day = weekdays[new Date(Date.UTC(at.year, at.month - 1, at.day)).getUTCDay()];
  const clock = `${pad(at.hour)}:${pad(at.minute)}:${pad(second)}`;
  const month = months[at.month - 1];
  const chain: string[] = [];
  for (
    let parent = mail.reply === null ? undefined : all.get(mail.reply);
    parent;
    parent = parent.reply === null ? undefined : all.get(parent.reply)
  ) {
    chain.unshift(`<${messageId(parent)}>`);
  }
  const { headers, body } = content(mail);
  const head = [
    `Date: ${day}, ${at.day} ${month} ${at.year} ${clock} ${at.offset.replace(":", "")}`,
    `From: ${mailbox(sender)}`,
    `To: ${mail.to.map((key) => mailbox(people[key])).join(",\n ")}`,
    ...(mail.cc.length > 0 ? [`Cc: ${mail.cc.map((key) => mailbox(people[key])).join(",\n ")}`] : []),
    `Subject: ${encodedWords(mail.subject)}`,
    `Message-ID: <${messageId(mail)}>`,
    ...(chain.length > 0 ? [`In-Reply-To: ${chain.at(-1)}`, `References: ${chain.join("\n ")}`] : []),
    ...(mail.from === "allotment" || mail.from === "listings"
      ? [`List-Unsubscribe: <mailto:stop@${sender.address.split("@")[1]}>`]
      : []),
    "MIME-Version: 1.0",
    ...headers,
  ];
  const utc = at.utc;
  const separator = `From ${sender.address} ${weekdays[utc.getUTCDay()]} ${months[utc.getUTCMonth()]} ${String(utc.getUTCDate()).padStart(2, " ")} ${pad(utc.getUTCHours())}:${pad(utc.getUTCMinutes())}:${pad(second)} ${utc.getUTCFullYear()}`;
  return `${separator}\n${head.join("\n")}\n\n${body.replace(/^(>*From )/gm, ">$1").trimEnd()}\n\n`;
}

/** The mailboxes of the story: what Mara sent, what shops and services wrote, and all else. Each in order of time. */
export function mailboxes(mails: readonly Mail[]): Record<"Inbox" | "Sent" | "Household", Uint8Array> {
  const all = new Map(mails.map((mail) => [mail.id, mail]));
  const ordered = mails.toSorted(
    (a, b) => moment(a.at, people[a.from].zone).utc.getTime() - moment(b.at, people[b.from].zone).utc.getTime(),
  );
  const box = (wanted: (mail: Mail) => boolean) =>
    Buffer.from(
      ordered
        .filter(wanted)
        .map((mail) => message(mail, all))
        .join(""),
      "utf8",
    );
  return {
    Inbox: box((mail) => mail.from !== "mara" && !people[mail.from].shop),
    Sent: box((mail) => mail.from === "mara"),
    Household: box((mail) => people[mail.from].shop),
  };
}
