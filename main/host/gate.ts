import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Who may speak to the loopback host. A web page of a stranger can send requests to 127.0.0.1 too, so being local is no
 * proof: a request needs our Host (no DNS rebinding), our Origin (no cross-site WebSocket) and our cookie, which a
 * browser only gets by a launch link that works once.
 */
export interface Gate {
  /** Path and query of the link that lets one browser in. Every call makes a fresh link; the older ones stop working. */
  launchPath(): string;
  /** The Set-Cookie value for a valid launch token, else null. A token works once. */
  redeem(token: string): string | null;
  /** Why a request is refused, or null when it may pass. */
  refusal(request: IncomingMessage, needs: { cookie: boolean; origin: boolean }): string | null;
}

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

function cookieValue(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** @param port the port that the host listens on; part of the cookie's name, as cookies are shared by all ports of a host. */
export function createGate(port: number): Gate {
  const cookieName = `understory-${port}`;
  const session = randomBytes(32).toString("base64url");
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  let launchToken: string | null = null;

  return {
    launchPath() {
      launchToken = randomBytes(32).toString("base64url");
      return `/launch?token=${launchToken}`;
    },
    redeem(token) {
      if (launchToken === null || !equal(token, launchToken)) return null;
      launchToken = null;
      return `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`;
    },
    refusal(request, needs) {
      const host = request.headers.host ?? "";
      if (!hosts.has(host)) return "This address is not Understory's.";
      const origin = request.headers.origin;
      if (origin !== undefined || needs.origin) {
        if (origin !== `http://${host}`) return "Another site may not talk to Understory.";
      }
      if (needs.cookie) {
        const value = cookieValue(request, cookieName);
        if (value === null || !equal(value, session)) return "This browser has not been let in.";
      }
      return null;
    },
  };
}
