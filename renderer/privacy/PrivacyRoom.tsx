import { Segments } from "../design/controls.tsx";
import { count } from "../state/format.ts";
import { setParams, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { AuditLog } from "./AuditLog.tsx";
import { Trash } from "./Trash.tsx";
import "./privacy.css";

const words = {
  title: "Privacy",
  opening: "What leaves this machine: nothing.",
  exception:
    "Understory opens no connection by itself. The one exception is a model that you choose to download, and it asks first.",
  promises: [
    ["Where does it lie?", "In one folder, encrypted. Without the passphrase or the recovery code nobody can read it."],
    [
      "What happens to my files?",
      "They are read and stay where they are. Deleting a record here does not delete the file it came from.",
    ],
    [
      "What does delete mean?",
      "First the trash, where it can be undone. From there for good: the record, its versions, and everything that was derived from it.",
    ],
  ],
} as const;

const tabs = ["promise", "trash", "log"] as const;
type Tab = (typeof tabs)[number];

/** Plain words first, then the tools. */
export function PrivacyRoom() {
  const asked = useRoute((route) => route.params.tab);
  const tab: Tab = tabs.find((one) => one === asked) ?? "promise";
  const status = useSession((session) => session.status);
  const trashed = status?.counts?.trashed ?? 0;

  return (
    <div className="room">
      <div className="room__column privacy">
        <h1 className="room__title">{words.title}</h1>
        <div>
          <Segments
            label="Part of Privacy"
            value={tab}
            onChange={(next) => setParams({ tab: next, open: "" })}
            options={[
              { value: "promise", label: "In plain words" },
              { value: "trash", label: trashed > 0 ? `Trash (${count(trashed)})` : "Trash" },
              { value: "log", label: "Audit log" },
            ]}
          />
        </div>
        {tab === "promise" ? (
          <>
            <div className="promise">
              <p className="promise__line">{words.opening}</p>
              <p className="quiet">{words.exception}</p>
            </div>
            <dl className="promises">
              {words.promises.map(([question, answer]) => (
                <div key={question}>
                  <dt>{question}</dt>
                  <dd>{answer}</dd>
                </div>
              ))}
            </dl>
            {status ? (
              <p className="small quiet promises__path">
                This archive: <code>{status.path}</code>
              </p>
            ) : null}
          </>
        ) : tab === "trash" ? (
          <Trash />
        ) : (
          <AuditLog />
        )}
      </div>
    </div>
  );
}
