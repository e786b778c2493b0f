import { create } from "zustand";
import type { ErrorShape } from "#contract";
import { shownError } from "./client.ts";

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

/** A line at the foot of the window. Errors stay until they are dismissed. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly error: ErrorShape | null;
  readonly action: { label: string; run: () => void } | null;
}

interface Preferences {
  theme: Theme;
  density: Density;
  railCollapsed: boolean;
  /** The record at the right stays while one moves between places. */
  panePinned: boolean;
  /** Pixels, within `paneWidths`. */
  paneWidth: number;
}

export const paneWidths = { least: 340, most: 760, usual: 420 } as const;

interface Ui extends Preferences {
  paletteOpen: boolean;
  /** The record that the pane shows, or showed last: what stays when the pane is pinned. */
  keptRecord: { id: number; cite: string } | null;
  notices: readonly Notice[];
  setTheme(theme: Theme): void;
  setDensity(density: Density): void;
  toggleRail(): void;
  togglePin(): void;
  setPaneWidth(pixels: number): void;
  setPalette(open: boolean): void;
  notify(text: string, action?: Notice["action"]): void;
  /** Shows a failed action; a cancelled one is not worth a word. */
  report(error: unknown): void;
  dismiss(id: number): void;
}

const storageKey = "understory.window";
const undoMs = 10_000;
let nextNotice = 1;

function oneOf<T extends string>(allowed: readonly T[], value: unknown, otherwise: T): T {
  return allowed.find((item) => item === value) ?? otherwise;
}

function paneWidth(pixels: number): number {
  return Math.round(Math.min(paneWidths.most, Math.max(paneWidths.least, pixels)));
}

/** Preferences of this window on this machine; anything unreadable falls back to the defaults. */
function readPreferences(): Preferences {
  let stored: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(window.localStorage.getItem(storageKey) ?? "{}");
    if (typeof parsed === "object" && parsed !== null) stored = { ...parsed };
  } catch {
    stored = {};
  }
  return {
    theme: oneOf(["system", "light", "dark"], stored.theme, "system"),
    density: oneOf(["comfortable", "compact"], stored.density, "comfortable"),
    railCollapsed: stored.railCollapsed === true,
    panePinned: stored.panePinned === true,
    paneWidth: paneWidth(typeof stored.paneWidth === "number" ? stored.paneWidth : paneWidths.usual),
  };
}

function preferencesOf({ theme, density, railCollapsed, panePinned, paneWidth: width }: Preferences): Preferences {
  return { theme, density, railCollapsed, panePinned, paneWidth: width };
}

/** Puts theme and density on the document, where the tokens look for them, and keeps them. */
function applyPreferences(ui: Preferences): void {
  const { theme, density } = ui;
  if (typeof document === "undefined") return;
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.density = density;
  try {
    window.localStorage.setItem(storageKey, JSON.stringify(preferencesOf(ui)));
  } catch {
    // Private windows may refuse storage: the choice then holds until the window closes.
  }
}

export const useUi = create<Ui>((set, get) => ({
  ...readPreferences(),
  paletteOpen: false,
  keptRecord: null,
  notices: [],
  setTheme: (theme) => set({ theme }),
  setDensity: (density) => set({ density }),
  toggleRail: () => set({ railCollapsed: !get().railCollapsed }),
  togglePin: () => set({ panePinned: !get().panePinned }),
  setPaneWidth: (pixels) => set({ paneWidth: paneWidth(pixels) }),
  setPalette: (paletteOpen) => set({ paletteOpen }),
  notify(text, action = null) {
    const id = nextNotice++;
    set({ notices: [...get().notices.slice(-2), { id, text, error: null, action }] });
    setTimeout(() => get().dismiss(id), undoMs);
  },
  report(error) {
    const shape = shownError(error);
    // A lost connection has its own line, once, and not one for every call that it ended.
    if (!shape || shape.code === "disconnected") return;
    set({
      notices: [...get().notices.slice(-2), { id: nextNotice++, text: shape.message, error: shape, action: null }],
    });
  },
  dismiss: (id) => set({ notices: get().notices.filter((notice) => notice.id !== id) }),
}));

/** Called once at start. */
export function followPreferences(): void {
  applyPreferences(useUi.getState());
  useUi.subscribe((ui, before) => {
    if (JSON.stringify(preferencesOf(ui)) !== JSON.stringify(preferencesOf(before))) applyPreferences(ui);
  });
}

/** Runs an action whose failure is told at the foot of the window. True when it went well. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    useUi.getState().report(error);
    return false;
  }
}
