import { z } from "zod";
import { errorShapeSchema } from "#contract";

/** Messages between client and server, the same over every transport. */

const id = z.number().int().nonnegative();

export const clientMessageSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("call"), id, method: z.string(), input: z.unknown() }),
  /** The caller lost interest; the handler's signal is aborted. */
  z.object({ t: z.literal("cancel"), id }),
  /** One item of a stream was taken: the server may send one more. */
  z.object({ t: z.literal("ack"), id }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

export const serverMessageSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("result"), id, value: z.unknown() }),
  z.object({ t: z.literal("item"), id, value: z.unknown() }),
  z.object({ t: z.literal("end"), id }),
  z.object({ t: z.literal("error"), id, error: errorShapeSchema }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;

/** Items of one stream that may be under way before the client has taken any: back-pressure. */
export const streamWindow = 8;

/** A two-way pipe of structured values. Messages arrive in order; after `close` none do. */
export interface Transport {
  send(message: ClientMessage | ServerMessage): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when either side has closed. */
  onClose(listener: () => void): void;
  close(): void;
}
