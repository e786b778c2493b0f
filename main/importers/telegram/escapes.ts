import type { Entry } from "../types.ts";

const backslash = 0x5c;
const letterX = 0x78;

/**
 * The entry with `\x1F` written as `\u001F`. Telegram Desktop writes control characters in texts so, which is no JSON, and
 * one of them would make the whole file unreadable.
 */
export function withJsonEscapes(entry: Entry): Entry {
  return { ...forwarded(entry), stream: (range) => mended(entry.stream(range)) };
}

/** Entries are objects with prototypes: their members are named one by one. */
function forwarded(entry: Entry): Entry {
  const { path, name, joined, bytes, modified } = entry;
  return {
    path,
    name,
    joined,
    bytes,
    modified,
    head: () => entry.head(),
    stream: (range) => entry.stream(range),
    readAll: (cap) => entry.readAll(cap),
  };
}

async function* mended(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  /** The chunk before ended inside an escape. */
  let open = false;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    if (!open && !mayHold(chunk)) {
      open = oddBackslashes(chunk);
      yield chunk;
      continue;
    }
    const out: number[] = [];
    for (const byte of chunk) {
      if (open && byte === letterX) out.push(0x75, 0x30, 0x30);
      else out.push(byte);
      open = !open && byte === backslash;
    }
    yield Uint8Array.from(out);
  }
}

function mayHold(chunk: Uint8Array): boolean {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).includes("\\x");
}

/** Whether the chunk ends with an escape that has only begun. */
function oddBackslashes(chunk: Uint8Array): boolean {
  let count = 0;
  while (count < chunk.length && chunk[chunk.length - 1 - count] === backslash) count++;
  return count % 2 === 1;
}
