import { type Client, type ErrorShape, toErrorShape, UnderstoryError } from "#contract";

let current: Client | null = null;

/** Set once at start, by main.tsx (or by a test with its own client). */
export function setClient(client: Client): void {
  current = client;
}

/** The one client of this window. */
export function client(): Client {
  if (!current) throw new UnderstoryError("disconnected", "The window is not connected to Understory's core yet.");
  return current;
}

/** The error's shape, or null when the call was only cancelled: then there is nothing to tell. */
export function shownError(error: unknown): ErrorShape | null {
  const shape = toErrorShape(error);
  return shape.code === "cancelled" ? null : shape;
}
