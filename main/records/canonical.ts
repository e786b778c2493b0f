import { hash } from "node:crypto";

/** JSON with sorted keys and without undefined: equal values give equal text. By hand, because every record goes through it. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let text = "";
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, inner] of entries) {
    if (inner === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(inner)}`;
  }
  return `{${text}}`;
}

export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
