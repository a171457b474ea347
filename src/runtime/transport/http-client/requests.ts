import type { ClientRequest as NodeRequest, IncomingMessage, RequestOptions } from "node:http";

/** One HTTP request of a client's. */
export interface ClientRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Gets the value of a header of an answer. */
export type HeaderOf = (name: string) => string | undefined;

/** Takes what comes back for one request: a head, data, and an end; or an end with an error, at any time. */
export interface Answer {
  head(status: number, header: HeaderOf): void;
  data(chunk: Uint8Array): void;
  end(error?: Error): void;
}

/** Drops a request: nothing comes of it any more. */
export type Drop = () => void;

/** Makes HTTP requests, on whatever platform. */
export interface Requester {
  request(request: ClientRequest, answer: Answer): Drop;
  close(): void;
}

/** The part of the web's `fetch` that is used here. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Makes requests by `fetch`. */
export function fetchRequester(fetch: Fetch): Requester {
  const request = ({ url, ...init }: ClientRequest, answer: Answer): Drop => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = async (): Promise<void> => {
      const response = await fetch(url, { ...init, signal, redirect: "manual" });
      if (signal.aborted) return;
      answer.head(response.status, (name) => response.headers.get(name) ?? undefined);
      const reader = response.body?.getReader();
      for (let part = await reader?.read(); part?.value && !signal.aborted; part = await reader?.read()) {
        answer.data(part.value);
      }
    };
    read().then(
      () => signal.aborted || answer.end(),
      (error: unknown) =>
        signal.aborted || answer.end(error instanceof Error ? error : new Error(String(error))),
    );
    return () => controller.abort();
  };
  return { request, close: () => {} };
}

/**
 * Makes requests by Node's own client, which takes a fraction of the CPU that its `fetch` does; undefined elsewhere. At
 * most `maxConnections` connections are open at once, and further requests wait.
 */
export function nodeRequester(url: URL, maxConnections: number): Requester | undefined {
  const { process } = globalThis as { readonly process?: NodeJS.Process };
  // Others offer Node's modules too, on top of what their `fetch` does better.
  if (!process?.versions?.node || process.versions["bun"] || process.versions["deno"]) return undefined;
  const isSecure = url.protocol === "https:";
  const http = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  const agent = new http.Agent({ keepAlive: true, maxSockets: maxConnections });
  return {
    request: ({ url, method, headers, body }, answer) => {
      const options: RequestOptions = { ...targetOf(url), agent, method, headers };
      const request = http.request(options);
      request.end(body);
      return follow(request, answer);
    },
    close: () => agent.destroy(),
  };
}

const targets = new WeakMap<URL, RequestOptions>();

/** Taken apart once, since the same address is asked again and again. */
function targetOf(url: URL): RequestOptions {
  let target = targets.get(url);
  if (!target) {
    // The brackets of an IPv6 address belong to the URL alone.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    target = { protocol: url.protocol, host, port: url.port, path: url.pathname + url.search };
    targets.set(url, target);
  }
  return target;
}

function follow(request: NodeRequest, answer: Answer): Drop {
  let isOver = false;
  const end = (error?: Error): void => {
    if (isOver) return;
    isOver = true;
    answer.end(error);
  };
  request.on("error", end);
  request.on("response", (response: IncomingMessage) => {
    const { statusCode = 0, headers } = response;
    answer.head(statusCode, (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    });
    response.on("data", (chunk: Uint8Array) => {
      if (!isOver) answer.data(chunk);
    });
    response.on("end", () => end());
    response.on("error", end);
    response.on("close", () => end(new Error("The connection broke.")));
  });
  return () => {
    if (isOver) return;
    isOver = true;
    request.destroy();
  };
}
