import type { Party } from "#contract";
import { member } from "../chats/message.ts";
import { fieldHash } from "../text/clean.ts";
import type { RawEntry, RawMessage } from "./messages.ts";
import { NumberBook } from "./numbers.ts";

/** Numbers, names and the owner's own number, as one backup tells them all together. */
export class Phonebook {
  readonly #book = new NumberBook();
  readonly #names: [string, string][] = [];
  readonly #own = new Map<string, number>();
  #ownKey: string | null = null;

  /** To be called with every entry, then `settle`. */
  survey(entry: RawEntry): void {
    if (entry.type === "call") {
      if (entry.address !== null) this.#note(entry.address, entry.name);
      return;
    }
    for (const [i, address] of entry.addresses.entries()) this.#note(address, entry.names[i] ?? null);
    for (const { address } of entry.to) this.#book.add(address);
    if (entry.from !== null) this.#book.add(entry.from);
    const own = this.#ownOf(entry);
    if (own !== null) this.#own.set(own, (this.#own.get(own) ?? 0) + 1);
  }

  #note(address: string, name: string | null): void {
    this.#book.add(address);
    if (name !== null && this.#names.length < 200_000) this.#names.push([address, name]);
  }

  /** An MMS tells the owner's number: as its sender, or as the one receiver who is not in the conversation. */
  #ownOf({ box, from, to, addresses }: RawMessage): string | null {
    if (box !== 1) return from;
    if (addresses.length === 0) return null;
    const rest = to.filter(({ address }) => !addresses.includes(address));
    return rest.length === 1 ? (rest[0]?.address ?? null) : null;
  }

  settle(): void {
    for (const [address, name] of this.#names) this.#book.addName(address, name);
    const [best] = [...this.#own].sort((a, b) => b[1] - a[1]);
    this.#ownKey = best === undefined ? null : this.#book.keyOf(best[0]);
  }

  isOwn(address: string): boolean {
    return this.#ownKey !== null && this.#book.keyOf(address) === this.#ownKey;
  }

  party(address: string, role: Party["role"] = null): Party {
    const own = this.isOwn(address);
    return member(own ? null : this.#book.nameOf(address), address, { role, owner: own });
  }

  /** The owner as an author: by number where an MMS told it. */
  owner(): Party {
    return member(null, this.#ownKey, { owner: true });
  }

  /** The others of a message's conversation, each once. */
  others(message: RawMessage): string[] {
    const listed = [
      ...message.addresses,
      ...(message.from === null ? [] : [message.from]),
      ...message.to.map(({ address }) => address),
    ];
    const found = new Map<string, string>();
    for (const address of listed) {
      const key = this.#book.keyOf(address);
      if (key !== this.#ownKey && !found.has(key)) found.set(key, address);
    }
    return [...found.values()];
  }

  /** Key and title of the conversation with these people: the same however their numbers are written. */
  conversation(others: readonly string[]): { key: string; title: string | null } {
    const keys = [...new Set(others.map((one) => this.#book.keyOf(one)))].sort();
    const joined = keys.join("~");
    const titles = others.slice(0, 4).map((one) => this.#book.nameOf(one) ?? one);
    const title = others.length > 4 ? `${titles.join(", ")} …` : titles.join(", ");
    return { key: `sms:${joined.length > 400 ? `#${fieldHash(keys)}` : joined}`, title: title === "" ? null : title };
  }
}
