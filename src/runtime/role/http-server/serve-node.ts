import type { Socket } from "node:net";
import { report } from "../../report.js";
import { isLoopback, listen } from "./listen.js";
import type { HttpHandler } from "./exchange.js";
import { nodeListener } from "./node.js";

/** Bounds of a server that listens. */
export interface ListenLimits {
  /** Longest headers of a request, in bytes; 16,384 by default. */
  readonly headerBytes?: number | undefined;
  /** Most connections; 10,000 by default. */
  readonly connections?: number | undefined;
}

/** How Node listens. */
export interface ServeHttpOptions {
  /** 3000 by default; 0 is any free one. */
  readonly port?: number | undefined;
  /** The address to listen on; 127.0.0.1 by default, where nobody but this machine reaches it. HTTP-09 */
  readonly host?: string | undefined;
  /** The path that is served; `/mcp` by default. */
  readonly path?: string | undefined;
  /** Longest wait for the headers of a request, in milliseconds; 10,000 by default. */
  readonly headersTimeout?: number | undefined;
  /** Longest wait for a whole request, in milliseconds; 60,000 by default. */
  readonly requestTimeout?: number | undefined;
  /** Longest wait for a client to read on, in milliseconds; 60,000 by default. */
  readonly sendTimeout?: number | undefined;
  /** The most that it takes. */
  readonly limits?: ListenLimits | undefined;
  /** How long answers may still take once the server closes, in milliseconds; 1,000 by default. */
  readonly drainTime?: number | undefined;
  /** Gets the error when a connection cannot be accepted; the standard error by default. */
  onError?(error: Error): void;
}

/** A server that listens. */
export interface HttpServing {
  readonly url: string;
  readonly port: number;
  /** Takes no new requests, lets those being answered end, then closes. Never rejects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type Handlers = Readonly<Record<string, (request: Request) => Promise<Response>>>;

/**
 * Serves a handler with Node's own server, or several by their paths. Handlers of this package are answered without a
 * detour; any other function of a Request will do too.
 *
 * @throws TransportError when the address cannot be listened on.
 */
export async function serveHttp(
  handler: ((request: Request) => Promise<Response>) | Handlers,
  options: ServeHttpOptions = {},
): Promise<HttpServing> {
  const { createServer } = await import("node:http");
  const { host = "127.0.0.1", port = 3000, path = "/mcp", drainTime = 1000 } = options;
  const { requestTimeout = 60_000, sendTimeout = 60_000 } = options;
  const headersTimeout = options.headersTimeout ?? Math.min(10_000, requestTimeout);
  const handlers: Handlers = typeof handler === "function" ? { [path]: handler } : handler;
  const listeners = new Map(
    Object.entries(handlers).map(([at, one]) => [at, nodeListener(one, isLoopback(host))]),
  );
  const server = createServer(
    {
      maxHeaderSize: options.limits?.headerBytes ?? 16_384,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.max(100, Math.min(headersTimeout, requestTimeout) / 2) | 0,
      noDelay: true,
    },
    (request, response) => {
      const answer = listeners.get(request.url?.replace(/\?.*$/, "") ?? "");
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    },
  );
  server.maxConnections = options.limits?.connections ?? 10_000;
  // Silence is no fault; not to read what was sent is.
  server.setTimeout(sendTimeout, (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });
  const place = await listen(server, "http", host, port, Object.keys(handlers)[0] ?? "");
  server.on("error", (error) => report(options, error, "HTTP"));
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all(Object.values(handlers).map((one) => (one as Partial<HttpHandler>).close?.()));
    const timer = setTimeout(() => server.closeAllConnections(), drainTime);
    server.closeIdleConnections();
    await closed;
    clearTimeout(timer);
  };
  return { ...place, close, [Symbol.asyncDispose]: close };
}
