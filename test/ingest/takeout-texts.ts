/** The texts of the made-up Takeout in `takeout.ts`: mail, chat, notes, places, people, days. */

const people = ["Wanda Krol", "Ilir Hoxha", "Bente Lund", "Ravi Menon", "Tove Berg"] as const;
const addressOf = (name: string) => `${name.toLowerCase().replace(" ", ".")}@quay.example`;
const owner = "Jo Amsel <jo.amsel@quay.example>";
const topics = ["The tide table", "Paint for the hull", "Sunday's crossing", "A key that fits nothing", "Bread order"];
const two = (n: number) => String(n).padStart(2, "0");

/** Threads of four, in the order in which Gmail writes them: newest first. */
export function mailbox(count: number): string {
  const all: string[] = [];
  for (let index = count - 1; index >= 0; index--) all.push(mail(index));
  return all.join("");
}

const thread = (index: number) => Math.floor(index / 4);
const dateOf = (index: number) => new Date(Date.UTC(2022, 0, 1, 7, 30) + index * 7 * 3_600_000);

function mail(index: number): string {
  const at = thread(index);
  const [head = "", id] = [topics[at % topics.length], `<quay-${index}@quay.example>`];
  const other = people[at % people.length] ?? people[0];
  const sent = index % 4 === 1;
  const stranger = `${other} <${addressOf(other)}>`;
  const when = dateOf(index);
  const labels = [
    sent ? "Sent" : "Inbox",
    ...(index % 5 === 0 ? ["Important"] : []),
    ...(index % 6 === 0 ? ['"Boat, big and small"'] : ["Harbour/Letters"]),
    ...(index % 9 === 0 ? ["Unread"] : ["Opened"]),
  ];
  const date = when.toUTCString();
  const [weekday, day, month, year, clock] = date.replace(",", "").split(" ");
  const text = [
    `Letter ${index} about ${head.toLowerCase()}, number ${at} of its kind.`,
    "",
    "From the window one sees three masts and a crane. ".repeat(2 + (index % 7)).trim(),
    ...(index % 4 > 0 ? ["", `> Letter ${index - 1} said otherwise.`] : []),
  ].join("\n");
  const files = attachmentsOf(index);
  const boundary = `=_quay_${index}`;
  return [
    `From ${1_720_000_000_000_000 + index}@xxx ${weekday} ${month} ${day} ${clock} +0000 ${year}`,
    `X-GM-THRID: ${1_720_000_000_000_000n + BigInt(at * 4)}`,
    `X-Gmail-Labels: ${labels.join(",")}`,
    `Message-ID: ${id}`,
    ...(index % 4 > 0 ? [`In-Reply-To: <quay-${index - 1}@quay.example>`] : []),
    `From: ${sent ? owner : stranger}`,
    `To: ${sent ? stranger : owner}`,
    `Date: ${date.replace("GMT", "+0000")}`,
    `Subject: ${index % 4 > 0 ? "Re: " : ""}${head} ${at}`,
    "MIME-Version: 1.0",
    ...(files.length === 0
      ? ['Content-Type: text/plain; charset="utf-8"', "", text]
      : [
          `Content-Type: multipart/mixed; boundary="${boundary}"`,
          "",
          `--${boundary}`,
          'Content-Type: text/plain; charset="utf-8"',
          "",
          text,
          ...files.flatMap(({ name, mime, bytes }) => [
            `--${boundary}`,
            `Content-Type: ${mime}; name="${name}"`,
            `Content-Disposition: attachment; filename="${name}"`,
            "Content-Transfer-Encoding: base64",
            "",
            bytes.toString("base64").replace(/.{76}/g, "$&\n"),
          ]),
          `--${boundary}--`,
        ]),
    "",
    "",
  ].join("\n");
}

function attachmentsOf(index: number) {
  const files: { name: string; mime: string; bytes: Buffer }[] = [];
  if (index % 10 === 3) {
    const bytes = Buffer.from(`List ${index}\nrope, ${index} metres\nvarnish\n`);
    files.push({ name: `list-${index}.txt`, mime: "text/plain", bytes });
  }
  // The same timetable is sent round several times.
  if (index % 25 === 8)
    files.push({ name: "timetable.pdf", mime: "application/pdf", bytes: pdf("Ferry leaves at 8:15") });
  if (index % 50 === 21) {
    files.push({ name: `bill-${index}.pdf`, mime: "application/pdf", bytes: pdf(`Bill number ${index} for paint`) });
  }
  return files;
}

/** The smallest PDF with one line of text. */
function pdf(line: string): Buffer {
  const stream = `BT /F1 18 Tf 40 100 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, "latin1");
}

const space = "Google Chat/Groups/Space QUAY7";
const party = (name: string) => ({ name, email: addressOf(name), user_type: "Human" });

/** A group of the account's owner and three others; two of its messages have files. */
export const chat: Readonly<Record<string, string>> = {
  [`${space}/messages.json`]: JSON.stringify({
    messages: Array.from({ length: 12 }, (_, index) => ({
      creator: party(index % 3 === 0 ? "Jo Amsel" : (people[index % 3] ?? people[0])),
      created_date: `Monday, March ${7 + 7 * (index % 4)}, 2022 at ${1 + (index % 11)}:${two(index * 4)}:05\u202fPM UTC`,
      text: `Message ${index}: who has the pump?`,
      topic_id: `T${Math.floor(index / 3)}`,
      message_id: `QUAY7/T${Math.floor(index / 3)}/M${index}`,
      ...(index === 4 ? { attached_files: [{ original_name: "pump.txt", export_name: "File-pump.txt" }] } : {}),
      ...(index === 8 ? { attached_files: [{ original_name: "plan.pdf", export_name: "File-plan.pdf" }] } : {}),
      ...(index === 5 ? { reactions: [{ emoji: { unicode: "👍" }, reactor_emails: [addressOf("Bente Lund")] }] } : {}),
    })),
  }),
  [`${space}/group_info.json`]: JSON.stringify({
    name: "Quay seven",
    members: [party("Jo Amsel"), ...people.slice(0, 3).map(party)],
  }),
  [`${space}/File-pump.txt`]: "The pump stands behind the red door.",
  [`${space}/File-plan.pdf`]: pdf("Plan of the quay").toString("latin1"),
  "Google Chat/Users/User 7/user_info.json": JSON.stringify({ user: party("Jo Amsel") }),
};

const note = (index: number, more: object) =>
  JSON.stringify({
    color: "DEFAULT",
    isTrashed: false,
    isPinned: index === 0,
    isArchived: false,
    title: `Note ${index}`,
    userEditedTimestampUsec: 1_650_000_000_000_000 + index * 86_400_000_000,
    createdTimestampUsec: 1_640_000_000_000_000 + index * 86_400_000_000,
    ...more,
  });

/** Notes and their HTML twins; the picture of one of them is not among them. */
export const keep: Readonly<Record<string, string>> = {
  "Keep/Pump.json": note(0, {
    textContent: "Photograph of the whiteboard, with the pump's number",
    attachments: [{ filePath: "whiteboard.jpg", mimetype: "image/jpeg" }],
    labels: [{ name: "Harbour" }],
  }),
  "Keep/Pump.html": "<html><body>Photograph of the whiteboard</body></html>",
  "Keep/Shopping.json": note(1, {
    listContent: [
      { text: "rope", isChecked: true },
      { text: "oatmeal", isChecked: false },
    ],
  }),
  "Keep/Shopping.html": "<html><body>rope oatmeal</body></html>",
  "Keep/Wind.json": note(2, { textContent: "South-west five, later six" }),
  "Keep/Wind.html": "<html><body>South-west five</body></html>",
  "Keep/Poem.json": note(3, { textContent: "The crane bows to nobody" }),
  "Keep/Labels.txt": "Harbour",
};

export const places = JSON.stringify({
  locations: Array.from({ length: 400 }, (_, index) => ({
    latitudeE7: 543_200_000 + (index % 40) * 4_000,
    longitudeE7: 101_400_000 + (index % 25) * 6_000,
    accuracy: 12,
    source: "WIFI",
    timestamp: new Date(Date.UTC(2022, 3, 1) + index * 1_800_000).toISOString(),
  })),
});

export const contacts = people
  .map((name, index) => {
    const [first, last] = name.split(" ");
    return `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nN:${last};${first};;;\r\nEMAIL;TYPE=INTERNET:${addressOf(name)}\r\nTEL;TYPE=CELL:+49 431 55500${index}\r\nEND:VCARD\r\n`;
  })
  .join("");

export const diary = [
  "BEGIN:VCALENDAR",
  "PRODID:-//Google Inc//Google Calendar 70.9054//EN",
  "VERSION:2.0",
  "X-WR-CALNAME:Home",
  ...Array.from({ length: 15 }, (_, index) => [
    "BEGIN:VEVENT",
    `DTSTART:202205${two(1 + index)}T0${index % 10}0000Z`,
    `DTEND:202205${two(1 + index)}T0${index % 10}4500Z`,
    "DTSTAMP:20240601T080000Z",
    `UID:quay-event-${index}@quay.example`,
    `SUMMARY:Crossing ${index}`,
    ...(index === 3 ? ["RRULE:FREQ=WEEKLY;COUNT=4"] : []),
    "END:VEVENT",
  ]).flat(),
  "END:VCALENDAR",
  "",
].join("\r\n");
