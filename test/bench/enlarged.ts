import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderPicture } from "#native/images.ts";

/**
 * Real mail and pictures, repeated with changes until there are enough: every copy is a record of its own. Of a message only
 * the beginning is taken, so that many records are not mainly long ones.
 */

/** Characters of a message's body that are kept. */
const bodyLength = 700;

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Writes one mailbox of `mails` messages and `pictures` JPEGs below `target`. */
export async function enlarge(
  sources: { mail: string; photos: string },
  target: string,
  counts: { mails: number; pictures: number },
): Promise<void> {
  await mkdir(join(target, "pictures"), { recursive: true });
  const bodies: string[] = [];
  for (const path of await filesBelow(sources.mail)) {
    const text = (await readFile(path)).toString("latin1");
    if (/^message-id:/im.test(text.slice(0, 20_000)) && text.length < 60_000) bodies.push(text);
  }
  if (bodies.length === 0) throw new Error(`There are no messages below ${sources.mail}.`);
  const parts: string[] = [];
  for (let at = 0; at < counts.mails; at++) {
    const body = bodies[at % bodies.length] ?? "";
    const copy = Math.floor(at / bodies.length);
    const own = body.replace(/^(message-id:\s*<)/im, `$1copy${copy}.`).replace(/^>?From /gm, ">From ");
    const end = own.search(/\r?\n\r?\n/);
    const short = end < 0 ? own : own.slice(0, end + bodyLength);
    parts.push(`From copy@example.org Mon Jan  1 00:00:00 2024\n${short}\n\nCopy ${copy} of message ${at}.\n\n`);
  }
  await writeFile(join(target, "lists.mbox"), parts.join(""), "latin1");

  const originals = await filesBelow(sources.photos);
  for (let at = 0, made = 0; made < counts.pictures; at++) {
    const path = originals[at % originals.length] ?? "";
    const round = Math.floor(at / originals.length);
    if (round > counts.pictures) throw new Error(`There are no pictures below ${sources.photos}.`);
    const rendered = await renderPicture(new Uint8Array(await readFile(path)), {
      maxSide: 1_280 - 16 * (round % 40),
      format: "jpeg",
      quality: 60 + (round % 35),
    }).catch(() => null);
    if (!rendered) continue;
    const name = createHash("sha256").update(`${path}/${round}`).digest("hex").slice(0, 12);
    await writeFile(join(target, "pictures", `${name}.jpg`), rendered.bytes);
    made++;
  }
}
