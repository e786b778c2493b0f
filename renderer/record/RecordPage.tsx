import { RecordView } from "./RecordView.tsx";

/** A record with the whole column to itself. */
export function RecordPage({ id }: { id: number }) {
  return <RecordView id={id} page onLeave={() => window.history.back()} />;
}
