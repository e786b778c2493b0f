import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../design/controls.tsx";
import { useSession } from "../state/session.ts";
import { useUi } from "../state/ui.ts";

const words = {
  title: "Your recovery code",
  lead: "If you forget the passphrase, this code opens the archive. Without both, nobody can open it, and neither can we.",
  once: "It is shown now and never again. Write it on paper, or keep it in a password manager, away from this machine.",
  confirm: "I have written it down",
  done: "Open my archive",
} as const;

export function RecoveryCode({ code }: { code: string }) {
  const [written, setWritten] = useState(false);
  const [copied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
    } catch {
      useUi.getState().notify("The code could not be copied here. Please write it down by hand.");
    }
  }

  return (
    <div className="first__form">
      <h1 className="first__title">{words.title}</h1>
      <p className="first__lead">{words.lead}</p>
      <output className="recovery">{code}</output>
      <p>{words.once}</p>
      <div>
        <Button onClick={() => void copy()}>
          {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
      <label className="first__check">
        <input type="checkbox" checked={written} onChange={(event) => setWritten(event.target.checked)} />
        {words.confirm}
      </label>
      <div className="first__actions">
        <Button tone="primary" disabled={!written} onClick={() => void useSession.getState().confirmRecoveryCode()}>
          {words.done}
        </Button>
      </div>
    </div>
  );
}
