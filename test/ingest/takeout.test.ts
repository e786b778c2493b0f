import { describe, expect, test } from "vitest";
import { seededRandom } from "#main/sample/random.ts";
import { temporaryFolder } from "./folders.ts";
import { makeTakeout, writeTakeout } from "./takeout.ts";
import { importWhole } from "./takeout-import.ts";
import { killed, startOnce } from "./takeout-kill.ts";

// Every import here starts the whole product with all its threads: slow where the machine is busy.
const timeout = 300_000;
const small = await makeTakeout(80);

describe("a Takeout in three zips, imported by the whole product", () => {
  test("killed with -9 at three moments ends as an undisturbed one: nothing lost, nothing twice", {
    timeout,
  }, async () => {
    const folder = temporaryFolder();
    const { root, paths } = writeTakeout(small, folder, "parts");
    const { outcome: reference, ms: usual } = await startOnce(temporaryFolder(), root);
    const { mails, messages, notes, photos } = small.count;
    expect(reference).toMatchObject({
      kinds: { email: mails, message: messages, note: notes, photo: photos, contact: 5, event: 15 },
      damage: null,
      imports: ["done"],
    });
    expect(reference?.identities).toBe(reference?.records);
    expect(new Set(reference?.ledger).size).toBe(reference?.ledger.length);
    expect(new Set(reference?.ledger)).toEqual(new Set([...paths, ...paths.map((path) => path.split("/", 1)[0])]));

    const { next: random } = seededRandom(20240601, "kills");
    let kills = 0;
    for await (const survivor of killed(folder, root, { kills: 3, usual, random, mostAtOnce: 3 })) {
      kills += survivor.kills;
      expect(survivor.outcome).toMatchObject({ ...reference, imports: expect.arrayContaining(["done"]) });
    }
    expect(kills).toBe(3);
  });

  test("says the same unpacked and as one zip, and again when it comes three times", { timeout }, async () => {
    const folder = temporaryFolder();
    const place = temporaryFolder();
    const { root } = writeTakeout(small, folder, "parts");
    const first = await importWhole(place, root);
    for (const packing of ["folder", "zip"] as const) {
      const other = await importWhole(temporaryFolder(), writeTakeout(small, folder, packing).root);
      expect([packing, other.digest]).toEqual([packing, first.digest]);
    }
    for (let round = 2; round <= 3; round++) {
      const again = await importWhole(place, root, { again: true });
      expect(again.digest).toBe(first.digest);
      expect([again.records, again.imports.length]).toEqual([first.records, round]);
      expect(new Set(again.ledger)).toEqual(new Set(first.ledger));
    }
  });
});
