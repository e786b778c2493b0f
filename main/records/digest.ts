import { createHash } from "node:crypto";
import type { Database } from "#native/sqlite.ts";
import { canonicalJson } from "./canonical.ts";
import { contentOf, recordRows } from "./rows.ts";

const page = 500;

/**
 * SHA-256 (hex) over all live records in identity order: what each says and the paths it was read from, without row ids,
 * versions and dates of import. Lists that are sets (labels, albums, links) count in sorted order, so that two archives
 * that were fed the same things in another order have the same digest.
 */
export function contentDigest(db: Database): string {
  const rows = recordRows(db);
  const digest = createHash("sha256");
  let after = "";
  for (;;) {
    const ids = rows.liveAfter(after, page);
    const last = ids.at(-1);
    if (!last) return digest.digest("hex");
    for (const record of rows.getMany(ids.map((one) => one.id))) {
      const { container, props, ...content } = contentOf(record);
      const said = {
        ...content,
        container: container?.key ?? null,
        props: {
          ...props,
          labels: props.labels?.toSorted(),
          links: props.links?.toSorted(),
          albums: props.albums?.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        },
        identity: record.identity,
        paths: [...new Set(record.files.map((file) => file.path))].sort(),
      };
      digest.update(`${canonicalJson(said)}\n`);
    }
    after = last.identity;
  }
}
