import { useState } from "react";
import { Button } from "../design/controls.tsx";
import { client } from "../state/client.ts";
import { useSession } from "../state/session.ts";
import { attempt } from "../state/ui.ts";
import { CreateArchive } from "./CreateArchive.tsx";
import { RecoveryCode } from "./RecoveryCode.tsx";
import { Unlock } from "./Unlock.tsx";
import "./firstrun.css";

const words = {
  title: "Ask your own past",
  lead: "Understory reads the photos, mail and chats that you drop into it, and answers questions about them. Every answer shows the records that it stands on, so you can look for yourself.",
  points: [
    ["It stays here.", "Everything is read, kept and searched on this machine. Nothing is sent anywhere."],
    ["It is locked.", "Your archive is encrypted with a passphrase that only you know."],
    ["Your files stay as they are.", "Understory reads them and never changes or moves them."],
  ],
  create: "Make my archive",
  sample: "Look around in a sample household",
  sampleHint: "A made-up family with a few hundred records, kept apart from your own.",
  place: "The archive will lie at",
} as const;

async function openSample() {
  if (await attempt(() => client().call("archive.openSample", {}))) await useSession.getState().refresh();
}

function Welcome({ onCreate }: { onCreate: () => void }) {
  const path = useSession((session) => session.status?.path);
  const [opening, setOpening] = useState(false);
  return (
    <>
      <h1 className="first__title">{words.title}</h1>
      <p className="first__lead">{words.lead}</p>
      <ul className="first__points">
        {words.points.map(([what, why]) => (
          <li key={what}>
            <strong>{what}</strong> {why}
          </li>
        ))}
      </ul>
      <div className="first__actions">
        <Button tone="primary" onClick={onCreate}>
          {words.create}
        </Button>
        <Button
          disabled={opening}
          onClick={() => {
            setOpening(true);
            void openSample().finally(() => setOpening(false));
          }}
        >
          {opening ? "Growing the sample…" : words.sample}
        </Button>
      </div>
      <p className="small quiet">{words.sampleHint}</p>
      {path ? (
        <p className="small quiet first__path">
          {words.place} <span>{path}</span>
        </p>
      ) : null}
    </>
  );
}

/** What stands before an open archive: the welcome, making one, its recovery code, and unlocking. */
export function FirstRun() {
  const state = useSession((session) => session.status?.state);
  const recoveryCode = useSession((session) => session.recoveryCode);
  const [making, setMaking] = useState(false);

  return (
    <main className="first">
      <div className="first__column">
        <div className="first__brand">
          <img src="./icon.svg" alt="" width={28} height={28} />
          Understory
        </div>
        {recoveryCode !== null ? (
          <RecoveryCode code={recoveryCode} />
        ) : state === "locked" ? (
          <Unlock onSample={openSample} />
        ) : making ? (
          <CreateArchive onBack={() => setMaking(false)} />
        ) : (
          <Welcome onCreate={() => setMaking(true)} />
        )}
      </div>
    </main>
  );
}
