import type { RecordProps } from "#contract";

/**
 * Reactions ("tapbacks"), which Messages keeps as messages of their own: type 2000–2007 adds one to the message that
 * `associated_message_guid` names, 3000–3007 takes it back, 1000 lays a sticker on it.
 */

const classic: Readonly<Record<number, string>> = { 0: "❤️", 1: "👍", 2: "👎", 3: "😂", 4: "‼️", 5: "❓" };
const sticker = ":sticker:";

/** `p:0/GUID`, `bp:GUID` or a bare one: part and guid of the message that is meant. */
export function targetOf(associated: string): { guid: string; part: string } {
  const match = /^(?:p:(\d+)\/|bp:)?(.+)$/s.exec(associated);
  return { guid: match?.[2] ?? associated, part: match?.[1] ?? "" };
}

/** Whether a message is only a reaction to another one, or a vote in its poll. */
export const isTapback = (type: number): boolean => type === 1000 || (type >= 2000 && type <= 4000);

interface Given {
  readonly by: string | null;
  readonly part: string;
  readonly emoji: string;
}

/** Reactions by the message they are on, as they are after all were added and taken back in order. */
export class Tapbacks {
  readonly #given = new Map<string, Given[]>();

  /** `by` null is the owner. */
  apply(type: number, associated: string, emoji: string | null, by: string | null): void {
    const { guid, part } = targetOf(associated);
    const kind = type === 1000 ? 7 : type % 1000;
    if (type >= 4000) return;
    const shown = (kind === 7 ? sticker : kind === 6 ? emoji : classic[kind]) ?? null;
    const others = this.#given.get(guid) ?? [];
    const same = (one: Given) => one.by === by && one.part === part;
    if (type >= 3000) {
      const at = others.findLastIndex((one) => same(one) && (shown === null || one.emoji === shown));
      if (at >= 0) others.splice(at, 1);
      return;
    }
    // One person has one reaction to a part of a message, and any number of stickers.
    const kept = shown === sticker ? others : others.filter((one) => !same(one) || one.emoji === sticker);
    if (kept.length < 1000) kept.push({ by, part, emoji: (shown ?? "❔").slice(0, 32) });
    this.#given.set(guid, kept);
  }

  on(guid: string): NonNullable<RecordProps["reactions"]> {
    return (this.#given.get(guid) ?? []).map(({ by, emoji }) => ({ emoji, by: by ?? "Me", count: 1 }));
  }
}
