/**
 * XMP (ISO 16684-1) as far as pictures use it: an RDF packet, flattened to lists of values by property. Attribute and
 * element forms are equal, arrays give one value an item, the x-default of a language choice comes first. Written to
 * read what is there, not to judge it: a broken packet gives the properties before the break.
 */

/** Values by canonical name: `dc:title`, `exif:GPSLatitude`, `xmp:Rating`. */
export type XmpProperties = ReadonlyMap<string, readonly string[]>;

/** Whatever prefix a file chooses, these are ours. */
const prefixes: Readonly<Record<string, string>> = {
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://ns.adobe.com/xap/1.0/": "xmp",
  "http://ns.adobe.com/exif/1.0/": "exif",
  "http://ns.adobe.com/tiff/1.0/": "tiff",
  "http://ns.adobe.com/photoshop/1.0/": "photoshop",
  "http://ns.adobe.com/lightroom/1.0/": "lr",
  "http://www.digikam.org/ns/1.0/": "digiKam",
  "http://www.metadataworkinggroup.com/schemas/regions/": "mwg-rs",
  "http://ns.microsoft.com/photo/1.2/t/Region#": "MPReg",
  "http://ns.microsoft.com/photo/1.0/": "MicrosoftPhoto",
  "http://ns.google.com/photos/1.0/camera/": "GCamera",
  "http://ns.google.com/photos/1.0/container/": "Container",
  "http://ns.google.com/photos/1.0/container/item/": "Item",
  "http://ns.adobe.com/xap/1.0/mm/": "xmpMM",
  "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": "Iptc4xmpExt",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
  "adobe:ns:meta/": "x",
};

const limits = { packetBytes: 8 * 1024 * 1024, depth: 64, values: 10_000 } as const;

/** The first packet in these bytes; XMP is made to be found by scanning (ISO 16684-1 §7.3). Null when there is none. */
export function findXmpPacket(bytes: Buffer): string | null {
  const start = bytes.indexOf("<x:xmpmeta");
  if (start < 0) return null;
  const end = bytes.indexOf("</x:xmpmeta>", start);
  const stop = end < 0 ? start + limits.packetBytes : end + 12;
  return bytes.subarray(start, Math.min(stop, start + limits.packetBytes)).toString("utf8");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}

/** End of the tag that begins at `start`: the first ">" outside quotes; -1 when it is cut. */
function tagEnd(xml: string, start: number): number {
  let quote = "";
  for (let at = start; at < xml.length; at++) {
    const char = xml.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at;
  }
  return -1;
}

/** Reads a packet, or a whole sidecar file. Never throws. */
export function parseXmp(xml: string): XmpProperties {
  const values = new Map<string, string[]>();
  const spaces = new Map<string, string>();
  let count = 0;

  const canonical = (name: string): string => {
    const colon = name.indexOf(":");
    if (colon < 0) return name;
    const prefix = name.slice(0, colon);
    return `${spaces.get(prefix) ?? prefix}${name.slice(colon)}`;
  };
  const add = (property: string, raw: string, first = false) => {
    const value = decodeEntities(raw).trim();
    if (value === "" || count >= limits.values) return;
    count++;
    const list = values.get(property) ?? [];
    values.set(property, list);
    if (first) list.unshift(value);
    else list.push(value);
  };

  /** Open elements; `text` gathers what stands directly inside. */
  const open: { name: string; text: string; preferred: boolean }[] = [];
  const close = () => {
    const element = open.pop();
    if (!element || element.text.trim() === "") return;
    const property = element.name.startsWith("rdf:")
      ? open.findLast((outer) => !outer.name.startsWith("rdf:"))?.name
      : element.name;
    if (property !== undefined && !property.startsWith("x:")) add(property, element.text, element.preferred);
  };

  let at = 0;
  while (at < xml.length && count < limits.values) {
    const next = xml.indexOf("<", at);
    const inner = open.at(-1);
    if (inner) inner.text += xml.slice(at, next < 0 ? undefined : next);
    if (next < 0) break;
    if (xml.startsWith("<!--", next)) {
      const end = xml.indexOf("-->", next);
      if (end < 0) break;
      at = end + 3;
      continue;
    }
    if (xml.startsWith("<![CDATA[", next)) {
      const end = xml.indexOf("]]>", next);
      if (end < 0) break;
      if (inner) inner.text += xml.slice(next + 9, end).replaceAll("&", "&amp;");
      at = end + 3;
      continue;
    }
    const end = tagEnd(xml, next + 1);
    if (end < 0) break;
    at = end + 1;
    const tag = xml.slice(next + 1, end);
    if (tag.startsWith("?") || tag.startsWith("!")) continue;
    if (tag.startsWith("/")) {
      close();
      continue;
    }
    const attributes = [...tag.matchAll(/(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map((found) => ({
      name: found[1] ?? "",
      value: found[2] ?? found[3] ?? "",
    }));
    for (const { name, value } of attributes) {
      const known = prefixes[value];
      if (name.startsWith("xmlns:") && known !== undefined) spaces.set(name.slice(6), known);
    }
    for (const { name, value } of attributes) {
      const property = canonical(name);
      if (property.includes(":") && !/^(?:xmlns|xml|rdf|x):/.test(property)) add(property, value);
    }
    if (tag.endsWith("/")) continue;
    if (open.length >= limits.depth) break;
    const preferred = attributes.some(({ name, value }) => name === "xml:lang" && value === "x-default");
    open.push({ name: canonical(/^[^\s/]+/.exec(tag)?.[0] ?? ""), text: "", preferred });
  }
  return values;
}
