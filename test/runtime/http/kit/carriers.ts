import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as nodeRequest,
  Server,
} from "node:http";
import {
  connect,
  constants,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { AddressInfo } from "node:net";
import {
  type HttpHandler,
  nodeListener,
  serveHttp,
} from "@mcpgen/runtime/http";
import { afterTest } from "../../kit/closing.js";
import {
  type Answer,
  bodyOf,
  headersOf,
  methodOf,
  Reading,
  type Sent,
} from "./exchange.js";

/** What programs keep for each request, such as the name of a tenant. */
export const tenants = new AsyncLocalStorage<string>();

/** The header from which a program of these tests takes the tenant. */
export const tenantHeader = "x-tenant";

/** A request whose client may send its body in parts, and leave at any time. */
export interface Sending {
  readonly answer: Promise<Answer>;
  write(part: string): void;
  end(): void;
  leave(): void;
}

/** A client of one endpoint, which uses its connections again. */
export interface Client {
  /** Sends the head of a request. */
  begin(sent: Sent): Sending;
  /** Sends a whole request. */
  send(sent: Sent): Promise<Answer>;
}

/** One way in which requests reach a handler. */
export interface Carrier {
  readonly name: string;
  /** True if the client is a function in the same process. */
  readonly isWeb?: boolean;
  open(handler: Handler): Promise<Client>;
}

export type Handler =
  HttpHandler | ((request: Request) => Promise<Response> | Response);
type NodeListener = ReturnType<typeof nodeListener>;
type Start = (sent: Sent) => Sending;

const clientOf = (begin: Start): Client => ({
  begin,
  send: (sent) => {
    const sending = begin(sent);
    const body = bodyOf(sent);
    if (body !== undefined) sending.write(body as string);
    sending.end();
    return sending.answer;
  },
});

/** Calls `next` in the context of the tenant whom the header names. */
const inTenant = <T>(
  headers: Readonly<Record<string, unknown>>,
  next: () => T,
): T => tenants.run(String(headers[tenantHeader]), next);

const listenerInTenant =
  (listener: NodeListener): NodeListener =>
  (request, response) =>
    inTenant(request.headers, () => listener(request, response));

/** A client of `node:http`, which keeps its connections. */
function overHttp1(port: number): Client {
  const agent = new Agent({ keepAlive: true });
  afterTest(() => agent.destroy());
  return clientOf((sent) => {
    const request = nodeRequest({
      agent,
      port,
      host: "127.0.0.1",
      method: methodOf(sent),
      path: "/mcp",
      headers: headersOf(sent) as OutgoingHttpHeaders,
    });
    const leave = (): void => void request.destroy();
    const answer = new Promise<Answer>((resolve, reject) => {
      request.on("error", reject);
      request.on("response", (response) => {
        response.on("error", () => {});
        const header = (name: string): string | undefined =>
          response.headers[name] as string | undefined;
        const { statusCode = 0 } = response;
        resolve(new Reading(statusCode, header, response, leave));
      });
    });
    answer.catch(() => {});
    request.flushHeaders();
    return {
      answer,
      write: (part) => void request.write(part),
      end: () => void request.end(),
      leave,
    };
  });
}

/** A client of `node:http2`, whose requests share one connection. */
function overHttp2(port: number): Client {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  afterTest(() => session.destroy());
  return clientOf((sent) => {
    const stream = session.request(
      { ":method": methodOf(sent), ":path": "/mcp", ...headersOf(sent) },
      { endStream: false },
    );
    const leave = (): void => stream.close(constants.NGHTTP2_CANCEL);
    const answer = new Promise<Answer>((resolve, reject) => {
      stream.on("error", reject);
      stream.on("response", ({ ":status": status = 0, ...headers }) => {
        const header = (name: string): string | undefined =>
          headers[name] as string | undefined;
        resolve(new Reading(status, header, stream, leave));
      });
    });
    answer.catch(() => {});
    return {
      answer,
      write: (part) => void stream.write(part),
      end: () => void stream.end(),
      leave,
    };
  });
}

/** The client of a function of web requests. */
function overCalls(handler: Handler): Client {
  return clientOf((sent) => {
    const leaving = new AbortController();
    const { readable, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    const method = methodOf(sent);
    const headers = headersOf(sent) as Record<string, string>;
    const request = new Request("http://127.0.0.1/mcp", {
      method,
      headers: { host: "127.0.0.1", ...headers },
      signal: leaving.signal,
      ...(method === "POST" && { body: readable, duplex: "half" }),
    });
    const leave = (): void => {
      leaving.abort();
      writer.abort(new Error("The client has left.")).catch(() => {});
    };
    const answer = inTenant(headers, async () => handler(request)).then(
      ({ status, headers, body }) => {
        const parts = body ?? new Response("").body;
        return new Reading(
          status,
          (name) => headers.get(name) ?? undefined,
          parts as unknown as AsyncIterable<Uint8Array>,
          leave,
        );
      },
    );
    answer.catch(() => {});
    const write = (part: string): void =>
      void writer.write(new TextEncoder().encode(part)).catch(() => {});
    return {
      answer,
      write,
      end: () => void writer.close().catch(() => {}),
      leave,
    };
  });
}

/** Listens until the test ends. Returns the port. */
export async function listen(
  listener: NodeListener,
  isHttp2 = false,
): Promise<number> {
  const server = isHttp2
    ? createHttp2Server(
        listener as unknown as (
          request: Http2ServerRequest,
          response: Http2ServerResponse,
        ) => void,
      )
    : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterTest(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/**
 * Lets the events of each request run in a context of their own, as a library
 * that follows connections does.
 */
const withForeignEvents =
  (listener: NodeListener): NodeListener =>
  (request, response) => {
    const emit = request.emit.bind(request) as (...all: unknown[]) => boolean;
    request.emit = (...all: unknown[]): boolean =>
      tenants.run("another", () => emit(...all));
    listener(request, response);
  };

/** Runs each request of Node's servers for its tenant, as instrumentation does. */
function instrument(): void {
  const emit = Server.prototype.emit as (...all: unknown[]) => boolean;
  Server.prototype.emit = function (...all: unknown[]): boolean {
    const [event, request] = all as [string, IncomingMessage];
    return event === "request"
      ? inTenant(request.headers, () => emit.apply(this, all))
      : emit.apply(this, all);
  };
  afterTest(() => {
    Server.prototype.emit = emit;
  });
}

/** Every way to a handler on Node. */
export const carriers: readonly Carrier[] = [
  {
    name: "serveHttp",
    open: async (handler) => {
      instrument();
      const up = await serveHttp(handler, { port: 0 });
      afterTest(up.close);
      return overHttp1(up.port);
    },
  },
  {
    name: "nodeListener of node:http",
    open: async (handler) =>
      overHttp1(await listen(listenerInTenant(nodeListener(handler)))),
  },
  {
    name: "nodeListener of node:http, whose events run in another context",
    open: async (handler) =>
      overHttp1(
        await listen(
          withForeignEvents(listenerInTenant(nodeListener(handler))),
        ),
      ),
  },
  {
    name: "nodeListener of node:http2",
    open: async (handler) =>
      overHttp2(await listen(listenerInTenant(nodeListener(handler)), true)),
  },
  {
    name: "nodeListener of node:http with a function around the handler",
    open: async (handler) => {
      const around = (request: Request) => handler(request);
      return overHttp1(await listen(listenerInTenant(nodeListener(around))));
    },
  },
  {
    name: "nodeListener of node:http2 with a function around the handler",
    open: async (handler) => {
      const around = (request: Request) => handler(request);
      return overHttp2(
        await listen(listenerInTenant(nodeListener(around)), true),
      );
    },
  },
  {
    name: "createHttpHandler as a function",
    isWeb: true,
    open: async (handler) => overCalls(handler),
  },
];
