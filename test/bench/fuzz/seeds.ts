import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Sound inputs of every kind, small, from which the fuzz makes broken ones: what stands beside each other is one tree. */
export type Seed = Readonly<Record<string, Uint8Array | string>>;

const json = (value: unknown) => JSON.stringify(value, null, 1);

/** Texts of the product's own making, one tree a source. */
const written: readonly Seed[] = [
  {
    "Inbox.mbox":
      'From ada@quince.example Tue Jul  2 09:00:00 2024\nFrom: Ada <ada@quince.example>\nTo: robin@hedge.example\nSubject: =?utf-8?q?K=C3=BCche?=\nDate: Tue, 2 Jul 2024 09:00:00 +0200\nMessage-ID: <1@quince.example>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8; format=flowed\n\nHello \nthere\n> quoted\n\n--b\nContent-Type: application/pdf; name*0=a; name*1=b.pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQK\n--b\nContent-Type: message/rfc822\n\nFrom: x@y.example\nSubject: inner\nDate: 1 Jan 2020 10:00:00 GMT\n\ntext\n--b--\n\nFrom robin@hedge.example Tue Jul  2 10:00:00 2024\nFrom: robin@hedge.example\nTo: ada@quince.example\nReferences: <1@quince.example>\nMessage-ID: <2@hedge.example>\nX-Gmail-Labels: Inbox,"A, b"\nDate: Tue, 2 Jul 2024 10:00:00 -0000\n\n>From here\n',
  },
  {
    "1.emlx":
      '120       \nFrom: a@b.example\nTo: c@d.example\nSubject: apple\nDate: Tue, 2 Jul 2024 09:00:00 +0200\nMessage-ID: <e@b>\n\nbody\n<?xml version="1.0"?><plist version="1.0"><dict><key>flags</key><integer>1</integer></dict></plist>',
  },
  {
    "WhatsApp Chat with Ada.txt":
      "28/06/2024, 19:04 - Ada created group “Boat”\n28/06/2024, 19:04 - Ada: The key ‎IMG-20240628-WA0001.jpg (file attached)\ncaption\n28/06/2024, 19:05 - Robin: https://a.example\n[3/4/24, 9:15:02 PM] not a header\n29/06/2024, 08:11 - Ada: <Media omitted>\n",
    "IMG-20240628-WA0001.jpg": "\xff\xd8\xff\xe0",
  },
  {
    "result.json": json({
      name: "Ada",
      type: "personal_chat",
      id: 4711,
      messages: [
        {
          id: 1,
          type: "message",
          date: "2024-06-28T19:04:00",
          date_unixtime: "1719594240",
          from: "Ada",
          from_id: "user5",
          text: ["a ", { type: "bold", text: "b" }],
          reactions: [{ type: "emoji", emoji: "👍", count: 1 }],
        },
        {
          id: 2,
          type: "service",
          date: "2024-06-28T19:05:00",
          date_unixtime: "1719594300",
          actor: "Ada",
          actor_id: "user5",
          action: "phone_call",
          duration_seconds: 5,
        },
      ],
    }),
  },
  {
    "inbox/ada_1/message_1.json": json({
      participants: [{ name: "Ada" }, { name: "Robin" }],
      messages: [
        {
          sender_name: "Ada",
          timestamp_ms: 1719594240000,
          content: "Gr\u00c3\u00bc\u00c3\u009fe",
          reactions: [{ reaction: "\u00e2\u009d\u00a4", actor: "Robin" }],
        },
      ],
      title: "Ada",
      thread_path: "inbox/ada_1",
    }),
  },
  {
    "export/users.json": json([{ id: "U1", name: "ada", profile: { real_name: "Ada Quince" } }]),
    "export/channels.json": json([{ id: "C1", name: "boat" }]),
    "export/boat/2024-06-28.json": json([
      {
        type: "message",
        user: "U1",
        ts: "1719594240.000100",
        text: "<@U1> &lt;hi&gt; <https://a.example|a>",
        reactions: [{ name: "tada", users: ["U1"], count: 1 }],
      },
      { type: "message", subtype: "channel_join", user: "U1", ts: "NaN", text: "joined" },
    ]),
  },
  {
    "discord/boat [1].json": json({
      guild: { id: "1", name: "G" },
      channel: { id: "2", type: "GuildTextChat", name: "boat" },
      dateRange: { after: null, before: null },
      messages: [
        {
          id: "1256270000000000000",
          type: "Default",
          timestamp: "2024-06-28T19:04:00+00:00",
          content: "<@3> hi <t:1719594240:F>",
          author: { id: "3", name: "ada", isBot: false },
          attachments: [],
          embeds: [],
          reactions: [],
          mentions: [],
        },
      ],
      messageCount: 1,
    }),
    "package/messages/c2/channel.json": json({ id: "2", type: 1 }),
    "package/messages/c2/messages.json":
      '[{"ID": 1256270000000000001, "Timestamp": "2024-06-28 19:05:00", "Contents": "yes", "Attachments": ""}]',
  },
  {
    "metadata.json": json({ version: 1 }),
    "main.jsonl":
      '{"version":"1","backupTimeMs":"1719594240000"}\n{"recipient":{"id":"1","self":{}}}\n{"recipient":{"id":"2","contact":{"aci":"AA==","e164":"442079460018","profileGivenName":"Ada"}}}\n{"chat":{"id":"1","recipientId":"2"}}\n{"chatItem":{"chatId":"1","authorId":"2","dateSent":"1719594240000","incoming":{"dateReceived":"1719594241000"},"standardMessage":{"text":{"body":"hello"},"reactions":[{"emoji":"👍","authorId":"1"}]}}}\n',
  },
  {
    "Takeout/Google Chat/Groups/DM x/messages.json": json({
      messages: [
        {
          creator: { name: "Ada", email: "ada@quince.example" },
          created_date: "Friday, June 28, 2024 at 7:04:00 PM UTC",
          text: "hi",
          topic_id: "t",
          message_id: "m/1/2",
        },
      ],
    }),
    "Takeout/Google Chat/Groups/DM x/group_info.json": json({
      members: [{ name: "Ada", email: "ada@quince.example" }],
    }),
  },
  {
    "export.json": json({
      room_name: "Boat",
      room_creator: "@a:b.example",
      messages: [
        {
          type: "m.room.message",
          sender: "@a:b.example",
          content: { msgtype: "m.text", body: "hi" },
          origin_server_ts: 1719594240000,
          event_id: "$1",
        },
      ],
    }),
  },
  {
    "sms-20240628.xml":
      '<?xml version="1.0" encoding="UTF-8"?><smses count="2"><sms protocol="0" address="+442079460018" date="1719594240000" type="1" body="hi &#55357;&#56832;" contact_name="Ada"/><mms date="1719594250000" msg_box="2" address="1~2"><parts><part seq="0" ct="text/plain" text="yes"/><part seq="1" ct="image/png" data="iVBORw0KGgo="/></parts><addrs><addr address="+1" type="137"/></addrs></mms></smses>',
  },
  {
    "cal.ics":
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:W. Europe Standard Time\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1@a\r\nDTSTART;TZID=W. Europe Standard Time:20240628T190400\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=5;BYDAY=FR\r\nEXDATE;TZID=W. Europe Standard Time:20240705T190400\r\nSUMMARY:Long\r\n er\r\nATTENDEE;CN=Ada:mailto:ada@quince.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    "cards.vcf":
      "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Gr=C3=BCn;=\nAda\nTEL;CELL:+44\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\n\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nFN:Robin\nBDAY:--0704\nEND:VCARD\n",
  },
  {
    "Takeout/Keep/note.json": json({
      title: "List",
      listContent: [{ text: "eggs", isChecked: true }],
      userEditedTimestampUsec: 1719594240000000,
      createdTimestampUsec: 1719594240000000,
      labels: [{ name: "home" }],
    }),
    "notes.enex":
      '<?xml version="1.0"?><en-export><note><title>A</title><content><![CDATA[<?xml version="1.0"?><en-note><div>x<en-todo checked="true"/></div></en-note>]]></content><created>20240628T190400Z</created><tag>t</tag><resource><data encoding="base64">iVBORw0KGgo=</data><mime>image/png</mime></resource></note></en-export>',
    "vault/2024-06-28.md": "---\ntags: [a, b]\ncreated: 2024-06-28\n---\n# T\n[[Other|o]] ![[pic.png]]\n",
    "plain.txt": "Just a text.\nTwo lines.",
  },
  {
    "Records.json": json({
      locations: [{ latitudeE7: 522000000, longitudeE7: 134000000, timestamp: "2024-06-28T19:04:00Z" }],
    }),
    "Timeline.json": json({
      semanticSegments: [
        {
          startTime: "2024-06-28T19:00:00.000+02:00",
          endTime: "2024-06-28T20:00:00.000+02:00",
          visit: { hierarchyLevel: 0, topCandidate: { placeLocation: { latLng: "52.2°, 13.4°" } } },
        },
      ],
      rawSignals: [],
    }),
    "location-history.json": json([
      {
        startTime: "2024-06-28T19:00:00.000+02:00",
        endTime: "2024-06-28T20:00:00.000+02:00",
        timelinePath: [{ point: "geo:52.2,13.4", durationMinutesOffsetFromStartTime: "3" }],
      },
    ]),
    "track.gpx":
      '<gpx><trk><trkseg><trkpt lat="52.2" lon="13.4"><time>2024-06-28T19:04:00Z</time></trkpt></trkseg></trk></gpx>',
    "bookmarks.html":
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>F</H3><DL><p><DT><A HREF="https://a.example" ADD_DATE="1719594240">A</A></DL></DL>',
    "BrowserHistory.json": json({
      "Browser History": [{ title: "A", url: "https://a.example", time_usec: 1719594240000000 }],
    }),
  },
  {
    "d.rtf": "{\\rtf1\\ansi\\ansicpg1252 Hello \\b bold\\b0\\par \\u8364? }",
    "d.html": "<html><head><title>T</title></head><body><table><tr><td>a</td></tr></table><p>b</body></html>",
    "d.pdf":
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n4 0 obj<</Length 30>>stream\nBT /F 9 Tf 9 9 Td (Hi) Tj ET\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n",
    "d.csv": 'a,b\n1,"2\n3"\n',
  },
];

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));
/** Larger files make the fuzz slow, and find nothing that smaller ones do not. */
const largest = 60_000;

/** Every folder of files below a place as a tree of its own. */
export function seedsBelow(folder: string): Seed[] {
  const byFolder = new Map<string, Record<string, Uint8Array>>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const stat = statSync(path);
    if (!stat.isFile() || stat.size === 0 || stat.size > largest || /\.md$|expected\.json$/.test(name)) continue;
    const parts = relative(folder, path).split(sep);
    const tree = byFolder.get(parts[0] ?? "") ?? {};
    tree[parts.slice(1).join("/") || (parts[0] ?? "")] = readFileSync(path);
    byFolder.set(parts[0] ?? "", tree);
  }
  return [...byFolder.values()].filter((tree) => Object.keys(tree).length <= 60);
}

export function allSeeds(more: string | null): Seed[] {
  return [...written, ...seedsBelow(fixtures), ...(more === null ? [] : seedsBelow(more))];
}
