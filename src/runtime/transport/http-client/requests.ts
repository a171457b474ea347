import type { ClientRequest as NodeRequest, IncomingMessage, RequestOptions } from "node:http";

/** One HTTP request of a client. */
export interface ClientRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns the value of a response header. */
export type HeaderOf = (name: string) => string | undefined;

/** Receives one response: a head, data, and an end; or, at any time, an end with an error. */
export interface ResponseSink {
  head(status: number, header: HeaderOf): void;
  data(chunk: Uint8Array): void;
  end(error?: Error): void;
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
  const request = ({ url, ...init }: ClientRequest, sink: ResponseSink): Drop => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = async (): Promise<void> => {
      const response = await fetch(url, { ...init, signal, redirect: "manual" });
      if (signal.aborted) return;
      sink.head(response.status, (name) => response.headers.get(name) ?? undefined);
      const reader = response.body?.getReader();
      for (let part = await reader?.read(); part?.value && !signal.aborted; part = await reader?.read()) {
        sink.data(part.value);
      }
    };
    read().then(
      () => signal.aborted || sink.end(),
      (error: unknown) =>
        signal.aborted || sink.end(error instanceof Error ? error : new Error(String(error))),
    );
    return () => controller.abort();
  };
  return { request, close: () => {} };
}

/**
 * Sends requests by `node:http`, which takes a fraction of the CPU that `fetch` does; undefined on other platforms. At most
 * `maxConnections` connections are open at once; further requests wait.
 */
export function nodeRequester(url: URL, maxConnections: number): HttpPlatform | undefined {
  const { process } = globalThis as { readonly process?: NodeJS.Process };
  // Bun and Deno emulate these modules on top of a faster `fetch`.
  if (!process?.versions?.node || process.versions["bun"] || process.versions["deno"]) return undefined;
  const isSecure = url.protocol === "https:";
  const http = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  const agent = new http.Agent({ keepAlive: true, maxSockets: maxConnections });
  return {
    request: ({ url, method, headers, body }, sink) => {
      const options: RequestOptions = { ...targetOf(url), agent, method, headers };
      const request = http.request(options);
      request.end(body);
      return follow(request, sink);
    },
    close: () => agent.destroy(),
  };
}

const targets = new WeakMap<URL, RequestOptions>();

/** The parts of a URL, cached, since most requests go to the same one. */
function targetOf(url: URL): RequestOptions {
  let target = targets.get(url);
  if (!target) {
    // Only URLs have brackets around an IPv6 address.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    target = { protocol: url.protocol, host, port: url.port, path: url.pathname + url.search };
    targets.set(url, target);
  }
  return target;
}

function follow(request: NodeRequest, sink: ResponseSink): Drop {
  let isOver = false;
  const end = (error?: Error): void => {
    if (isOver) return;
    isOver = true;
    sink.end(error);
  };
  request.on("error", end);
  request.on("response", (response: IncomingMessage) => {
    const { statusCode = 0, headers } = response;
    sink.head(statusCode, (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    });
    response.on("data", (chunk: Uint8Array) => {
      if (!isOver) sink.data(chunk);
    });
    response.on("end", () => end());
    response.on("error", end);
    response.on("close", () => {
      // An error is made only if it is needed, because it reads the stack.
      if (!isOver) end(new Error("The connection broke."));
    });
  });
  return () => {
    if (isOver) return;
    isOver = true;
    request.destroy();
  };
}
