import { ArrowUp, File, Folder } from "lucide-react";
import { useEffect, useState } from "react";
import type { ErrorShape, Output } from "#contract";
import { Button, IconButton } from "../design/controls.tsx";
import { AskDialog } from "../design/dialog.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { client, shownError } from "../state/client.ts";
import { bytes } from "../state/format.ts";
import { useImports } from "../state/imports.ts";

const words = {
  title: "Choose what to look at",
  up: "One folder up",
  take: "Look at this folder",
  takeMarked: "Look at what is marked",
  empty: "This folder is empty.",
} as const;

/** Walks the folders of the machine that Understory runs on. */
export function BrowseDialog({ onClose }: { onClose: () => void }) {
  const [path, setPath] = useState<string | null>(null);
  const [listing, setListing] = useState<Output<"imports.browse"> | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<ErrorShape | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    client()
      .call("imports.browse", { path }, { signal: controller.signal })
      .then(
        (read) => {
          setListing(read);
          setMarked(new Set());
          setError(null);
        },
        (cause: unknown) => setError(shownError(cause)),
      );
    return () => controller.abort();
  }, [path]);

  function mark(entry: string) {
    const next = new Set(marked);
    if (!next.delete(entry)) next.add(entry);
    setMarked(next);
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
