import { posix } from "node:path";
import { htmlToPlain } from "#main/importers/text/html.ts";
import type { OfficePackage } from "./package.ts";
import type { Reading } from "./reading.ts";
import { attribute, walkXml } from "./xml.ts";

const chapterBytes = 16 * 1024 * 1024;

/** EPUB 3: the chapters in the order of the spine, an empty line between. A book under a copy lock is told as such. */
export async function readEpub(office: OfficePackage, reading: Reading): Promise<void> {
  let root = "";
  await office.walk("META-INF/container.xml", {
    open(element) {
      if (element.name === "rootfile") root ||= attribute(element, "full-path") ?? "";
      return undefined;
    },
  });
  const items = new Map<string, { href: string; type: string }>();
  const spine: string[] = [];
  let field = "";
  await office.walk(root, {
    open(element) {
      field = element.name;
      const id = attribute(element, "id");
      if (field === "item" && id !== null && items.size < 65_536) {
        items.set(id, { href: attribute(element, "href") ?? "", type: attribute(element, "media-type") ?? "" });
      }
      if (field === "itemref") spine.push(attribute(element, "idref") ?? "");
      return undefined;
    },
    text(text) {
      if (field === "title" && text.trim() !== "") reading.title ??= text.trim();
    },
    close() {
      field = "";
    },
  });
  const locked = await lockedParts(office);
  let unread = 0;
  for (const id of spine) {
    if (reading.out.full) return;
    const item = items.get(id);
    if (!item || !/x?html/.test(item.type)) continue;
    const part = posix.join(posix.dirname(root), unescaped(item.href.replace(/#.*/, "")));
    if (locked.has(part)) {
      unread++;
      continue;
    }
    const bytes = await office.bytes(part, chapterBytes).catch(() => null);
    if (bytes === null) unread++;
    else reading.out.line(`${htmlToPlain(new TextDecoder().decode(bytes))}\n`);
  }
  if (unread > 0) {
    reading.reasons.push(
      locked.size > 0 ? "The book is under a copy lock and cannot be read" : `${unread} of its chapters are missing`,
    );
  }
}

const unescaped = (href: string): string => {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
};

/** Parts that are encrypted; fonts often are, by their makers, and hide nothing that is read here. */
async function lockedParts(office: OfficePackage): Promise<Set<string>> {
  const parts = new Set<string>();
  const open = (element: Parameters<typeof attribute>[0]) => {
    if (element.name === "CipherReference") parts.add(unescaped(attribute(element, "URI") ?? ""));
    return undefined;
  };
  await walkXml(office.chunks("META-INF/encryption.xml"), { open }).catch(() => undefined);
  return parts;
}
