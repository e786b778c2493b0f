import { describe, expect, it } from "vitest";
import { onBattery, type PowerReaders } from "#main/app/power.ts";

const nothing: PowerReaders = {
  platform: "linux",
  list: async () => Promise.reject(new Error("no such folder")),
  read: async () => Promise.reject(new Error("no such file")),
  run: async () => Promise.reject(new Error("no such program")),
};

/** A Linux machine with these supplies: name → field → text. */
function supplies(tree: Record<string, Record<string, string>>): PowerReaders {
  return {
    ...nothing,
    list: async () => Object.keys(tree),
    async read(path) {
      const [name = "", key = ""] = path.split(/[\\/]/).slice(-2);
      const text = tree[name]?.[key];
      if (text === undefined) throw new Error("no such file");
      return `${text}\n`;
    },
  };
}
const prints = (platform: NodeJS.Platform, output: string): PowerReaders => ({
  ...nothing,
  platform,
  run: async () => output,
});

describe("whether the machine runs on battery", () => {
  it.each([
    [
      "a laptop on its battery",
      { AC: { type: "Mains", online: "0" }, BAT0: { type: "Battery", status: "Discharging" } },
      true,
    ],
    [
      "a laptop on its charger",
      { AC: { type: "Mains", online: "1" }, BAT0: { type: "Battery", status: "Charging" } },
      false,
    ],
    [
      "a laptop on a USB charger",
      { BAT0: { type: "Battery", status: "Discharging" }, "ucsi-1": { type: "USB", online: "1" } },
      false,
    ],
    [
      "a laptop with two batteries, one at rest",
      { BAT0: { type: "Battery", status: "Not charging" }, BAT1: { type: "Battery", status: "Discharging" } },
      true,
    ],
    ["a desktop with a wireless mouse", { mouse: { type: "Battery", scope: "Device", status: "Discharging" } }, false],
    ["a desktop", {}, false],
  ])("Linux: %s", async (_name, tree, expected) => {
    expect(await onBattery(supplies(tree))).toBe(expected);
  });

  it("macOS: by the first line of pmset", async () => {
    const rest = " -InternalBattery-0 (id=1234)\t81%; discharging; 4:10 remaining present: true\n";
    expect(await onBattery(prints("darwin", `Now drawing from 'Battery Power'\n${rest}`))).toBe(true);
    expect(await onBattery(prints("darwin", "Now drawing from 'AC Power'\n"))).toBe(false);
  });

  it("Windows: by the battery's status; none at all is a desktop", async () => {
    expect(await onBattery(prints("win32", "1\r\n"))).toBe(true);
    expect(await onBattery(prints("win32", "2\r\n"))).toBe(false);
    expect(await onBattery(prints("win32", "2\r\n5\r\n"))).toBe(true);
    expect(await onBattery(prints("win32", ""))).toBe(false);
  });

  it("what cannot be known counts as no", async () => {
    for (const platform of ["linux", "darwin", "win32", "freebsd"] as const) {
      expect(await onBattery({ ...nothing, platform })).toBe(false);
    }
    expect(typeof (await onBattery())).toBe("boolean");
  });
});
