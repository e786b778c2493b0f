import { create } from "zustand";
import type { ArchiveStatus, ErrorShape } from "#contract";
import { client, shownError } from "./client.ts";
import { keepWatching } from "./watch.ts";

interface Session {
  /** Null until the core has answered for the first time. */
  status: ArchiveStatus | null;
  /** Why the core could not say how it stands. */
  error: ErrorShape | null;
  /** Shown once after an archive is made; held until the person says that it is written down. */
  recoveryCode: string | null;
  /** Items that the library shows: records that are parts of others (attachments) are not items of their own. */
  items: number | null;
  /** Grows with every change of records in the archive. */
  changes: number;
  refresh(): Promise<void>;
  create(name: string, passphrase: string): Promise<void>;
  confirmRecoveryCode(): Promise<void>;
}

export const useSession = create<Session>((set, get) => ({
  status: null,
  error: null,
  recoveryCode: null,
  items: null,
  changes: 0,
  async refresh() {
    try {
      const status = await client().call("archive.status", {});
      set({ status, error: null });
      if (status.state === "open") void countItems();
      else set({ items: null });
    } catch (error) {
      const shape = shownError(error);
      // An ended connection is told, and mended, by the connection itself.
      if (shape && shape.code !== "disconnected") set({ error: shape });
    }
  },
  async create(name, passphrase) {
    const { recoveryCode } = await client().call("archive.create", { name, passphrase });
    set({ recoveryCode });
  },
  async confirmRecoveryCode() {
    set({ recoveryCode: null });
    await get().refresh();
  },
}));

async function countItems(): Promise<void> {
  try {
    const { total } = await client().call("library.list", { filter: {}, offset: 0, limit: 1 });
    useSession.setState({ items: total });
  } catch {
    // A number beside the name: the window works without it, and the next change asks again.
  }
}

/** Least time between two reads of what is shown while an import runs. */
const settleMs = 700;

/** Listens for changed records while an archive is open. Returns the way to stop. */
export function watchChanges(): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const tell = () => {
    timer ??= setTimeout(() => {
      timer = null;
      useSession.setState((session) => ({ changes: session.changes + 1 }));
      void useSession.getState().refresh();
    }, settleMs);
  };
  let before = false;
  const stop = keepWatching(async (signal) => {
    // A watch that is begun again may have missed changes.
    if (before) tell();
    before = true;
    for await (const _tick of client().stream("library.watch", {}, { signal })) tell();
  });
  return () => {
    stop();
    if (timer) clearTimeout(timer);
  };
}
