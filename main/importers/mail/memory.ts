import { NumberMap } from "./number-map.ts";

/** Entries kept: enough for very large mailboxes, little enough for small machines. The oldest go first. */
const capacity = 400_000;

/** A 53-bit hash of a string: two 32-bit multiplicative hashes side by side. A chance hit needs tens of millions of ids. */
function short(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 13;
  }
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}

/** A copy: a piece of a longer text keeps the whole of it in memory. */
function owned(text: string): string {
  return Buffer.from(text).toString();
}

/**
 * What one claim has seen so far: which message stands at the root of which thread, and which Message-IDs came with
 * which date. It depends only on the messages before, so a replay after an interruption gives the same answers.
 */
export class MailMemory {
  /** Message-ID to a message nearer to the root of its thread, both as `short`; a root is not in it. */
  private readonly nearer = new NumberMap(capacity);
  /** Message-IDs of roots that others were joined to: one a thread, where each message's own would grow with the mailbox. */
  private readonly names = new Map<number, string>();
  private readonly stamps = new NumberMap(capacity);

  /** Takes note of a message's references, oldest first: all that it names is one thread. */
  note(id: string | null, references: readonly string[]): void {
    const [oldest] = references;
    if (oldest === undefined) return;
    const first = short(oldest);
    const root = this.#rootOf(first);
    if (root === first && !this.names.has(root)) this.#name(root, oldest);
    for (const reference of id === null ? references : [...references, id]) {
      const other = this.#rootOf(short(reference));
      if (other === root) continue;
      this.nearer.set(other, root);
      this.names.delete(other);
    }
  }

  /** The root of a message's thread: the oldest message known of it. */
  root(id: string): string {
    const own = short(id);
    const root = this.#rootOf(own);
    return root === own ? id : (this.names.get(root) ?? id);
  }

  #name(root: number, id: string): void {
    if (this.names.size >= capacity) {
      const oldest = this.names.keys().next();
      if (!oldest.done) this.names.delete(oldest.value);
    }
    this.names.set(root, owned(id));
  }

  #rootOf(id: number): number {
    let root = id;
    for (let at = this.nearer.get(root); at !== undefined; at = this.nearer.get(at)) root = at;
    // The next question is shorter.
    if (root !== id && this.nearer.get(id) !== root) this.nearer.set(id, root);
    return root;
  }

  /** True when this Message-ID came before with another `stamp` (its date): some devices use one id for all they send. */
  reused(id: string, stamp: string): boolean {
    const key = short(id);
    const value = short(stamp);
    const known = this.stamps.get(key);
    if (known === undefined) this.stamps.set(key, value);
    return known !== undefined && known !== value;
  }
}
