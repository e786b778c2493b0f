import { createHash } from "node:crypto";

/** Entries kept: enough for very large mailboxes, little enough for small machines. The oldest go first. */
const capacity = 400_000;

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size >= capacity) {
    const oldest = map.keys().next();
    if (!oldest.done) map.delete(oldest.value);
  }
  map.set(key, value);
}

const short = (text: string) => createHash("sha256").update(text).digest().readUIntBE(0, 6);

/**
 * What one claim has seen so far: which message stands at the root of which thread, and which Message-IDs came with
 * which date. It depends only on the messages before, so a replay after an interruption gives the same answers.
 */
export class MailMemory {
  /** Message-ID to the oldest ancestor it names. */
  private readonly ancestors = new Map<string, string>();
  private readonly stamps = new Map<number, number>();

  /** Takes note of a message's references; the first is the oldest. */
  note(id: string | null, references: readonly string[]): void {
    for (const [i, reference] of [...references, id].entries()) {
      const oldest = references[0];
      if (i === 0 || reference === null || oldest === undefined || reference === oldest) continue;
      if (!this.ancestors.has(reference)) remember(this.ancestors, reference, oldest);
    }
  }

  /** The root of a message's thread: the oldest ancestor known. Messages that name each other in a ring share one root. */
  root(id: string): string {
    const path = [id];
    for (let at = this.ancestors.get(id); at !== undefined && path.length < 1_000; at = this.ancestors.get(at)) {
      const ring = path.indexOf(at);
      if (ring >= 0) return path.slice(ring).sort()[0] ?? id;
      path.push(at);
    }
    return path.at(-1) ?? id;
  }

  /** True when this Message-ID came before with another `stamp` (its date): some devices use one id for all they send. */
  reused(id: string, stamp: string): boolean {
    const key = short(id);
    const value = short(stamp);
    const known = this.stamps.get(key);
    if (known === undefined) remember(this.stamps, key, value);
    return known !== undefined && known !== value;
  }
}
