/**
 * WebSocket, a custom transport: one message per text frame (CUST-04).
 * @module
 */
export {
  socketTransport,
  type SocketEvent,
  type SocketLike,
  type SocketOptions,
} from "./transport/socket.js";
export { webSocket, type WebSocketOptions } from "./transport/socket-client.js";
export { serveWebSocket, type ServeWebSocketOptions, type WebSocketServing } from "./role/socket-server.js";
