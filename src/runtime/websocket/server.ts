import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { completeReporting, report, type Reporting } from "../core/report.js";
import type { Protection, Rejection } from "../core/ports/protection.js";
import { serve, type Serving } from "../core/role/serve.js";
import type { ServerDefinition } from "../core/role/server.js";
import {
  type HttpLimits,
  OpenWork,
  Ticket,
} from "../core/role/http-server/open-work.js";
import {
  type OriginOptions,
  originCheck,
  withOrigins,
} from "../core/role/http-server/origins.js";
import {
  type Authenticate,
  authOf,
  callAuthenticate,
  checkAuthOptions,
  scopeErrorFor,
} from "../core/role/http-server/access.js";
import { countingTransport } from "../core/role/http-server/counting-transport.js";
import {
  answererOf,
  NodeRequest,
  NodeResponse,
} from "../core/role/http-server/node.js";
import {
  closable,
  Connections,
  type HttpServing,
  listen,
  type ServeHttpOptions,
} from "../core/role/http-server/serve-node.js";
import { type HttpHeaders, pathOf } from "../core/role/http-server/exchange.js";
import {
  type SocketLike,
  type SocketLimits,
  type SocketOptions,
  SocketTransport,
  subprotocol,
  loadWs,
  type WsSocket,
} from "./socket.js";
import type { MessageInfo } from "../core/ports/transport.js";
import { isLoopback } from "../../common/addresses.js";

/** Limits of a WebSocket server. */
interface WebSocketLimits extends SocketLimits, Omit<HttpLimits, "bodyBytes"> {
  /**
   * Maximum number of connections; 1,000 by default. Above it, one without a
   * WebSocket is closed.
   */
  readonly connections?: number | undefined;
}

/** Options of `serveWebSocket`. */
export interface ServeWebSocketOptions
  extends
    SocketOptions,
    OriginOptions,
    Pick<ServeHttpOptions, "port" | "host" | "path"> {
  readonly limits?: WebSocketLimits | undefined;
  /**
   * Returns the caller, as a plain object such as `{ principal: "ada" }`, or a
   * `Response` whose status rejects the connection, such as
   * 401. Any other value or an error is answered with 500 and reported to
   *      `onError`. Runs once per connection.
   */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Accepts only connections with an access token: `protect` of
   * `@mcpgen/auth/protect`. The connection ends when the token does. A request
   * that lacks a scope is answered with an error. Excludes `authenticate`.
   */
  readonly protect?: Protection | undefined;
}

/**
 * A listening server. Closing it answers open requests and closes the
 * connections.
 */
export type WebSocketServing = HttpServing;

/**
 * Serves clients over WebSockets on Node with the package `ws` (CUST-03,
 * CUST-04).
 *
 * @throws TransportError if the server cannot listen on the address, or `ws` is
 *   not installed, and TypeError if a tool, prompt or resource has scopes but
 *   nobody authenticates callers.
 */
export async function serveWebSocket(
  servers: ServerDefinition | readonly ServerDefinition[],
  declared: ServeWebSocketOptions = {},
): Promise<WebSocketServing> {
  const options = withOrigins(declared);
  const { createServer } = process.getBuiltinModule("node:http");
  const { WebSocketServer } = await loadWs();
  const { host = "127.0.0.1", port = 3000, path = "/mcp" } = options;
  const isLocal = isLoopback(host);
  const { connections = 1000 } = options.limits ?? {};
  const endpoint = makeEndpoint(servers, options);
  const { open, openWork, originError, settings } = endpoint;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: endpoint.limits.messageBytes,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
  });
  const routes = new Map(Object.entries(options.protect?.routes ?? {}));
  const server = createServer((request, response) => {
    const route = routes.get(pathOf(request.url));
    const out = new NodeResponse(response, counted.begin(request.socket));
    if (route) answererOf(route)(new NodeRequest(request, isLocal), out);
    else out.reply(426, { upgrade: "websocket" });
  });
  const counted = new Connections(server, connections);
  server.on(
    "upgrade",
    (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      counted.begin(socket);
      const received = new NodeRequest(request, isLocal);
      if (received.hosts) return rejectUpgrade(socket, 400);
      if (originError(received)) return rejectUpgrade(socket, 403);
      admit(received, options, path, settings).then(
        (admitted) => {
          if ("status" in admitted)
            return rejectUpgrade(socket, admitted.status, admitted.headers);
          if (openWork.isClosed) return rejectUpgrade(socket, 503);
          sockets.handleUpgrade(request, socket, head, (webSocket) => {
            measure(socket, webSocket, openWork);
            serveSocket(endpoint, webSocket, admitted).catch(() => {});
          });
        },
        (error: Error) => {
          report(settings, error, "WebSocket");
          rejectUpgrade(socket, 500);
        },
      );
    },
  );
  // A connection that fails must not end the server.
  server.on("error", () => {});
  const address = await listen(server, "ws", host, port, path);
  const closing = closable(async () => {
    openWork.isClosed = true;
    const closed = new Promise((resolve) => server.close(resolve));
    counted.close();
    await Promise.all([...open].map((serving) => serving.close()));
    server.closeAllConnections();
    await closed;
  });
  return { ...address, ...closing };
}

/** What the connections of a server share. */
function makeEndpoint(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: ServeWebSocketOptions,
) {
  const {
    messageBytes = 4_194_304,
    waitingBytes,
    ...limits
  } = options.limits ?? {};
  const all = [servers].flat();
  checkAuthOptions(options, all);
  const cores = all.map(({ core }) => core);
  const settings: Reporting = cores[0]?.settings ?? {};
  return {
    servers,
    cores,
    options,
    settings,
    originError: originCheck(options, settings),
    limits: { messageBytes, waitingBytes },
    open: new Set<Serving>(),
    openWork: new OpenWork(limits),
    listens: new Set(cores.map(({ side }) => side.revision.wellKnown.listen)),
  };
}

/** Serves one connection until it ends, or the token of its caller does. */
async function serveSocket(
  {
    servers,
    cores,
    options,
    limits,
    open,
    openWork,
    listens,
  }: ReturnType<typeof makeEndpoint>,
  socket: SocketLike,
  info: MessageInfo,
): Promise<void> {
  const { protect } = options;
  const { auth } = info;
  const socketOptions = { ...options, limits };
  const transport = new SocketTransport(() => socket, socketOptions, info);
  const scopeError =
    protect &&
    ((message: unknown) => scopeErrorFor(protect, auth, cores, message));
  const countedTransport = countingTransport(
    transport,
    openWork,
    auth?.principal,
    listens,
    scopeError,
  );
  const serving = await serve(countedTransport, servers);
  open.add(serving);
  const stop = auth && protect?.whenEnded(auth, () => void serving.close());
  await serving.closed;
  stop?.();
  open.delete(serving);
}

/**
 * Counts the bytes of the incomplete message of a connection. Closes the
 * connection when the limits leave no room for it.
 */
function measure(
  socket: Duplex,
  webSocket: WsSocket,
  openWork: OpenWork,
): void {
  const ticket = new Ticket();
  const rejected = (): void => void socket.destroy();
  ticket.rejected = rejected;
  // Before the listener of the package `ws`, so that the last part of a message
  // is counted before the message is complete.
  socket.prependListener("data", (chunk: Buffer) =>
    openWork.add(ticket, chunk.length),
  );
  webSocket.addEventListener("message", () => openWork.endAll(ticket));
  // The frame of a ping or pong has six bytes more than its payload.
  for (const name of ["ping", "pong"] as const)
    webSocket.on(name, ({ length }) => openWork.add(ticket, -length - 6));
  socket.on("close", () => openWork.endAll(ticket));
}

/**
 * Checks the request for a connection. Returns the caller, or the response that
 * rejects it.
 */
async function admit(
  request: NodeRequest,
  options: ServeWebSocketOptions,
  path: string,
  settings: Reporting,
): Promise<MessageInfo | (Partial<Rejection> & Pick<Rejection, "status">)> {
  if (pathOf(request.url) !== pathOf(path)) return { status: 404 };
  const protocols = (request.header("sec-websocket-protocol") ?? "")
    .split(",")
    .map((name) => name.trim());
  if (!protocols.includes(subprotocol)) return { status: 400 };
  if (options.protect) {
    const result = await options.protect.admit(
      request,
      completeReporting(settings),
    );
    if (!("status" in result)) return { auth: authOf(result) };
    if ("error" in result) report(settings, result.error, "protect");
    return result;
  }
  if (!options.authenticate) return {};
  const result = await callAuthenticate(
    options.authenticate,
    request.toRequest(),
  );
  return "status" in result
    ? { status: result.status }
    : { auth: authOf(result) };
}

function rejectUpgrade(
  socket: Duplex,
  status: number,
  headers: HttpHeaders = {},
): void {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `HTTP/1.1 ${status} Refused\r\n${lines.join("")}connection: close\r\ncontent-length: 0\r\n\r\n`;
  // The client may never end its side.
  socket.end(head, () => socket.destroy());
}
