import { Lock, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { IconButton } from "../design/controls.tsx";
import { client } from "../state/client.ts";
import { counted } from "../state/format.ts";
import { formatHash, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { attempt, useUi } from "../state/ui.ts";
import { railPlaces } from "./places.ts";

async function leave(sample: boolean) {
  const done = await attempt(() => client().call(sample ? "archive.closeSample" : "archive.lock", {}));
  if (done) await useSession.getState().refresh();
}

/** Left: where one can go. */
export function Rail() {
  const here = useRoute((route) => route.place);
  const collapsed = useUi((ui) => ui.railCollapsed);
  const toggle = useUi((ui) => ui.toggleRail);
  const status = useSession((session) => session.status);
  const items = useSession((session) => session.items);
  const current = here === "record" ? "library" : here;

  return (
    <nav className="rail" aria-label="Places">
      <div className="rail__head">
        <img className="rail__sign" src="./icon.svg" alt="" width={22} height={22} />
        <div className="rail__name">
          <div>{status?.name ?? "Understory"}</div>
          {/* Its line is there before its number, so that nothing below moves. */}
          <div className="quiet small">{items === null ? "\u00a0" : counted(items, "record")}</div>
        </div>
      </div>
      <ul className="rail__places">
        {railPlaces.map(({ place, label, icon: Icon }) => (
          <li key={place}>
            <a
              className="rail__place"
              href={formatHash({ place })}
              aria-current={place === current ? "page" : undefined}
              title={collapsed ? label : undefined}
            >
              <Icon size={18} strokeWidth={1.75} aria-hidden />
              <span className="rail__label">{label}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="rail__foot">
        {status?.sample ? (
          <button
            type="button"
            className="rail__place"
            onClick={() => void leave(true)}
            title="Leave the sample household"
          >
            <Lock size={18} strokeWidth={1.75} aria-hidden />
            <span className="rail__label">Leave sample</span>
          </button>
        ) : (
          <button
            type="button"
            className="rail__place"
            onClick={() => void leave(false)}
            aria-label="Lock the archive"
            title="Lock the archive"
          >
            <Lock size={18} strokeWidth={1.75} aria-hidden />
            <span className="rail__label">Lock</span>
          </button>
        )}
        <IconButton label={collapsed ? "Widen the rail" : "Narrow the rail"} onClick={toggle}>
          {collapsed ? <PanelLeftOpen size={18} aria-hidden /> : <PanelLeftClose size={18} aria-hidden />}
        </IconButton>
      </div>
    </nav>
  );
}

/** The same places at the foot of a narrow window. */
export function BottomBar() {
  const here = useRoute((route) => route.place);
  const current = here === "record" ? "library" : here;
  return (
    <nav className="bottom-bar" aria-label="Places">
      {railPlaces.map(({ place, short, icon: Icon }) => (
        <a key={place} href={formatHash({ place })} aria-current={place === current ? "page" : undefined}>
          <Icon size={20} strokeWidth={1.75} aria-hidden />
          <span>{short}</span>
        </a>
      ))}
    </nav>
  );
}
