import type { Socket } from "node:net";
import { defaultDrainTime } from "../../jsonrpc/dispatcher.js";
import { checkRemoved } from "../../jsonrpc/limits.js";
import { report, type Reporting, warn } from "../../report.js";
import { type Awaitable, maxDelay } from "../../../../common/timing.js";
import { Connections } from "./connections.js";
import { closable, type Closable, listen } from "./listen.js";
import { type HttpHandler, pathOf } from "./exchange.js";
import { answererOf, NodeRequest, NodeResponse } from "./node.js";
import { isLoopback } from "../../../../common/addresses.js";

/** Limits of a listening server. */
export interface ListenLimits {
  /** Maximum number of connections; 10,000 by default. Above it, the one that has been idle for longest is closed. */
  readonly connections?: number | undefined;
}

/** Options of `serveHttp`. */
export interface ServeHttpOptions {
  /** 3000 by default; 0 chooses a free port. */
  readonly port?: number | undefined;
  /** The address to listen on; 127.0.0.1 by default, which only this machine can reach (HTTP-09). */
  readonly host?: string | undefined;
  /** The path of the handler; `/mcp` by default. Requests may have a slash at its end. */
  readonly path?: string | undefined;
  /**
   * Maximum time for a whole request, and in which a client reads none of the sent data, in milliseconds; 60,000 by default. The headers of a
   * request have 10,000, or this time if it is shorter.
   */
  readonly requestTimeout?: number | undefined;
  /**
   * The time after which a connection without an open request is closed, in milliseconds; 5,000 by default. Behind a load balancer it
   * must be longer than the idle time of the balancer.
   */
  readonly keepAliveTimeout?: number | undefined;
  /** Limits of the server. */
  readonly limits?: ListenLimits | undefined;
  /**
   * True to close when the process gets SIGINT or SIGTERM. The process then ends when nothing else keeps it running; a second signal ends
   * it at once.
   */
  readonly signals?: boolean | undefined;
  /** Called with the error if a connection cannot be accepted. By default the error is printed to stderr. */
  onError?(error: Error): void;
  /** Called with a warning about what is served. By default it is printed to stderr. */
  onWarning?(message: string): void;
}

/** A listening server. */
export interface HttpServing extends Closable {
  readonly url: string;
  readonly port: number;
}

type Handlers = Readonly<Record<string, (request: Request) => Awaitable<Response>>>;

/**
 * Serves a handler with `node:http`, or several handlers by path, and the metadata of `protect`. Requests for handlers of this package are
 * not converted to `Request`; any other function from `Request` to `Response` works too.
 *
 * @throws TransportError if the server cannot listen on the address.
 */
export async function serveHttp(
  handler: ((request: Request) => Awaitable<Response>) | Handlers,
  options: ServeHttpOptions = {},
): Promise<HttpServing> {
  const { createServer } = process.getBuiltinModule("node:http");
  const { host = "127.0.0.1", port = 3000, path = "/mcp" } = options;
  checkRemoved(options);
  checkRemoved(options.limits);
  const { requestTimeout = 60_000, keepAliveTimeout = 5000 } = options;
  const headersTimeout = Math.min(10_000, requestTimeout);
  const ownHandlers: Handlers = typeof handler === "function" ? { [path]: handler } : handler;
  const handlers: Handlers = { ...routesOf(ownHandlers, options), ...ownHandlers };
  const isLocal = isLoopback(host);
  const answerers = new Map(Object.entries(handlers).map(([at, one]) => [pathOf(at), answererOf(one)]));
  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: Math.max(100, headersTimeout / 2) | 0,
      noDelay: true,
    },
    (request, response) => {
      const { url = "/" } = request;
      // Most targets are the path itself.
      const answer = answerers.get(url) ?? answerers.get(pathOf(url));
      const out = new NodeResponse(response, connections.begin(request.socket));
      if (answer) answer(new NodeRequest(request, isLocal), out);
      else out.reply(404);
    },
  );
  const connections = new Connections(server, options.limits?.connections ?? 10_000);
  // A response may be silent, but its client must read what was sent. Node uses this timer for `keepAliveTimeout` too.
  server.setTimeout(requestTimeout, (socket: Socket) => {
    if (socket.writableLength > 0 || connections.isIdle(socket)) socket.destroy();
  });
  const address = await listen(server, "http", host, port, Object.keys(ownHandlers)[0] ?? "");
  server.on("error", (error) => report(options, error, "HTTP"));
  const signals = options.signals === true ? (["SIGINT", "SIGTERM"] as const) : [];
  const closing = closable(async () => {
    for (const signal of signals) process.off(signal, onSignal);
    const closed = new Promise((resolve) => server.close(resolve));
    connections.close();
    const served = Object.values(handlers) as Partial<HttpHandler>[];
    const drainTime = Math.max(...served.map((one) => one.drainTime ?? defaultDrainTime));
    // A client may be slow to read the last responses.
    const timer = setTimeout(() => server.closeAllConnections(), Math.min(drainTime + 1000, maxDelay));
    await Promise.all(served.map((one) => one.close?.()));
    await closed;
    clearTimeout(timer);
  });
  const onSignal = (): void => void closing.close();
  for (const signal of signals) process.once(signal, onSignal);
  return { ...address, ...closing };
}

/**
 * The paths that belong to handlers, such as the metadata of `protect`. One that several handlers have, such as the metadata of the host, is
 * of the handler that has no other; if there is none, it is not served.
 */
function routesOf(handlers: Handlers, settings: Reporting): Handlers {
  const all = Object.values(handlers).map((one) => (one as Partial<HttpHandler>).routes ?? {});
  const merged: Record<string, Handlers[string]> = Object.assign({}, ...all);
  for (const path of Object.keys(merged)) {
    const owners = all.filter((routes) => Object.hasOwn(routes, path));
    // Handlers with the same paths serve the same.
    if (new Set(owners.map((routes) => Object.keys(routes).join())).size < 2) continue;
    const only = owners.find((routes) => Object.keys(routes).length === 1)?.[path];
    if (only) merged[path] = only;
    else {
      delete merged[path];
      if (Object.hasOwn(handlers, path)) continue;
      const text = `${path} is not served, because several handlers have it. Clients find the metadata of each at a path of its own.`;
      warn(settings, text);
    }
  }
  return merged;
}
