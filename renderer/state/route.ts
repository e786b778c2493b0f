import { create } from "zustand";
import { useUi } from "./ui.ts";

export const places = ["ask", "library", "people", "imports", "privacy", "models", "record"] as const;
export type Place = (typeof places)[number];

/** Where the window is. Lives in the address' hash, so that every view can be linked and gone back to. */
export interface Route {
  readonly place: Place;
  /** Record id, for `#/record/12`. */
  readonly id: number | null;
  /**
   * `q` question or search, `open` the record in the pane, `cite` what is marked in it (`text:10-40`),
   * `tab`, `who` (a person), and the library's filters.
   */
  readonly params: Readonly<Record<string, string>>;
}

/** Reads `#/library?q=boat&open=12`; anything unknown is the Ask place. */
export function parseHash(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [first = "", second = ""] = path.split("/");
  const params = Object.fromEntries(new URLSearchParams(query));
  const place = places.find((known) => known === first) ?? "ask";
  const id = /^[1-9]\d{0,14}$/.test(second) ? Number(second) : null;
  if (place === "record" && id === null) return { place: "library", id: null, params };
  return { place, id: place === "record" ? id : null, params };
}

/** The hash of a route; empty parameters are left out. */
export function formatHash(route: { place: Place; id?: number | null; params?: Record<string, string> }): string {
  const query = new URLSearchParams(Object.entries(route.params ?? {}).filter(([, value]) => value !== ""));
  const path = route.place === "record" && route.id ? `record/${route.id}` : route.place;
  const text = query.toString();
  return text === "" ? `#/${path}` : `#/${path}?${text}`;
}

export const useRoute = create<Route>(() => parseHash(typeof window === "undefined" ? "" : window.location.hash));

/** Follows the address bar, back and forward. Called once at start. */
export function followAddress(): void {
  const read = () => useRoute.setState(parseHash(window.location.hash), true);
  window.addEventListener("hashchange", read);
  read();
}

/** Goes to a place. `replace` leaves no step in the history (typing in a search box). */
export function navigate(
  to: { place: Place; id?: number | null; params?: Record<string, string> },
  { replace = false } = {},
): void {
  const hash = formatHash(to);
  if (hash === window.location.hash) return;
  if (replace) window.history.replaceState(null, "", hash);
  else window.location.hash = hash;
  // The address tells of itself only later: a change that follows at once must build on this one.
  useRoute.setState(parseHash(hash), true);
}

/**
 * Changes parameters of where we are; an empty string takes one away. After a link was followed the address is another one
 * for a moment before we are told of it: a change that comes then (typed just before) is of a place that was left, and drops.
 */
export function setParams(changes: Record<string, string>, options?: { replace?: boolean }): void {
  const { place, id, params } = useRoute.getState();
  if (formatHash(parseHash(window.location.hash)) !== formatHash({ place, id, params: { ...params } })) return;
  navigate({ place, id, params: { ...params, ...changes } }, options);
}

/** Opens a record in the pane at the right, with a passage marked. */
export function openRecord(id: number, cite = ""): void {
  const wasOpen = useRoute.getState().params.open !== undefined;
  setParams({ open: String(id), cite, edit: "" }, { replace: wasOpen });
}

export function closePane(): void {
  useUi.setState({ keptRecord: null });
  setParams({ open: "", cite: "", edit: "" });
}
