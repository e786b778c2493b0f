import { decode, encode } from "@msgpack/msgpack";
import { UnderstoryError } from "#contract";
import type { Transport } from "../wire.ts";

/** The part of a WebSocket that browsers and the `ws` package share. */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(event: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(event: "close" | "open" | "error", listener: () => void): void;
}

const isOpen = 1;

/** Transport over an open WebSocket; MessagePack on the wire, so that bytes stay bytes. */
export function webSocketTransport(socket: SocketLike): Transport {
  socket.binaryType = "arraybuffer";
  return {
    send(message) {
      if (socket.readyState === isOpen) socket.send(encode(message, { ignoreUndefined: true }));
    },
    onMessage(listener) {
      socket.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return socket.close(1003, "binary messages only");
        let message: unknown;
        try {
          message = decode(new Uint8Array(data));
        } catch {
          return socket.close(1007, "not MessagePack");
        }
        listener(message);
      });
    },
    onClose: (listener) => socket.addEventListener("close", listener),
    close: () => socket.close(),
  };
}

/** Opens a WebSocket from a window. Refused with `disconnected` when the core is not there. */
export function connectWebSocket(url: string): Promise<Transport> {
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    const refused = () =>
      reject(
        new UnderstoryError("disconnected", "Understory's core does not answer.", {
          hint: "Start Understory again from its launcher or the command line.",
        }),
      );
    socket.addEventListener("open", () => resolve(webSocketTransport(socket)));
    socket.addEventListener("error", refused);
    socket.addEventListener("close", refused);
  });
}
