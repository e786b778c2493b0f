/** Server and client of the contract, and the three transports they run over. */
export { createClient } from "./client.ts";
export { serve } from "./server.ts";
export { memoryPair } from "./transports/memory.ts";
export { messagePortTransport } from "./transports/message-port.ts";
export { connectWebSocket, webSocketTransport } from "./transports/web-socket.ts";
export type { Transport } from "./wire.ts";
