import { useState } from "react";
import type { ErrorShape, ModelStatus } from "#contract";
import { Button, Segments } from "../design/controls.tsx";
import { AskDialog } from "../design/dialog.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { shownError } from "../state/client.ts";
import { bytes, counted } from "../state/format.ts";
import { useModels } from "../state/models.ts";
import { PathField } from "./PathField.tsx";
import { sourceWords } from "./words.ts";
import "./consent.css";

const words = {
  network:
    "To fetch this Understory uses the network, this once. It sends nothing about you or your archive; the server only sees that someone fetches a file. Afterwards it runs on this machine alone.",
  hand: "Nothing is fetched: the files are copied from where they lie, and checked like all others. The network stays unused.",
  unseen: "Nobody here has had these files in hand: size and checksum are the publisher's word.",
  bring: "How it comes here",
  fetch: "Fetch it",
  byHand: "From a folder",
  yes: "Fetch and install",
  yesByHand: "Install from there",
  no: "Not now",
} as const;

function Particulars({ model, short }: { model: ModelStatus; short: boolean }) {
  return (
    <div className={short ? "consent__model consent__model--short" : "consent__model"}>
      {short ? <h3>{model.title}</h3> : null}
      <p className="model__why">{model.why}</p>
      <dl className="facts">
        <div>
          <dt>Size</dt>
          <dd>{bytes(model.bytes)}</dd>
        </div>
        <div>
          <dt>Licence</dt>
          <dd>
            {model.licence} <span className="quiet">{model.licenceUrl}</span>
          </dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>{sourceWords(model)}</dd>
        </div>
      </dl>
      {model.measured ? null : <p className="model__unseen">{words.unseen}</p>}
    </div>
  );
}

/** What, why, how large, under which licence, from where: then a yes or a no. Several at once only from the network. */
export function Consent({ models, onClose }: { models: readonly ModelStatus[]; onClose: () => void }) {
  const [only, second] = models;
  const single = second === undefined ? only : undefined;
  const handOnly = single?.sources.every((source) => source.kind === "local") ?? false;
  const [way, setWay] = useState<"fetch" | "hand">(handOnly ? "hand" : "fetch");
  const [path, setPath] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorShape | null>(null);
  const byHand = way === "hand";
  const size = models.reduce((sum, model) => sum + model.bytes, 0);

  async function install() {
    setBusy(true);
    setError(null);
    try {
      const ids = models.map((model) => model.id);
      await useModels.getState().install(ids, byHand ? path.trim() : undefined);
      onClose();
    } catch (cause) {
      setError(shownError(cause));
      setBusy(false);
    }
  }

  return (
    <AskDialog
      title={single ? `Install ${single.title}?` : `Install ${counted(models.length, "model")}, ${bytes(size)}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.no}</Button>
          <Button tone="primary" disabled={busy || (byHand && path.trim() === "")} onClick={() => void install()}>
            {byHand ? words.yesByHand : words.yes}
          </Button>
        </>
      }
    >
      {models.map((model) => (
        <Particulars key={model.id} model={model} short={!single} />
      ))}
      {single && !handOnly ? (
        <div>
          <Segments
            label={words.bring}
            value={way}
            onChange={setWay}
            options={[
              { value: "fetch", label: words.fetch },
              { value: "hand", label: words.byHand },
            ]}
          />
        </div>
      ) : null}
      {byHand ? <PathField value={path} onChange={setPath} /> : null}
      <p className="model__consent">{byHand ? words.hand : words.network}</p>
      {error ? <ErrorNote error={error} /> : null}
    </AskDialog>
  );
}
