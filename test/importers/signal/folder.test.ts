import { describe, expect, it } from "vitest";
import { signalImporter } from "#main/importers/signal/index.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";
import { lines, message } from "./exports.ts";

type Files = Record<string, string | Uint8Array>;
const read = (files: Files) => importAll(signalImporter, memoryTree(files));
const records = async (files: Files) => recordsOf(await read(files));

describe("folders of signal-export", () => {
  const data = lines(
    message("2024-02-11T20:15:30.123000", "Me", "shall we?", { reactions: [["Ines", "👍"]] }),
    message("2024-02-11T20:16:02", "Ines", "yes", {
      quote: "\n\n> shall we?\n\n",
      attachments: [{ name: "plan a.txt", path: "media/plan%20a.txt" }],
    }),
    message("2024-02-11T20:17:00", "Ines", "", { attachments: [{ name: "", path: "" }] }),
    message("2024-02-12T08:00:00", "No-Sender", "Missed voice call"),
    message("1970-01-01T01:00:00", "Ines", "no clock"),
  );
  const page = `[2024-02-11 20:15:30] Me: shall we?  \n(- Ines: 👍 -)\n[2024-02-11 20:16:02] Ines: \n\n> shall we?\n\nyes  [plan a.txt](./media/plan%20a.txt)  \n[2024-02-11 20:17:00] Ines:   (media not exported)  \n[2024-02-12 08:00:00] No-Sender: Missed voice call  \n[1970-01-01 01:00:00] Ines: no clock  \n`;

  it("are one chat, whichever of its forms are there", async () => {
    const items = await read({
      "e/Ines/data.json": data,
      "e/Ines/chat.md": page,
      "e/Ines/index.html": "<div class=msg>",
      "e/Ines/media/plan a.txt": "x",
    });
    expect(
      filesOf(items)
        .map(({ path, status }) => `${path} ${status}`)
        .sort(),
    ).toEqual([
      "e/Ines/chat.md skipped",
      "e/Ines/data.json imported",
      "e/Ines/index.html skipped",
      "e/Ines/media/plan a.txt imported",
    ]);
    const [first, second, part, third, call, lost] = recordsOf(items);
    expect(first).toMatchObject({
      text: "shall we?",
      author: { name: "Me", owner: true },
      time: { utc: null, local: "2024-02-11T20:15:30.123" },
      container: { title: "Ines" },
      props: { reactions: [{ emoji: "👍", by: "Ines", count: 1 }] },
    });
    expect(second).toMatchObject({ text: "yes", replyTo: first?.identity });
    expect(part?.partOf?.identity).toBe(second?.identity);
    expect(third).toMatchObject({ text: null, props: { flags: ["missing-media"] } });
    expect(call).toMatchObject({ kind: "system", author: null, props: { flags: ["call", "missed"] } });
    expect(lost).toMatchObject({ text: "no clock", time: null });
  });

  it("of older versions have only the page: the same messages under the same identities", async () => {
    const [a, b] = [await records({ "e/Ines/data.json": data }), await records({ "e/Ines/chat.md": page })];
    expect(b.map(({ identity, text, kind }) => [identity, text, kind])).toEqual(
      a.map(({ identity, text, kind }) => [identity, text, kind]),
    );
    expect(b[1]).toMatchObject({
      replyTo: b[0]?.identity,
      props: { attachments: [{ name: "plan a.txt", missing: true }] },
    });
    expect(b[0]?.props.reactions).toEqual([{ emoji: "👍", by: "Ines", count: 1 }]);
  });

  it("are known by their messages under another name", async () => {
    const tree = memoryTree({ "e/Renamed/data.json": data });
    const [claim] = await Array.fromAsync(signalImporter.recognise(tree));
    if (claim === undefined) throw new Error("not recognised");
    const ends = (await records({ "e/Ines/data.json": data })).map(({ identity }) => identity.slice(-33));
    expect(claim.fingerprints).toEqual(ends);
    const list = recordsOf(
      await Array.fromAsync(signalImporter.read(claim, readContext(tree, { knownContainer: "signal:export/ines" }))),
    );
    const known = await records({ "e/Ines/data.json": data });
    expect(list.map(({ identity }) => identity)).toEqual(known.map(({ identity }) => identity));
  });

  it("are told from notes of a person and from other lines of JSON", async () => {
    expect(
      await read({
        "notes/day.md": "[2024-02-11 20:15] Walk: north\nand back\nand more\nand more\n",
        "log.jsonl": '{"date":"x","level":"info"}\n',
      }),
    ).toEqual([]);
  });
});
