import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Whether this machine runs on its battery just now. What cannot be known counts as no: work is not held back by a guess. */

/** What `onBattery` asks the system; tests bring their own answers. Each may throw. */
export interface PowerReaders {
  readonly platform: NodeJS.Platform;
  /** Names in a folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<string>;
  /** What a program prints. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
}

/** A program of the system answers in this time or not at all, milliseconds. */
const answerMs = 8_000;

const system: PowerReaders = {
  platform: process.platform,
  list: (folder) => readdir(folder),
  read: (path) => readFile(path, "utf8"),
  run: (program, args) =>
    new Promise((resolve, reject) => {
      execFile(program, [...args], { timeout: answerMs, windowsHide: true }, (error, output) =>
        error ? reject(error) : resolve(output),
      );
    }),
};

export async function onBattery(readers: PowerReaders = system): Promise<boolean> {
  try {
    if (readers.platform === "linux") return await linux(readers);
    if (readers.platform === "darwin")
      return /^Now drawing from 'Battery Power'/m.test(await readers.run("pmset", ["-g", "batt"]));
    if (readers.platform === "win32") return await windows(readers);
    return false;
  } catch {
    return false;
  }
}

/**
 * `/sys/class/power_supply` (kernel documentation, ABI/testing/sysfs-class-power): a mains or USB supply that is online
 * means no battery; else a system battery that discharges means one. Batteries of mice and pens have the scope `Device`.
 */
async function linux({ list, read }: PowerReaders): Promise<boolean> {
  const folder = "/sys/class/power_supply";
  const field = async (name: string, key: string) => {
    const text = await read(join(folder, name, key)).catch(() => "");
    return text.trim().toLowerCase();
  };
  let discharging = false;
  for (const name of await list(folder)) {
    const type = await field(name, "type");
    if (type === "battery") {
      const own = (await field(name, "scope")) !== "device";
      discharging ||= own && (await field(name, "status")) === "discharging";
    } else if ((await field(name, "online")) === "1") return false;
  }
  return discharging;
}

/** `Win32_Battery.BatteryStatus`: 1 is discharging, 4 and 5 are low and critical while discharging; no battery prints nothing. */
async function windows({ run }: PowerReaders): Promise<boolean> {
  const script = "(Get-CimInstance -ClassName Win32_Battery).BatteryStatus";
  const output = await run("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script]);
  return output.split(/\s+/).some((status) => status === "1" || status === "4" || status === "5");
}
