import { useRoute } from "../state/route.ts";
import { RecordView } from "./RecordView.tsx";

/** A record with the whole column to itself. */
export function RecordPage({ id }: { id: number }) {
  const cite = useRoute((route) => route.params.cite ?? "");
  return <RecordView id={id} cite={cite} form="page" onLeave={() => window.history.back()} />;
}
