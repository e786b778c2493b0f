import { describe, expect, test } from "vitest";
import type { Claim, Importer } from "#main/importers/types.ts";
import { filesOf, openTree, planImport, toImportPlan } from "#main/ingest/index.ts";
import { folderWith } from "./folders.ts";

/** Claims what `choose` says; reads nothing. */
function importer(id: string, order: number, choose: (paths: readonly string[]) => Partial<Claim>[]): Importer {
  return {
    id,
    title: id.toUpperCase(),
    order,
    async *recognise(free) {
      for (const claim of choose(free.entries.map(({ path }) => path))) {
        yield { primary: "", companions: [], label: id, confidence: 2, ...claim };
      }
    },
    async *read() {},
  };
}

const zone = { guess: "Europe/Madrid", basis: "archive" } as const;

const files = { "chat.txt": "chat", "a.jpg": "picture", "b.jpg": "other", "odd.xyz": "?", "big.7z": "7z\u00bc\u00af" };
const jpgs = (paths: readonly string[]) =>
  paths.filter((path) => path.endsWith(".jpg")).map((primary) => ({ primary }));

async function planOf(importers: readonly Importer[], content: Record<string, string | Uint8Array> = files) {
  const folder = folderWith(content);
  return planImport(await openTree([folder]), [folder], importers);
}

describe("a plan", () => {
  test("gives a higher importer the first look; what it claims is not free for the others", async () => {
    const chat = importer("chat", 50, () => [{ primary: "chat.txt", companions: ["a.jpg"] }]);
    const plan = await planOf([importer("photos", 10, jpgs), chat]);
    expect(plan.claims.map(({ importer: id, claim }) => [id, claim.primary, claim.companions])).toEqual([
      ["chat", "chat.txt", ["a.jpg"]],
      ["photos", "b.jpg", []],
    ]);
    expect(plan.claims[0]?.bytes).toBe(11);
  });

  test("of equal importers lets the surer one have the entry, then the one registered first", async () => {
    const guess = importer("guess", 20, () => [{ primary: "chat.txt", confidence: 1 }]);
    const sure = importer("sure", 20, () => [{ primary: "chat.txt", confidence: 3 }]);
    const also = importer("also", 20, () => [{ primary: "chat.txt", confidence: 3 }]);
    expect((await planOf([guess, sure, also])).claims.map(({ importer: id }) => id)).toEqual(["sure"]);
  });

  test("takes a companion along with the surer primary only; one importer's claims may share it", async () => {
    const sure = importer("sure", 20, () => [{ primary: "chat.txt", companions: ["a.jpg"], confidence: 3 }]);
    const weak = importer("weak", 20, () => [{ primary: "b.jpg", companions: ["a.jpg", "gone.jpg"], confidence: 1 }]);
    expect((await planOf([weak, sure])).claims.map(({ claim }) => claim.companions)).toEqual([[], ["a.jpg"]]);
    const album = importer("album", 20, () => [
      { primary: "a.jpg", companions: ["odd.xyz"] },
      { primary: "b.jpg", companions: ["odd.xyz"] },
    ]);
    const plan = await planOf([album]);
    expect(plan.claims.map(({ claim }) => claim.companions)).toEqual([["odd.xyz"], ["odd.xyz"]]);
    expect(toImportPlan("p", plan, zone)).toMatchObject({ files: 3, bytes: 13 });
  });

  test("says of every file that nobody reads why, and names each file once", async () => {
    const sevenZip = Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0]);
    const plan = await planOf([importer("photos", 10, jpgs)], { ...files, "big.7z": sevenZip, "empty.txt": "" });
    expect(Object.fromEntries(plan.rows.map(({ path, reason }) => [path, reason]))).toEqual({
      "big.7z": expect.stringMatching(/7z.*Unpack/),
      "chat.txt": "No importer knows this kind of file.",
      "empty.txt": "The file is empty.",
      "odd.xyz": "No importer knows this kind of file.",
    });
    expect(
      filesOf(plan)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...Object.keys(files), "empty.txt"].sort());
  });

  test("survives an importer that fails to look, and claims of what is not there", async () => {
    const broken = importer("broken", 90, () => {
      throw new Error("out of luck");
    });
    const dreamer = importer("dreamer", 80, () => [{ primary: "not-here.txt" }]);
    const plan = await planOf([broken, dreamer, importer("photos", 10, jpgs)]);
    expect(plan.warnings).toEqual([expect.stringMatching(/BROKEN.*out of luck/)]);
    expect(plan.claims).toHaveLength(2);
  });

  test("asks for a zone where a source that is there writes clocks without one, and only there", async () => {
    const chat = { ...importer("chat", 50, () => [{ primary: "chat.txt", companions: [] }]), zoneless: true };
    const none = { ...importer("none", 50, () => []), zoneless: true };
    const asked = toImportPlan("p", await planOf([chat, none, importer("photos", 10, jpgs)]), zone);
    expect(asked.zoneQuestion).toEqual({ sources: ["CHAT"], ...zone });
    expect(toImportPlan("p", await planOf([importer("photos", 10, jpgs)]), zone).zoneQuestion).toBeNull();
  });

  test("is shown to a person by source and by reason, with a few examples", async () => {
    const content = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`x${index}.xyz`, "?"]));
    const plan = await planOf([importer("photos", 10, jpgs)], { ...files, ...content });
    expect(toImportPlan("plan-1", plan, zone)).toMatchObject({
      planId: "plan-1",
      sources: [{ importer: "photos", title: "PHOTOS", label: "photos", files: 2, bytes: 12 }],
      skipped: [
        { reason: "No importer knows this kind of file.", files: 8, examples: ["big.7z", "chat.txt", "odd.xyz"] },
      ],
    });
  });

  test("changes a claim's stamp when one of its files changes", async () => {
    const photos = importer("photos", 10, jpgs);
    const [one, two] = [await planOf([photos]), await planOf([photos], { ...files, "a.jpg": "larger than before" })];
    expect(two.claims[0]?.stamp).not.toBe(one.claims[0]?.stamp);
  });
});
