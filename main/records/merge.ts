import type { Attachment, ImportedRecord, Party, Place, RecordProps, RecordTime } from "#contract";

/** Pure: what becomes of a record when a source says something new about it. */

/** The part of a record that a source may say anew. */
export type Content = Omit<ImportedRecord, "identity" | "files">;

/**
 * The later non-empty value wins and an empty one never erases; labels, albums and links are united. A time or place
 * of low confidence (a file's date, say) does not replace one that is there.
 */
export function merge(kept: Content, said: Content): Content {
  return {
    kind: said.kind,
    nativeId: said.nativeId ?? kept.nativeId,
    subject: nonEmpty(said.subject) ?? kept.subject,
    text: nonEmpty(said.text) ?? kept.text,
    author: mergeParty(kept.author, said.author),
    participants: said.participants.length > 0 ? said.participants : kept.participants,
    time: surer(kept.time, said.time),
    end: surer(kept.end, said.end),
    place: surer(kept.place, said.place),
    container: said.container ?? kept.container,
    thread: said.thread ?? kept.thread,
    sequence: kept.sequence ?? said.sequence,
    replyTo: said.replyTo ?? kept.replyTo,
    // Once an item of its own, never a mere part again.
    partOf: kept.partOf && (said.partOf ?? null),
    props: mergeProps(kept.props, said.props),
  };
}

function nonEmpty(text: string | null): string | null {
  return text === "" ? null : text;
}

function surer<T extends RecordTime | Place>(kept: T | null, said: T | null): T | null {
  if (!said) return kept;
  return kept && said.confidence === "low" ? kept : said;
}

function mergeParty(kept: Party | null, said: Party | null): Party | null {
  if (!said) return kept;
  if (!kept) return said;
  return {
    name: said.name ?? kept.name,
    address: said.address ?? kept.address,
    role: said.role ?? kept.role,
    owner: said.owner || kept.owner,
  };
}

function mergeProps(kept: RecordProps, said: RecordProps): RecordProps {
  const merged: RecordProps = { ...kept, ...present(said) };
  if (kept.labels && said.labels) merged.labels = [...new Set([...kept.labels, ...said.labels])];
  if (kept.links && said.links) merged.links = [...new Set([...kept.links, ...said.links])];
  if (kept.albums && said.albums) {
    const byName = new Map(kept.albums.map((album) => [album.name, album]));
    for (const album of said.albums) {
      byName.set(album.name, {
        name: album.name,
        description: album.description ?? byName.get(album.name)?.description ?? null,
      });
    }
    merged.albums = [...byName.values()];
  }
  if (kept.attachments && said.attachments) merged.attachments = mergeAttachments(kept.attachments, said.attachments);
  if (kept.extra && said.extra) merged.extra = { ...kept.extra, ...said.extra };
  return merged;
}

/** Without the fields that say nothing: empty lists and empty texts. */
function present(props: RecordProps): RecordProps {
  const entries = Object.entries(props).filter(
    ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries);
}

/** An export without media does not take away the media of an earlier one. */
function mergeAttachments(kept: readonly Attachment[], said: readonly Attachment[]): Attachment[] {
  if (said.length === 0) return [...kept];
  if (said.length !== kept.length) return [...said];
  return said.map((one, at) => {
    const before = kept[at];
    if (!before || before.name !== one.name) return one;
    if (one.missing && !before.missing) return before;
    return { ...one, text: one.text ?? before.text, sha256: one.sha256 ?? before.sha256 };
  });
}
