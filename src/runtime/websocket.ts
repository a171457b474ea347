/**
 * WebSocket, a custom transport: one message per text frame (CUST-04).
 * @module
 */
export {
  socketTransport,
  type SocketEvent,
  type SocketLike,
  type SocketOptions,
} from "./websocket/socket.js";
export { webSocket, type WebSocketOptions } from "./websocket/socket.js";
export {
  serveWebSocket,
  type ServeWebSocketOptions,
  type WebSocketServing,
} from "./websocket/server.js";
