import { closePane } from "../state/route.ts";
import { RecordView } from "./RecordView.tsx";

/** A record beside what one was doing. */
export function RecordPane({ id }: { id: number }) {
  return <RecordView id={id} page={false} onLeave={closePane} />;
}
