import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TransportError } from "../../errors.js";
import { defaultDrainTime } from "../../jsonrpc/dispatcher.js";
import { checkRemoved } from "../../jsonrpc/limits.js";
import { report, type Reporting, warn } from "../../report.js";
import { type Awaitable, maxDelay } from "../../../../common/timing.js";
import { type HttpHandler, pathOf } from "./exchange.js";
import { answererOf, NodeRequest, NodeResponse } from "./node.js";
import { isLoopback } from "../../../../common/addresses.js";

/** Limits of a listening server. */
interface ListenLimits {
  /**
   * Maximum number of connections; 10,000 by default. Above it, the one that
   * has been idle for longest is closed.
   */
  readonly connections?: number | undefined;
}

/** Options of `serveHttp`. */
export interface ServeHttpOptions {
  /** 3000 by default; 0 chooses a free port. */
  readonly port?: number | undefined;
  /**
   * The address to listen on; 127.0.0.1 by default, which only this machine can
   * reach (HTTP-09).
   */
  readonly host?: string | undefined;
  /**
   * The path of the handler; `/mcp` by default. Requests may have a slash at
   * its end.
   */
  readonly path?: string | undefined;
  /**
   * Maximum time for a whole request, and in which a client reads none of the
   * sent data, in milliseconds; 60,000 by default. The headers of a request
   * have 10,000, or this time if it is shorter.
   */
  readonly requestTimeout?: number | undefined;
  /**
   * The time after which a connection without an open request is closed, in
   * milliseconds; 5,000 by default. Behind a load balancer it must be longer
   * than the idle time of the balancer.
   */
  readonly keepAliveTimeout?: number | undefined;
  /** Limits of the server. */
  readonly limits?: ListenLimits | undefined;
  /**
   * True to close when the process gets SIGINT or SIGTERM. The process then
   * ends when nothing else keeps it running; a second signal ends it at once.
   */
  readonly signals?: boolean | undefined;
  /**
   * Called with the error if a connection cannot be accepted. By default the
   * error is printed to stderr.
   */
  onError?(error: Error): void;
  /**
   * Called with a warning about what is served. By default it is printed to
   * stderr.
   */
  onWarning?(message: string): void;
}

/** A listening server. */
export interface HttpServing extends Closable {
  readonly url: string;
  readonly port: number;
}

type Handlers = Readonly<
  Record<string, (request: Request) => Awaitable<Response>>
>;

/**
 * Serves a handler with `node:http`, or several handlers by path, and the
 * metadata of `protect`. Requests for handlers of this package are not
 * converted to `Request`; any other function from `Request` to `Response` works
 * too.
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
  const ownHandlers: Handlers =
    typeof handler === "function" ? { [path]: handler } : handler;
  const handlers: Handlers = {
    ...routesOf(ownHandlers, options),
    ...ownHandlers,
  };
  const isLocal = isLoopback(host);
  const answerers = new Map(
    Object.entries(handlers).map(([at, one]) => [pathOf(at), answererOf(one)]),
  );
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
  const connections = new Connections(
    server,
    options.limits?.connections ?? 10_000,
  );
  // A response may be silent, but its client must read what was sent. Node uses
  // this timer for `keepAliveTimeout` too.
  server.setTimeout(requestTimeout, (socket: Socket) => {
    if (socket.writableLength > 0 || connections.isIdle(socket))
      socket.destroy();
  });
  const address = await listen(
    server,
    "http",
    host,
    port,
    Object.keys(ownHandlers)[0] ?? "",
  );
  server.on("error", (error) => report(options, error, "HTTP"));
  const signals =
    options.signals === true ? (["SIGINT", "SIGTERM"] as const) : [];
  const closing = closable(async () => {
    for (const signal of signals) process.off(signal, onSignal);
    const closed = new Promise((resolve) => server.close(resolve));
    connections.close();
    const timer = await closeAll(handlers, server);
    await closed;
    clearTimeout(timer);
  });
  const onSignal = (): void => void closing.close();
  for (const signal of signals) process.once(signal, onSignal);
  return { ...address, ...closing };
}

/**
 * Closes the handlers of a server. Returns a timer that ends its connections,
 * because a client may be slow to read the last responses.
 */
async function closeAll(handlers: Handlers, server: Server) {
  const served = Object.values(handlers) as Partial<HttpHandler>[];
  const drainTime = Math.max(
    ...served.map((one) => one.drainTime ?? defaultDrainTime),
  );
  const timer = setTimeout(
    () => server.closeAllConnections(),
    Math.min(drainTime + 1000, maxDelay),
  );
  await Promise.all(served.map((one) => one.close?.()));
  return timer;
}

/**
 * The paths that belong to handlers, such as the metadata of `protect`. One
 * that several handlers have, such as the metadata of the host, is of the
 * handler that has no other; if there is none, it is not served.
 */
function routesOf(handlers: Handlers, settings: Reporting): Handlers {
  const all = Object.values(handlers).map(
    (one) => (one as Partial<HttpHandler>).routes ?? {},
  );
  const merged: Record<string, Handlers[string]> = Object.assign({}, ...all);
  for (const path of Object.keys(merged)) {
    const owners = all.filter((routes) => Object.hasOwn(routes, path));
    // Handlers with the same paths serve the same.
    if (new Set(owners.map((routes) => Object.keys(routes).join())).size < 2)
      continue;
    const only = owners.find((routes) => Object.keys(routes).length === 1)?.[
      path
    ];
    if (only) merged[path] = only;
    else {
      delete merged[path];
      if (Object.hasOwn(handlers, path)) continue;
      const text = `${path} is not served: handlers share it.`;
      warn(settings, text);
    }
  }
  return merged;
}

/**
 * Starts a server and returns its port and the URL of a path. `port` 0 chooses
 * a free port.
 *
 * @throws TransportError if the address is in use or not allowed.
 */
export async function listen(
  server: Server,
  scheme: "http" | "ws",
  host: string,
  port: number,
  path: string,
): Promise<{ readonly url: string; readonly port: number }> {
  const { once } = process.getBuiltinModule("node:events");
  server.listen(port, host);
  await once(server, "listening").catch((cause: Error) => {
    throw new TransportError(
      `The server cannot listen on ${host}:${port}: ${cause.message}.`,
      { cause },
    );
  });
  const { port: actual } = server.address() as AddressInfo;
  const urlHost = host.includes(":") ? `[${host}]` : host;
  return { url: `${scheme}://${urlHost}:${actual}${path}`, port: actual };
}

/** The end of a listening server. */
interface Closable {
  /**
   * Resolves when the server is closed, by `close` or by a signal: a program
   * then closes what its handlers used.
   */
  readonly closed: Promise<void>;
  /**
   * Closes idle connections, ends streams, waits up to the `drainTime` of the
   * servers for open requests, then closes. Never rejects. A function of your
   * own that is served has five seconds.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Closes at the first call; all calls return the same promise. */
export function closable(work: () => Promise<void>): Closable {
  let begin!: (closing: Promise<void>) => void;
  const closed = new Promise<void>((resolve) => (begin = resolve));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    begin((closing ??= work()));
    return closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

/** One connection of a server. */
class OpenConnection {
  readonly #all: Connections;
  /** Undefined once the connection is closed. */
  socket: Duplex | undefined;
  /** The number of open requests. */
  open = 0;
  /**
   * When the connection became idle: a number that grows with each one that
   * does.
   */
  idleSince: number;

  constructor(all: Connections, socket: Duplex) {
    this.#all = all;
    this.socket = socket;
    this.idleSince = ++all.clock;
  }

  /** Called when the response to a request has been sent, or cannot be. */
  end(): void {
    if (--this.open > 0) return;
    this.idleSince = ++this.#all.clock;
    if (this.#all.isClosing) this.close();
  }

  close(): void {
    const { socket } = this;
    if (!socket) return;
    this.socket = undefined;
    this.#all.forget(socket);
    socket.destroy();
  }
}

/**
 * Counts the connections of a server. Above the limit the one that has been
 * idle for longest is closed, so that idle clients keep nobody out; the new one
 * only if none is idle. Node itself would always close the new one.
 */
export class Connections {
  clock = 0;
  isClosing = false;
  readonly #open = new Map<Duplex, OpenConnection>();
  /**
   * The connections that were idle when they were last sorted, the longest idle
   * last. A request changes no order of a list.
   */
  #sorted: OpenConnection[] = [];
  #sortedAt = 0;

  constructor(server: Server, max: number) {
    server.on("connection", (socket) => {
      const connection = new OpenConnection(this, socket);
      this.#open.set(socket, connection);
      socket.once("close", () => connection.close());
      if (this.isClosing) connection.close();
      else if (this.#open.size > max)
        (this.#longestIdle() ?? connection).close();
    });
  }

  isIdle(socket: Duplex): boolean {
    return this.#open.get(socket)?.open === 0;
  }

  /**
   * Counts a request or an upgrade. The caller calls `end` of the connection
   * when the response has ended; an upgrade has none.
   */
  begin(socket: Duplex): OpenConnection | undefined {
    const connection = this.#open.get(socket);
    if (connection) connection.open++;
    return connection;
  }

  /** Closes idle connections at once, and the others when they become idle. */
  close(): void {
    this.isClosing = true;
    for (const connection of this.#open.values())
      if (connection.open === 0) connection.close();
  }

  forget(socket: Duplex): void {
    this.#open.delete(socket);
  }

  #longestIdle(): OpenConnection | undefined {
    const known = this.#nextSorted();
    if (known) return known;
    const idle = [...this.#open.values()].filter(({ open }) => open === 0);
    this.#sorted = idle.sort((a, b) => b.idleSince - a.idleSince);
    this.#sortedAt = this.clock;
    return this.#nextSorted();
  }

  /**
   * The next one of the sorted connections that has been idle since; all others
   * have become idle later.
   */
  #nextSorted(): OpenConnection | undefined {
    for (let entry = this.#sorted.pop(); entry; entry = this.#sorted.pop())
      if (entry.socket && entry.open === 0 && entry.idleSince <= this.#sortedAt)
        return entry;
    return undefined;
  }
}
