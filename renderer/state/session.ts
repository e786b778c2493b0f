import { create } from "zustand";
import type { ArchiveStatus, ErrorShape } from "#contract";
import { client, shownError } from "./client.ts";

interface Session {
  /** Null until the core has answered for the first time. */
  status: ArchiveStatus | null;
  /** Why the core could not be asked. */
  error: ErrorShape | null;
  /** The connection broke: what is shown may be old. */
  lost: ErrorShape | null;
  /** Shown once after an archive is made; held until the person says that it is written down. */
  recoveryCode: string | null;
  /** Grows with every change of records in the archive. */
  changes: number;
  refresh(): Promise<void>;
  create(name: string, passphrase: string): Promise<void>;
  confirmRecoveryCode(): Promise<void>;
}

export const useSession = create<Session>((set, get) => ({
  status: null,
  error: null,
  lost: null,
  recoveryCode: null,
  changes: 0,
  async refresh() {
    try {
      set({ status: await client().call("archive.status", {}), error: null });
    } catch (error) {
      const shape = shownError(error);
      if (get().status === null) set({ error: shape });
      else if (shape) set({ lost: shape });
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

/** Least time between two reads of what is shown while an import runs. */
const settleMs = 700;

/** Listens for changed records while an archive is open. Returns the way to stop. */
export function watchChanges(): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const tell = () => {
    timer ??= setTimeout(() => {
      timer = null;
      useSession.setState((session) => ({ changes: session.changes + 1 }));
      void useSession.getState().refresh();
    }, settleMs);
  };
  (async () => {
    for await (const _tick of client().stream("library.watch", {}, { signal: controller.signal })) tell();
  })().catch((error: unknown) => {
    const shape = shownError(error);
    if (shape) useSession.setState({ lost: shape });
  });
  return () => {
    controller.abort();
    if (timer) clearTimeout(timer);
  };
}
