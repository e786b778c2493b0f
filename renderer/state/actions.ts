import { client } from "./client.ts";
import { counted } from "./format.ts";
import { closePane, useRoute } from "./route.ts";
import { useSession } from "./session.ts";
import { attempt, useUi } from "./ui.ts";

function changed(): void {
  useSession.setState((session) => ({ changes: session.changes + 1 }));
  void useSession.getState().refresh();
}

/** Moves records to the trash and offers the way back in a line at the foot of the window. */
export async function trashRecords(ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const done = await attempt(() => client().call("records.trash", { ids }));
  if (!done) return;
  const kept = useUi.getState().keptRecord?.id;
  const open = Number(useRoute.getState().params.open ?? kept);
  if (ids.includes(open)) closePane();
  changed();
  useUi.getState().notify(`${counted(ids.length, "record")} moved to the trash.`, {
    label: "Undo",
    run: () => void restoreRecords(ids),
  });
}

export async function restoreRecords(ids: number[]): Promise<void> {
  if (await attempt(() => client().call("records.restore", { ids }))) {
    changed();
    useUi.getState().notify(`${counted(ids.length, "record")} back in the library.`);
  }
}

/** For good: only from the trash, only after the person has typed that they want it. */
export async function eraseRecords(ids: number[]): Promise<boolean> {
  const done = await attempt(() => client().call("records.erase", { ids }));
  if (done) {
    changed();
    // An offer to undo the trashing of what is gone now would be a lie.
    useUi.setState({ notices: useUi.getState().notices.filter((notice) => notice.action === null) });
    useUi.getState().notify(`${counted(ids.length, "record")} deleted for good.`);
  }
  return done;
}
