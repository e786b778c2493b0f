/** The messages of an mbox and nothing else: splits at lines that begin with "From ", takes no quoting back. */
export async function* splitMessages(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncIterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf("\nFrom "); at >= 0; at = rest.indexOf("\nFrom ")) {
      yield rest.subarray(rest.indexOf(10) + 1, at);
      rest = rest.subarray(at + 1);
    }
  }
  if (rest.length > 0) yield rest.subarray(rest.indexOf(10) + 1);
}
