import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".map": "application/json",
};

/**
 * What a page of ours may do: run and style itself from its own files, show pictures made from bytes it was given, and
 * talk to its own host. Nothing else, and nobody may frame it.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
};

/** The file of the built window that a URL path names, or null when it names none. Never leaves `folder`. */
export async function windowFile(folder: string, urlPath: string): Promise<{ body: Buffer; type: string } | null> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (decoded.includes("\0")) return null;
  const relative = normalize(decoded === "/" ? "index.html" : decoded.replace(/^\/+/, ""));
  if (relative.startsWith("..") || relative.startsWith(sep)) return null;
  const type = types[extname(relative)];
  if (type === undefined) return null;
  try {
    return { body: await readFile(join(folder, relative)), type };
  } catch {
    return null;
  }
}

/** Sends a body with every security header; files with a hash in their name may be kept by the browser. */
export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  cache: boolean,
): void {
  response.writeHead(status, {
    ...securityHeaders,
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": cache ? "private, max-age=31536000, immutable" : "no-store",
  });
  response.end(body);
}
