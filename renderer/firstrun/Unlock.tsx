import { type FormEvent, useState } from "react";
import type { ErrorShape, Input } from "#contract";
import { Button, Field, Segments } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { client, shownError } from "../state/client.ts";
import { useSession } from "../state/session.ts";

const words = {
  passphrase: "Passphrase",
  recovery: "Recovery code",
  recoveryHint: "The code that was shown when the archive was made. Capitals and dashes do not matter.",
  open: "Open",
  opening: "Opening…",
  keychain: "Open with this computer's keychain",
  sample: "Look at the sample household instead",
} as const;

/** The field is the only thing to do on this page, so the caret waits in it. Stable: called once when it appears. */
function focusOnArrival(input: HTMLInputElement | null): void {
  input?.focus();
}

export function Unlock({ onSample }: { onSample: () => Promise<void> }) {
  const status = useSession((session) => session.status);
  const [way, setWay] = useState<"passphrase" | "recovery">("passphrase");
  const [secret, setSecret] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorShape | null>(null);
  const ways = status?.unlockWith ?? ["passphrase"];

  async function unlock(input: Input<"archive.unlock">) {
    setBusy(true);
    setError(null);
    try {
      await client().call("archive.unlock", input);
      await useSession.getState().refresh();
    } catch (cause) {
      setError(shownError(cause));
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void unlock(
      way === "passphrase" ? { with: "passphrase", passphrase: secret } : { with: "recovery", recoveryCode: secret },
    );
  }

  return (
    <form className="first__form" onSubmit={submit}>
      <h1 className="first__title">{status?.name ?? "Your archive"}</h1>
      <p className="small quiet first__path">
        <span>{status?.path}</span>
      </p>
      {ways.includes("keychain") ? (
        <div>
          <Button tone="primary" disabled={busy} onClick={() => void unlock({ with: "keychain" })}>
            {words.keychain}
          </Button>
        </div>
      ) : null}
      {ways.includes("recovery") ? (
        <div>
          <Segments
            label="Open with"
            value={way}
            options={[
              { value: "passphrase", label: words.passphrase },
              { value: "recovery", label: words.recovery },
            ]}
            onChange={(next) => {
              setWay(next);
              setSecret("");
              setError(null);
            }}
          />
        </div>
      ) : null}
      <Field
        label={way === "passphrase" ? words.passphrase : words.recovery}
        hint={way === "recovery" ? words.recoveryHint : null}
      >
        {(control) => (
          <input
            {...control}
            key={way}
            className={`input ${way === "recovery" ? "input--code" : ""}`}
            type={way === "passphrase" ? "password" : "text"}
            autoComplete={way === "passphrase" ? "current-password" : "off"}
            spellCheck={false}
            ref={focusOnArrival}
            value={secret}
            required
            onChange={(event) => setSecret(event.target.value)}
          />
        )}
      </Field>
      {error ? <ErrorNote error={error} /> : null}
      <div className="first__actions">
        <Button tone={ways.includes("keychain") ? "plain" : "primary"} type="submit" disabled={busy || secret === ""}>
          {busy ? words.opening : words.open}
        </Button>
        <Button tone="quiet" disabled={busy} onClick={() => void onSample()}>
          {words.sample}
        </Button>
      </div>
    </form>
  );
}
