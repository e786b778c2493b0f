import type { TelegramMessage } from "./schema.ts";

/** The words of a message and the addresses that stand behind them, not in them. */
export function wordsOf(message: Pick<TelegramMessage, "text" | "text_entities">): {
  readonly text: string;
  readonly links: readonly string[];
} {
  const parts = message.text_entities.length > 0 ? message.text_entities : message.text;
  const text = parts.map((part) => part.text ?? "").join("");
  const links = parts.flatMap(({ href, text: shown }) =>
    href === null || href === shown ? [] : [href.slice(0, 4_000)],
  );
  return { text, links: [...new Set(links)].slice(0, 500) };
}

/** A poll as text: the question, then a line for each answer. */
export function pollText(poll: NonNullable<TelegramMessage["poll"]>): string {
  return [poll.question, ...poll.answers.map((answer) => `- ${answer.text ?? ""}`)].join("\n");
}

/** A sentence in the place of a path: "(File not included. Change data exporting settings to download.)", also after a name. */
export function isPath(value: string): boolean {
  if (/\((?:File|Photo|Story|Video) [^()]*\)\s*$/.test(value)) return false;
  return value.includes("/") || !/^\(.*\)$|\s\([^()]*[.,][^()]*\)$/.test(value);
}
