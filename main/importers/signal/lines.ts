import type { Entry } from "../types.ts";

/** Largest line that is kept, characters; the rest of a longer one is left out. */
const maxLine = 16 * 1024 * 1024;

export interface Line {
  readonly text: string;
  /** 1 for the first. */
  readonly number: number;
  /** The line was longer than what is kept of it. */
  readonly cut: boolean;
}

/** Lines of a UTF-8 text, streamed, without their ends and without the mark at the start. */
export async function* linesOf(entry: Entry): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let held = "";
  let cut = false;
  let number = 0;
  const line = (text: string): Line => ({ text: text.replace(/\r$/, ""), number: ++number, cut });
  for await (const chunk of entry.stream()) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    for (const text of lines) {
      yield line(held + text);
      held = "";
      cut = false;
    }
    if (held.length + last.length > maxLine) cut = true;
    else held += last;
  }
  held += decoder.decode();
  if (held !== "") yield line(held);
}
