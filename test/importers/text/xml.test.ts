import fc from "fast-check";
import { expect, test } from "vitest";
import { UnderstoryError } from "#contract";
import { joinSurrogates, xmlEvents } from "#main/importers/text/xml.ts";
import { memoryEntry } from "../memory-tree.ts";

const events = (xml: string | Uint8Array, chunk?: number) =>
  Array.fromAsync(xmlEvents(memoryEntry("a.xml", xml, chunk)));
const textOf = (list: Awaited<ReturnType<typeof events>>) =>
  list.map((event) => (event.type === "text" ? event.text : "")).join("");

test("elements, attributes and texts come in order", async () => {
  expect(await events('<a x="1"><b/>t<![CDATA[<c>]]></a>')).toEqual([
    { type: "open", name: "a", attributes: { x: "1" } },
    { type: "open", name: "b", attributes: {} },
    { type: "close", name: "b" },
    { type: "text", text: "t" },
    { type: "text", text: "<c>" },
    { type: "close", name: "a" },
  ]);
});

test("a character written as two surrogate references is that character, wherever a chunk ends", async () => {
  const xml = '<sms body="&#55357;&#56832; and &#x1F44D;">&#55357;&#56832;</sms>';
  for (let chunk = 1; chunk < 40; chunk++) {
    const [open, text] = await events(xml, chunk);
    expect(open).toMatchObject({ attributes: { body: "😀 and 👍" } });
    expect(text).toEqual({ type: "text", text: "😀" });
  }
  expect(joinSurrogates("&#55357;x &#0; &#65;")).toBe("\ufffdx \ufffd &#65;");
});

test("entities that a document makes up are not resolved, so that no bomb goes off", async () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]><a>&c;&f;</a>';
  expect(textOf(await events(bomb))).toBe("&c;&f;");
});

test("UTF-16 and declared encodings are read", async () => {
  expect(textOf(await events(Buffer.from("\ufeff<a>Grüße</a>", "utf16le")))).toBe("Grüße");
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>Grüße</a>', "latin1");
  expect(textOf(await events(latin))).toBe("Grüße");
});

test("what stands before a break is given, then the break is told", async () => {
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const event of xmlEvents(memoryEntry("cut.xml", "<a><b>1</b><b", 4))) seen.push(event);
  })();
  await expect(reading).rejects.toMatchObject({ code: "damaged_file" });
  expect(seen).toContainEqual({ type: "close", name: "b" });
  await expect(events("<a>".repeat(100_000))).rejects.toMatchObject({ code: "limit_exceeded" });
});

test("any bytes give events or a typed refusal", () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom("", "<a>", "<a b='"), async (bytes, before) => {
      const xml = Buffer.concat([Buffer.from(before), bytes]);
      await events(xml).catch((error: unknown) => expect(error).toBeInstanceOf(UnderstoryError));
    }),
    { numRuns: 500 },
  ));
