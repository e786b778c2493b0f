import type { ZoneGuess } from "#contract";
import { offsetText } from "#main/importers/text/time.ts";
import { offsetAtInstant } from "#main/importers/text/zone.ts";
import type { ZoneVotes } from "#main/records/ports.ts";

/** Agreement with the archive's offsets that a zone must reach to be called more than this machine's. */
const enough = 0.6;

/**
 * The zone in which clocks without one most likely ran: the one that the archive's records name most (photos with a
 * place), else the one whose offsets fit those of the owner's records best over the year, this machine's before others.
 */
export function guessZone({ zones, offsets }: ZoneVotes, machine: string): ZoneGuess {
  const [named] = [...zones].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (named) return { guess: named[0], basis: "archive" };
  const total = offsets.reduce((sum, { records }) => sum + records, 0);
  if (total === 0) return { guess: machine, basis: "machine" };
  const agreement = (zone: string) =>
    offsets.reduce((sum, { month, offset, records }) => {
      const middle = Date.parse(`${month}-15T12:00:00Z`);
      return sum + (offsetText(offsetAtInstant(zone, middle)) === offset ? records : 0);
    }, 0) / total;
  if (agreement(machine) >= enough) return { guess: machine, basis: "archive" };
  const best = Intl.supportedValuesOf("timeZone").reduce(
    (found, zone) => {
      const share = agreement(zone);
      return share > found.share ? { zone, share } : found;
    },
    { zone: machine, share: enough },
  );
  return best.zone === machine ? { guess: machine, basis: "machine" } : { guess: best.zone, basis: "archive" };
}
