import { ArrowUp, File, Folder } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../design/controls.tsx";
import { AskDialog } from "../design/dialog.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { bytes } from "../state/format.ts";
import { useImports } from "../state/imports.ts";
import { useListing } from "../state/listing.ts";

const words = {
  title: "Choose what to look at",
  up: "One folder up",
  take: "Look at this folder",
  takeMarked: "Look at what is marked",
  empty: "This folder is empty.",
} as const;

const none: ReadonlySet<string> = new Set();

/** Walks the folders of the machine that Understory runs on. */
export function BrowseDialog({ onClose }: { onClose: () => void }) {
  const [path, setPath] = useState<string | null>(null);
  const { listing, error } = useListing(path);
  /** Marks belong to the listing in which they were made: in the next folder nothing is marked. */
  const [marks, setMarks] = useState<{ in: typeof listing; entries: ReadonlySet<string> }>({ in: null, entries: none });
  const marked = marks.in === listing ? marks.entries : none;

  function mark(entry: string) {
    const next = new Set(marked);
    if (!next.delete(entry)) next.add(entry);
    setMarks({ in: listing, entries: next });
  }

  return (
    <AskDialog
      title={words.title}
      onClose={onClose}
      actions={
        <Button
          tone="primary"
          disabled={!listing}
          onClick={() => {
            if (!listing) return;
            onClose();
            void useImports.getState().planPaths(marked.size > 0 ? [...marked] : [listing.path]);
          }}
        >
          {marked.size > 0 ? words.takeMarked : words.take}
        </Button>
      }
    >
      <div className="browse__path">
        <IconButton
          label={words.up}
          disabled={!listing?.parent}
          onClick={() => listing?.parent && setPath(listing.parent)}
        >
          <ArrowUp size={17} aria-hidden />
        </IconButton>
        <code>{listing?.path}</code>
      </div>
      {error ? <ErrorNote error={error} /> : null}
      <ul className="browse">
        {listing?.entries.map((entry) => (
          <li key={entry.path}>
            <input
              type="checkbox"
              aria-label={`Mark ${entry.name}`}
              checked={marked.has(entry.path)}
              onChange={() => mark(entry.path)}
            />
            {entry.folder ? (
              <button type="button" onClick={() => setPath(entry.path)}>
                <Folder size={16} aria-hidden />
                {entry.name}
              </button>
            ) : (
              <span>
                <File size={16} aria-hidden />
                {entry.name} <span className="quiet small">{entry.bytes === null ? "" : bytes(entry.bytes)}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {listing?.entries.length === 0 ? <p className="quiet">{words.empty}</p> : null}
    </AskDialog>
  );
}
