import { ArrowLeft, Maximize2, Pencil, Pin, PinOff, RotateCcw, Trash2, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { KindIcon } from "../design/KindIcon.tsx";
import { isTyping } from "../frame/keys.ts";
import { restoreRecords, trashRecords } from "../state/actions.ts";
import { kindTitle, moment } from "../state/format.ts";
import { useRecord } from "../state/record.ts";
import { navigate, setParams, useRoute } from "../state/route.ts";
import { useUi } from "../state/ui.ts";
import { Content } from "./Content.tsx";
import { EditForm } from "./EditForm.tsx";
import { parseCite } from "./facts.ts";
import { MoreDetails, Provenance, Related, Versions } from "./Particulars.tsx";
import "./record.css";
import "./perceived.css";

const words = {
  edit: "Edit",
  trash: "Move to the trash",
  restore: "Take out of the trash",
  page: "Open as a page",
  pin: "Keep it beside every place",
  unpin: "Unpin",
  close: "Close",
  back: "Back",
  trashed: "This record is in the trash. It is not shown in the library or in answers.",
} as const;

/** One record whole: its content, and folded under it where it comes from and what became of it. */
export function RecordView({
  id,
  cite: citeText,
  form,
  onLeave,
}: {
  id: number;
  /** What is marked in it, as the address says it: `text:10-40`, or empty. */
  cite: string;
  form: "page" | "pane" | "sheet";
  onLeave: () => void;
}) {
  const page = form === "page";
  const { detail, error, put, reload } = useRecord(id);
  const cite = parseCite(citeText);
  const editing = useRoute((route) => route.params.edit === "1");
  const pinned = useUi((ui) => ui.panePinned);
  const togglePin = useUi((ui) => ui.togglePin);
  const body = useRef<HTMLDivElement>(null);
  const record = detail?.record.id === id ? detail.record : null;
  const Title = page ? "h1" : "h2";
  const setEditing = (on: boolean) => setParams({ edit: on ? "1" : "" }, { replace: true });

  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll once the record is there, and for another citation.
  useEffect(() => {
    const marks = [...(body.current?.querySelectorAll("mark") ?? [])];
    if (cite?.view === "ocr") {
      // Text in a picture stands below it: no further down than needed, so that the lit lines in the picture stay in sight.
      marks.at(-1)?.scrollIntoView({ block: "nearest" });
      marks[0]?.scrollIntoView({ block: "nearest" });
    } else marks[0]?.scrollIntoView({ block: "center" });
  }, [record?.id, citeText]);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const { place } = useRoute.getState();
      // In the library the list answers these keys.
      if (place === "library" && !page) return;
      if (event.key === "e") {
        event.preventDefault();
        setParams({ edit: "1" }, { replace: true });
      } else if (event.key === "Delete") void trashRecords([id]);
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [id, page]);

  return (
    <article className={page ? "record record--page" : "record"} aria-busy={!record && !error}>
      <header className="record__bar">
        {page ? (
          <IconButton label={words.back} onClick={onLeave}>
            <ArrowLeft size={18} aria-hidden />
          </IconButton>
        ) : null}
        <Title className="record__what">
          {record ? (
            <>
              <KindIcon kind={record.kind} />
              {kindTitle(record.kind)} <span className="quiet">{moment(record.time)}</span>
            </>
          ) : null}
        </Title>
        {record && !record.trashedAt ? (
          <>
            <IconButton label={`${words.edit} (e)`} aria-pressed={editing} onClick={() => setEditing(!editing)}>
              <Pencil size={17} aria-hidden />
            </IconButton>
            <IconButton label={`${words.trash} (Del)`} onClick={() => void trashRecords([id])}>
              <Trash2 size={17} aria-hidden />
            </IconButton>
          </>
        ) : null}
        {record?.trashedAt ? (
          <IconButton label={words.restore} onClick={() => void restoreRecords([id])}>
            <RotateCcw size={17} aria-hidden />
          </IconButton>
        ) : null}
        {page ? null : (
          <>
            {form === "pane" ? (
              <IconButton label={pinned ? words.unpin : words.pin} aria-pressed={pinned} onClick={togglePin}>
                {pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
              </IconButton>
            ) : null}
            <IconButton
              label={words.page}
              onClick={() => {
                // The page takes the place of the pane.
                useUi.setState({ keptRecord: null });
                navigate({ place: "record", id, params: { cite: citeText } });
              }}
            >
              <Maximize2 size={16} aria-hidden />
            </IconButton>
            <IconButton label={pinned ? words.close : `${words.close} (Esc)`} onClick={onLeave}>
              <X size={18} aria-hidden />
            </IconButton>
          </>
        )}
      </header>
      <div className="record__scroll">
        <div className="record__body" ref={body}>
          {error ? <ErrorNote error={error} onRetry={reload} /> : null}
          {record?.trashedAt ? <p className="record__trashed">{words.trashed}</p> : null}
          {record && detail ? (
            <>
              {editing ? (
                <EditForm
                  record={record}
                  onSaved={(saved) => {
                    put(saved);
                    setEditing(false);
                  }}
                  onReload={reload}
                  onCancel={() => setEditing(false)}
                />
              ) : (
                <Content detail={detail} cite={cite} page={page} />
              )}
              <div className="record__folds">
                <Related detail={detail} />
                <Provenance detail={detail} />
                <Versions detail={detail} />
                <MoreDetails detail={detail} />
              </div>
            </>
          ) : null}
        </div>
      </div>
    </article>
  );
}
