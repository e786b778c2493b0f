import { closePane } from "../state/route.ts";
import { RecordView } from "./RecordView.tsx";

/** A record beside what one was doing. */
export function RecordPane({ id, cite, sheet }: { id: number; cite: string; sheet: boolean }) {
  return <RecordView id={id} cite={cite} form={sheet ? "sheet" : "pane"} onLeave={closePane} />;
}
