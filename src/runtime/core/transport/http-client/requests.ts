import type {
  Agent,
  ClientRequest as NodeRequest,
  IncomingMessage,
  RequestOptions,
} from "node:http";
import type { Socket } from "node:net";

import { TransportError, ValidationError } from "../../errors.js";
import { nodeProcess } from "../../platform.js";
import { decodedBody } from "../../../../common/decoding.js";
import type { ResponseSink } from "./response-reader.js";

/** One HTTP request of a client. */
export interface ClientRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * True if the request changes nothing on the server, so that it may be sent
   * twice.
   */
  readonly isSafe?: boolean | undefined;
  /**
   * True for a request that open calls may wait for, or that stays open: it
   * does not count against `maxConnections`.
   */
  readonly isUncounted?: boolean | undefined;
}

/** Cancels a request. The sink gets nothing more. */
export type Drop = () => void;

/** Sends HTTP requests on one platform. */
export interface HttpPlatform {
  request(request: ClientRequest, sink: ResponseSink): Drop;
  close(): void;
}

/** The part of `fetch` that is used here. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Sends requests by `fetch`. */
export function fetchRequester(fetch: Fetch): HttpPlatform {
  const request = (
    { url, method, headers, body }: ClientRequest,
    sink: ResponseSink,
  ): Drop => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = async (): Promise<void> => {
      // The error of `fetch` itself would quote the value.
      for (const [name, value] of Object.entries(headers)) {
        if (/[^\t -~\x80-\xff]/.test(value))
          throw new TransportError(
            `The header ${name} has a character that is not valid in a header.`,
          );
      }
      const response = await fetch(url, {
        method,
        headers,
        body: body ?? null,
        signal,
        redirect: "manual",
      });
      if (signal.aborted) return;
      sink.head(
        response.status,
        (name) => response.headers.get(name) ?? undefined,
      );
      const reader = response.body?.getReader();
      for (
        let part = await reader?.read();
        part?.value && !signal.aborted;
        part = await reader?.read()
      ) {
        sink.data(part.value);
      }
    };
    read().then(
      () => signal.aborted || sink.end(),
      (error: unknown) =>
        signal.aborted ||
        sink.end(error instanceof Error ? error : new Error(String(error))),
    );
    return () => controller.abort();
  };
  return { request, close: () => {} };
}

/**
 * Sends requests by `node:http`, which takes a fraction of the CPU that `fetch`
 * does; undefined on other platforms. At most `maxConnections` connections are
 * open at once for the requests that count; further ones wait.
 */
export function nodeRequester(
  url: URL,
  maxConnections: number,
): HttpPlatform | undefined {
  const process = nodeProcess();
  if (!process) return undefined;
  const isSecure = url.protocol === "https:";
  const http = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  const agentWith = (maxSockets: number): Agent => {
    const agent = new http.Agent({ keepAlive: true, maxSockets });
    const reuseSocket: Agent["reuseSocket"] = (socket, request) => {
      (socket as Socket).setTimeout(0, drop);
      http.Agent.prototype.reuseSocket.call(agent, socket, request);
    };
    return Object.assign(agent, { keepSocketAlive, reuseSocket });
  };
  const agents = [agentWith(maxConnections), agentWith(Infinity)] as const;
  const onStale = (): void => {
    // The others are probably closed as well.
    for (const sockets of agents.flatMap(({ freeSockets }) =>
      Object.values(freeSockets),
    ))
      for (const socket of sockets ?? []) socket.destroy();
  };
  return {
    request: ({ url, method, headers, body, isUncounted }, sink) => {
      const options: RequestOptions = {
        ...targetOf(url),
        agent: agents[isUncounted ? 1 : 0],
        method,
        headers: { ...uncompressed, ...headers },
      };
      const request = http.request(options);
      request.end(body);
      return follow(request, sink, onStale);
    },
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

/**
 * Without this header, a server may choose any coding. A header of the user
 * takes precedence.
 */
const uncompressed = { "accept-encoding": "identity" };
const targets = new WeakMap<URL, RequestOptions>();

/** The parts of a URL, cached, since most requests go to the same one. */
function targetOf(url: URL): RequestOptions {
  let target = targets.get(url);
  if (!target) {
    // Only URLs have brackets around an IPv6 address.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    target = {
      protocol: url.protocol,
      host,
      port: url.port,
      path: url.pathname + url.search,
    };
    targets.set(url, target);
  }
  return target;
}

/**
 * The time (ms) that a connection is kept idle, if the server announces none:
 * less than the 5 s of many servers.
 */
const idleTime = 4000;
/** The same of connections whose server announces one. */
const idleTimes = new WeakMap<Socket, number>();

function drop(this: Socket): void {
  this.destroy();
}

/**
 * Closes a connection that stays idle before the server does, which may not get
 * the next request. Returns false to close it now.
 */
function keepSocketAlive(socket: Socket): boolean {
  const time = idleTimes.get(socket) ?? idleTime;
  if (time <= 0) return false;
  socket.setKeepAlive(true, 1000);
  socket.setTimeout(time, drop);
  socket.unref();
  return true;
}

/** The message of an error whose `isRetryable` is true. */
const staleText =
  "The server closed the connection, which was idle before, when the request was sent. The request may not have run.";

function follow(
  request: NodeRequest,
  sink: ResponseSink,
  onStale: () => void,
): Drop {
  let hasEnded = false;
  let received = 0;
  const end = (error?: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    sink.end(error);
  };
  request.on("socket", ({ bytesRead }) => (received = bytesRead));
  request.on("error", (error: NodeJS.ErrnoException) => {
    const isReset = error.code === "ECONNRESET" || error.code === "EPIPE";
    if (
      !isReset ||
      !request.reusedSocket ||
      request.socket?.bytesRead !== received
    )
      return end(error);
    onStale();
    end(
      new TransportError(staleText, {
        cause: error,
        isRetryable: true,
        mayHaveRun: true,
      }),
    );
  });
  request.on("response", (response: IncomingMessage) => {
    const { statusCode = 0, headers } = response;
    const [, seconds] =
      /\btimeout=(\d+)/i.exec(String(headers["keep-alive"])) ?? [];
    const socket = response.socket as Socket | null;
    if (socket && seconds !== undefined)
      idleTimes.set(socket, Number(seconds) * 1000 - 1000);
    sink.head(statusCode, (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    });
    if (hasEnded) return;
    let body;
    try {
      body = decodedBody(response, (message) => new ValidationError(message));
    } catch (error) {
      end(error as Error);
      return void request.destroy();
    }
    body.on("data", (chunk: Uint8Array) => {
      if (!hasEnded) sink.data(chunk);
    });
    body.on("end", () => end());
    body.on("error", end);
    body.on("close", () => {
      // An error is made only if it is needed, because it reads the stack.
      if (!hasEnded) end(new Error("The connection broke."));
    });
  });
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    request.destroy();
  };
}
