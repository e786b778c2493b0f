import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MailMemory } from "#main/importers/mail/memory.ts";

/** Threads as they are defined: what one message names is one thread, and its root is the oldest that the first of them leads to. */
class PlainThreads {
  readonly #nearer = new Map<string, string>();

  note(id: string | null, references: readonly string[]): void {
    const [oldest] = references;
    if (oldest === undefined) return;
    for (const reference of id === null ? references : [...references, id]) {
      const [root, other] = [this.root(oldest), this.root(reference)];
      if (other !== root) this.#nearer.set(other, root);
    }
  }

  root(id: string): string {
    const next = this.#nearer.get(id);
    return next === undefined ? id : this.root(next);
  }
}

describe("what a mailbox remembers of its threads", () => {
  it("gives each message the root that its references lead to, whatever order they come in", () => {
    const id = fc.integer({ min: 0, max: 30 }).map((n) => `note-${n}.harbour@example.org`);
    const message = fc.record({ id: fc.option(id), references: fc.array(id, { maxLength: 5 }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
        const memory = new MailMemory();
        const plain = new PlainThreads();
        for (const one of messages) {
          memory.note(one.id, one.references);
          plain.note(one.id, one.references);
          for (const name of [one.id, ...one.references]) {
            if (name !== null) expect(memory.root(name)).toBe(plain.root(name));
          }
        }
      }),
    );
  });
});
