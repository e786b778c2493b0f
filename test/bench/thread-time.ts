import { readdirSync, readFileSync } from "node:fs";

/** Ticks a second of `utime` and `stime` in /proc: USER_HZ, 100 on every Linux that Node runs on (proc(5)). */
const ticks = 100;

/**
 * Processor seconds of this process's threads so far, by their names; threads of one name are added up. Empty where the
 * system keeps no /proc.
 */
export function threadSeconds(): Record<string, number> {
  const seconds: Record<string, number> = {};
  try {
    for (const id of readdirSync("/proc/self/task")) {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
      // The name stands in brackets and may hold blanks; the twelfth and thirteenth fields behind it are the times.
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      seconds[name] = (seconds[name] ?? 0) + (Number(fields[11]) + Number(fields[12])) / ticks;
    }
  } catch {
    // Another system, or a thread that has just ended.
  }
  return seconds;
}
