import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { SearchHit } from "#contract";
import { Dialog } from "../design/dialog.tsx";
import { client } from "../state/client.ts";
import { kindTitle, moment, recordTitle } from "../state/format.ts";
import { navigate, openRecord, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { type Theme, useUi } from "../state/ui.ts";
import { railPlaces } from "./places.ts";

interface Command {
  key: string;
  label: string;
  note: string;
  run: () => void;
}

const debounceMs = 120;

function ownCommands(): Command[] {
  const setTheme = (theme: Theme) => () => useUi.getState().setTheme(theme);
  return [
    ...railPlaces.map(({ place, label }) => ({
      key: place,
      label,
      note: "Go to",
      run: () => navigate({ place }),
    })),
    {
      key: "trash",
      label: "Trash",
      note: "Go to",
      run: () => navigate({ place: "privacy", params: { tab: "trash" } }),
    },
    {
      key: "audit",
      label: "Audit log",
      note: "Go to",
      run: () => navigate({ place: "privacy", params: { tab: "log" } }),
    },
    { key: "light", label: "Light theme", note: "Look", run: setTheme("light") },
    { key: "dark", label: "Dark theme", note: "Look", run: setTheme("dark") },
    { key: "system", label: "Theme of the system", note: "Look", run: setTheme("system") },
    {
      key: "density",
      label: "Comfortable or compact",
      note: "Look",
      run: () => {
        const ui = useUi.getState();
        ui.setDensity(ui.density === "compact" ? "comfortable" : "compact");
      },
    },
    { key: "rail", label: "Narrow or widen the rail", note: "Look", run: () => useUi.getState().toggleRail() },
    {
      key: "lock",
      label: useSession.getState().status?.sample ? "Leave the sample" : "Lock the archive",
      note: "Archive",
      run: () => {
        const sample = useSession.getState().status?.sample === true;
        client()
          .call(sample ? "archive.closeSample" : "archive.lock", {})
          .then(() => useSession.getState().refresh(), useUi.getState().report);
      },
    },
  ];
}

function openHit(hit: SearchHit): void {
  const { place } = useRoute.getState();
  if (place === "ask" || place === "library") openRecord(hit.record.id);
  else navigate({ place: "record", id: hit.record.id });
}

/** Everything by name: places, looks, records, and the typed words as a question. */
export function Palette() {
  const setPalette = useUi((ui) => ui.setPalette);
  const [text, setText] = useState("");
  const [hits, setHits] = useState<readonly SearchHit[]>([]);
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const own = useMemo(ownCommands, []);

  useEffect(() => {
    setAt(0);
    const query = text.trim();
    if (query.length < 2) {
      setHits([]);
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      client()
        .call("library.search", { query, filter: {}, limit: 8 }, { signal: controller.signal })
        .then((result) => setHits(result.hits), useUi.getState().report);
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);

  const commands = useMemo(() => {
    const words = text.trim().toLowerCase();
    const matching = own.filter((command) => command.label.toLowerCase().includes(words));
    if (words === "") return matching;
    const question: Command = {
      key: "question",
      label: text.trim(),
      note: "Ask",
      run: () => navigate({ place: "ask", params: { q: text.trim() } }),
    };
    const records = hits.map((hit) => ({
      key: `record-${hit.record.id}`,
      label: recordTitle(hit.record),
      note: `${kindTitle(hit.record.kind)} · ${moment(hit.record.time)}`,
      run: () => openHit(hit),
    }));
    return [...matching, question, ...records];
  }, [own, text, hits]);

  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);

  function choose(command: Command | undefined) {
    if (!command) return;
    setPalette(false);
    // After the dialogue has given the focus back, so that the place can take it.
    setTimeout(command.run);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((at + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(commands[at]);
    }
  }

  return (
    <Dialog label="Go to anything" className="palette" onClose={() => setPalette(false)}>
      <input
        className="palette__input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={commands[at] ? `${listId}-${at}` : undefined}
        aria-label="Go to a place, a record, or ask"
        placeholder="Go to a place, a record, or ask…"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="palette__list" id={listId} role="listbox" aria-label="Choices" ref={list}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input.
          <div
            key={command.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            className="palette__item"
            onPointerMove={() => setAt(index)}
            onClick={() => choose(command)}
          >
            <span className="palette__label">{command.label}</span>
            <span className="quiet small">{command.note}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
