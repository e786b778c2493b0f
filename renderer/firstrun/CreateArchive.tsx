import { type FormEvent, useState } from "react";
import type { ErrorShape } from "#contract";
import { Button, Field } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { shownError } from "../state/client.ts";
import { useSession } from "../state/session.ts";
import { passphraseStrength } from "./strength.ts";

const words = {
  title: "Make your archive",
  lead: "The passphrase is the key. Nobody can reset it for you; next you get a recovery code for the day you forget it.",
  name: "Name",
  passphrase: "Passphrase",
  passphraseHint: "Four or more unrelated words are strong and easy to remember.",
  again: "Passphrase, once more",
  differs: "The two are not the same.",
  strength: {
    weak: "Weak. Add a word or two.",
    fair: "Fair. One more word makes it strong.",
    strong: "Strong.",
  },
} as const;

export function CreateArchive({ onBack }: { onBack: () => void }) {
  const [name, setName] = useState("My archive");
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorShape | null>(null);
  const strength = passphraseStrength(passphrase);
  const differs = again !== "" && again !== passphrase;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await useSession.getState().create(name.trim(), passphrase);
    } catch (cause) {
      setError(shownError(cause));
      setBusy(false);
    }
  }

  return (
    <form className="first__form" onSubmit={(event) => void submit(event)}>
      <h1 className="first__title">{words.title}</h1>
      <p className="first__lead">{words.lead}</p>
      <Field label={words.name}>
        {(control) => (
          <input
            {...control}
            className="input"
            value={name}
            maxLength={80}
            required
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={words.passphrase}
        hint={
          passphrase === "" ? (
            words.passphraseHint
          ) : (
            <span className="strength" data-strength={strength} aria-live="polite">
              <span className="strength__bar" aria-hidden="true" />
              {words.strength[strength]}
            </span>
          )
        }
      >
        {(control) => (
          <input
            {...control}
            className="input"
            type="password"
            autoComplete="new-password"
            value={passphrase}
            required
            onChange={(event) => setPassphrase(event.target.value)}
          />
        )}
      </Field>
      <Field label={words.again} error={differs ? words.differs : null}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="password"
            autoComplete="new-password"
            value={again}
            required
            onChange={(event) => setAgain(event.target.value)}
          />
        )}
      </Field>
      {error ? <ErrorNote error={error} /> : null}
      <div className="first__actions">
        <Button
          tone="primary"
          type="submit"
          disabled={busy || name.trim() === "" || strength === "weak" || passphrase !== again}
        >
          {busy ? "Making the archive…" : "Make the archive"}
        </Button>
        <Button tone="quiet" onClick={onBack} disabled={busy}>
          Back
        </Button>
      </div>
    </form>
  );
}
