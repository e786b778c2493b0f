import fc from "fast-check";
import { expect, test } from "vitest";
import { pairFolder } from "#main/importers/photos/sidecar-names.ts";

const jsonOf = (pictures: readonly string[], files: readonly string[]) =>
  Object.fromEntries(pairFolder(pictures, files).json);

test.each([
  ["kite.jpg", "kite.jpg.json"],
  ["kite.jpg", "kite.jpg.supplemental-metadata.json"],
  ["MVIMG_20240106_111111.jpg", "MVIMG_20240106_111111.jpg.supplemental-metadat.json"],
  ["Screenshot_20240107_121212_Harbour_.jpg", "Screenshot_20240107_121212_Harbour_.jpg.supple.json"],
  ["kite over the hill.jpg", "kite over the hill.supplemental-metadata.json"],
  ["kite(2).jpg", "kite.jpg(2).json"],
  ["kite(2).jpg", "kite.jpg.supplemental-metadata(2).json"],
  ["KITE.JPG", "KITE.jpg.json"],
  ["Cafe\u0301.jpg", "Café.jpg.supplemental-metadata.json"],
])("%s ← %s", (picture, sidecar) => {
  expect(jsonOf([picture], [picture, sidecar, "metadata.json"])).toEqual({ [picture]: sidecar });
});

test("the cut that swallows a number is tried after the number that moved", () => {
  const stem = "Every_lamp_on_the_quay_was_lit_when_the_boats_c";
  const pictures = [`${stem}(1).jpg`, `${stem}.jpg`];
  const files = [`${stem.slice(0, 46)}(1).json`, `${stem.slice(0, 46)}.json`];
  expect(jsonOf(pictures, files)).toEqual({ [`${stem}(1).jpg`]: files[0], [`${stem}.jpg`]: files[1] });
});

test("a number of the title is told from a number of a duplicate", () => {
  const files = ["roll(1).jpg.supplemental-metadata.json", "roll(1).jpg.supplemental-metadata(1).json"];
  expect(jsonOf(["roll(1)(1).jpg", "roll(1).jpg"], files)).toEqual({
    "roll(1).jpg": files[0],
    "roll(1)(1).jpg": files[1],
  });
});

test("edited copies share their original's sidecar, in any language, cut or numbered", () => {
  const pictures = [
    "a.jpg",
    "a-bearbeitet.jpg",
    "a(1).jpg",
    "a-edited(1).jpg",
    "a-編集済み.jpg",
    "a-2.jpg",
    "b-edited.jpg",
  ];
  const { json, originalOf } = pairFolder(pictures, ["a.jpg.json", "a.jpg(1).json"]);
  expect(Object.fromEntries(originalOf)).toEqual({
    "a-bearbeitet.jpg": "a.jpg",
    "a-編集済み.jpg": "a.jpg",
    "a-edited(1).jpg": "a(1).jpg",
  });
  expect(json.get("a-edited(1).jpg")).toBe("a.jpg(1).json");
});

test("a prefix pairs only when it is the only one both ways", () => {
  // Cut at 46 bytes: the letters have two bytes each.
  const name = "ужин_на_веранде_у_старого_маяка.jpg";
  const cut = "ужин_на_веранде_у_старого";
  expect(jsonOf([name], [`${cut}.json`])).toEqual({ [name]: `${cut}.json` });
  expect(jsonOf([name, `${cut}_дома.jpg`], [`${cut}.json`])).toEqual({});
});

test("NAME.EXT.xmp comes before NAME.xmp", () => {
  const { others } = pairFolder(["a.jpg"], ["a.xmp", "a.jpg.xmp", "A.AAE"]);
  expect(others.get("a.jpg")).toEqual(["a.jpg.xmp", "a.xmp", "A.AAE"]);
});

test("no two pictures share a sidecar unless one is the edit of the other", () => {
  const name = fc.stringMatching(/^[ab]{1,3}(-edited)?(\([12]\))?$/);
  const names = fc.uniqueArray(name, { maxLength: 8 });
  const sidecars = fc.uniqueArray(fc.stringMatching(/^[ab]{1,3}(\.jpg)?(\.supplemental-metadata)?(\([12]\))?$/), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(names, sidecars, (stems, jsons) => {
      const files = jsons.map((one) => `${one}.json`);
      const { json, originalOf } = pairFolder(
        stems.map((one) => `${one}.jpg`),
        files,
      );
      const own = [...json].filter(([picture]) => !originalOf.has(picture)).map(([, file]) => file);
      expect(new Set(own).size).toBe(own.length);
      expect([...json.values()].every((file) => files.includes(file))).toBe(true);
      for (const [copy, original] of originalOf) expect(json.get(copy)).toBe(json.get(original));
    }),
  );
});
