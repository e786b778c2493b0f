import type { RecordTime } from "#contract";
import { timeFromInstant } from "../text/time.ts";

/** Discord's ids carry their time: milliseconds since 2015 in the upper 42 bits (Discord API reference, "Snowflakes"). */

const epoch = 1_420_070_400_000n;

function parts(id: string): { readonly ms: bigint; readonly low: bigint } | null {
  if (!/^\d{1,20}$/.test(id)) return null;
  const value = BigInt(id);
  return { ms: (value >> 22n) + epoch, low: value & 4095n };
}

/** Place of an id among others of its channel, as a number that keeps their order. */
export function snowflakeOrder(id: string): number | null {
  const read = parts(id);
  if (read === null) return null;
  const order = Number((read.ms - epoch) * 4096n + read.low);
  return Number.isSafeInteger(order) ? order : null;
}

const stampPattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(?:(Z|UTC)|([+-])(\d\d):?(\d\d))?$/;

/** A time of day as the exports write it; without an offset it is UTC. */
export function stampTime(stamp: string | null, source: string): RecordTime | null {
  const match = stampPattern.exec(stamp?.trim() ?? "");
  if (match === null) return null;
  const [, day, clock, fraction = "", , sign, hours, minutes] = match;
  const east = sign === undefined ? null : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  const wall = Date.parse(`${day}T${clock}.${fraction.padEnd(3, "0").slice(0, 3)}Z`);
  if (Number.isNaN(wall)) return null;
  const time = timeFromInstant(wall - (east ?? 0) * 60_000, { source, precision: fraction === "" ? "second" : "ms" });
  return time === null ? null : withOffset(time, east);
}

/** The instant of an id, with the offset that the export was written in. */
export function snowflakeTime(id: string, stamp: string | null): RecordTime | null {
  const read = parts(id);
  const told = stampTime(stamp, "timestamp");
  // Ids below this are of no message: Discord began in 2015.
  if (read === null || read.ms <= epoch + 1_000n || read.ms > 4_102_444_800_000n) return told;
  const time = timeFromInstant(Number(read.ms), { source: "snowflake", precision: "ms" });
  const east = /([+-])(\d\d):?(\d\d)$/.exec(told === null ? "" : (told.offset ?? ""));
  if (time === null || east === null) return time ?? told;
  return withOffset(time, (Number(east[2]) * 60 + Number(east[3])) * (east[1] === "-" ? -1 : 1));
}

function withOffset(time: RecordTime, east: number | null): RecordTime {
  if (east === null || time.utc === null || Math.abs(east) > 14 * 60) return time;
  const local = new Date(Date.parse(time.utc) + east * 60_000)
    .toISOString()
    .slice(0, time.precision === "ms" ? 23 : 19);
  const two = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(east);
  return { ...time, local, offset: `${east < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}` };
}
