import { type ClientRequest, type IncomingMessage, request as nodeRequest } from "node:http";
import { createHttpHandler, type HttpOptions, serveHttp, type ServeHttpOptions } from "@mcpgen/runtime/http";
import type { ServerDefinition } from "@mcpgen/runtime";
import { vi } from "vitest";
import { everythingServer } from "./everything.js";
import {
  type AnyContext,
  type AnyServer,
  info,
  type Json,
  legacyRevisions,
  makeServer,
  metaFor,
  revisions,
  type ServerOptions,
} from "./kit.js";

export type Revision = (typeof revisions)[number];

/** One HTTP request as a test writes it; what is left out is as a good client would have it. */
export interface Sent {
  readonly method?: string;
  /** Path and query; the path that is served when left out. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: unknown;
  /** Makes the client go away, before the head of the answer has come. */
  readonly signal?: AbortSignal;
}

/** One event of a stream; a comment has only `comment`. */
export interface Event {
  readonly id?: string;
  readonly retry?: string;
  readonly event?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** An answer of which at least the head has come. */
export interface Answer {
  readonly status: number;
  header(name: string): string | undefined;
  /** The whole body. */
  text(): Promise<string>;
  json(): Promise<Json>;
  /** The next event; undefined at the end of the stream. */
  next(): Promise<Event | undefined>;
  /** The next event that is a message. */
  message(): Promise<Json>;
  /** Closes the connection in the middle of things. */
  leave(): void;
}

/** A server that is up, behind one of its doors. */
export interface Open {
  readonly port: number;
  send(sent: Sent): Promise<Answer>;
  close(): Promise<void>;
}

export type Servers = ServerDefinition | readonly ServerDefinition[];

export interface Door {
  readonly name: string;
  open(servers: Servers, options?: HttpOptions, serving?: ServeHttpOptions): Promise<Open>;
}

/** The same endpoint through Node's own server and as a function of web requests. */
export const doors: readonly Door[] = [
  {
    name: "serveHttp",
    open: async (servers, options, serving) => {
      const up = await serveHttp(createHttpHandler(servers, options), {
        port: 0,
        drainTime: 200,
        ...serving,
      });
      return { port: up.port, send: (sent) => sendNode(up.port, sent), close: up.close };
    },
  },
  {
    name: "createHttpHandler",
    open: async (servers, options) => {
      const handler = createHttpHandler(servers, options);
      return { port: 0, send: (sent) => sendWeb(handler, sent), close: () => handler.close() };
    },
  },
];

function bodyOf({ body }: Sent): string | Uint8Array | undefined {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

function headersOf({ headers, body }: Sent): Record<string, string | readonly string[]> {
  const usual: Sent["headers"] = {
    accept: "application/json, text/event-stream",
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const all = Object.entries({ ...usual, ...headers });
  return Object.fromEntries(
    all.filter((entry): entry is [string, string | readonly string[]] => entry[1] !== undefined),
  );
}

const methodOf = ({ method, body }: Sent): string => method ?? (body === undefined ? "GET" : "POST");

/** Over a real socket, one for each request. */
export function sendNode(port: number, sent: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${port}`, ...headersOf(sent) };
    const { path = "/mcp", signal } = sent;
    const where = { port, host: "127.0.0.1", method: methodOf(sent), path, ...(signal && { signal }) };
    const request: ClientRequest = nodeRequest(
      { ...where, headers, agent: false },
      (response: IncomingMessage) => {
        response.on("error", () => {});
        const header = (name: string): string | undefined => response.headers[name] as string | undefined;
        resolve(new Reading(response.statusCode ?? 0, header, response, () => request.destroy()));
      },
    );
    request.on("error", reject);
    request.end(bodyOf(sent));
  });
}

/** To a function, as a framework would hand it over. */
export async function sendWeb(handler: (request: Request) => Promise<Response>, sent: Sent): Promise<Answer> {
  const leaving = new AbortController();
  const headers = new Headers({ host: "127.0.0.1" });
  for (const [name, value] of Object.entries(headersOf(sent))) {
    headers.delete(name);
    for (const one of [value].flat()) headers.append(name, one as string);
  }
  sent.signal?.addEventListener("abort", () => leaving.abort());
  const init = { method: methodOf(sent), headers, signal: leaving.signal };
  const body = bodyOf(sent) as string | undefined;
  const request = new Request(`http://127.0.0.1${sent.path ?? "/mcp"}`, { ...init, body: body ?? null });
  const response = await handler(request);
  const chunks = (response.body ?? new Response("").body) as unknown as AsyncIterable<Uint8Array>;
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
  return new Reading(response.status, header, chunks, () => leaving.abort());
}

class Reading implements Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly leave: () => void;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(
    status: number,
    header: (name: string) => string | undefined,
    body: AsyncIterable<Uint8Array>,
    leave: () => void,
  ) {
    this.status = status;
    this.header = header;
    this.#chunks = body[Symbol.asyncIterator]();
    this.leave = leave;
  }

  async text(): Promise<string> {
    while (await this.#more());
    return this.#text;
  }

  async json(): Promise<Json> {
    return JSON.parse(await this.text()) as Json;
  }

  async next(): Promise<Event | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) {
        if (await this.#more()) continue;
        return undefined;
      }
      const lines = this.#text.slice(0, end).split("\n");
      this.#text = this.#text.slice(end + 2);
      return Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon) || "comment", line.slice(colon + 1).replace(/^ /, "")];
        }),
      );
    }
  }

  async message(): Promise<Json> {
    for (;;) {
      const event = await this.next();
      if (!event) throw new Error("The stream ended before the next message.");
      if (event.data) return JSON.parse(event.data) as Json;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next().catch(() => ({ done: true, value: undefined }));
    if (done || !value) return false;
    this.#text += this.#decoder.decode(value as Uint8Array, { stream: true });
    return true;
  }
}

/** A request as it stands on the wire. */
export const ask = (id: unknown, method: string, params?: Json): Json => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
export const tell = (method: string, params?: Json): Json => ({ jsonrpc: "2.0", method, params });
export const call = (id: unknown, name: string, given: Json = {}, meta?: Json): Json =>
  ask(id, "tools/call", { name, arguments: given, ...(meta && { _meta: meta }) });
export const hello = (revision: string, capabilities: Json = {}): Json =>
  ask("hello", "initialize", { protocolVersion: revision, capabilities, clientInfo: info });

/** A whole POST of the modern era: body and headers say the same. */
export function modernPost(
  revision: Revision,
  message: Json,
  more: { readonly capabilities?: Json; readonly headers?: Sent["headers"] } = {},
): Sent {
  const params = (message["params"] ?? {}) as Json;
  const { version = "", method = "", name = "" } = revision.facts.headers;
  const subject = params["name"] ?? params["uri"] ?? params["taskId"];
  const _meta = { ...metaFor(revision, more.capabilities), ...(params["_meta"] as Json) };
  return {
    headers: {
      [version]: revision.revision,
      [method]: String(message["method"]),
      ...(typeof subject === "string" && { [name]: subject }),
      ...more.headers,
    },
    body: { ...message, params: { ...params, _meta } },
  };
}

/** A legacy session in the hands of a test. */
export class Session {
  readonly open: Open;
  readonly opening: Answer;
  readonly headers: Readonly<Record<string, string>>;

  private constructor(open: Open, opening: Answer, headers: Readonly<Record<string, string>>) {
    this.open = open;
    this.opening = opening;
    this.headers = headers;
  }

  static async start(
    open: Open,
    { facts, revision }: Revision,
    capabilities: Json = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Session> {
    const opening = await open.send({ body: hello(revision, capabilities), headers });
    const id = opening.header("mcp-session-id");
    const session = new Session(open, opening, {
      ...(id !== undefined && { "mcp-session-id": id }),
      ...(facts.headers.version && { [facts.headers.version]: revision }),
      ...headers,
    });
    await session.post(tell("notifications/initialized"));
    return session;
  }

  send(sent: Sent): Promise<Answer> {
    return this.open.send({ ...sent, headers: { ...this.headers, ...sent.headers } });
  }

  post(body: unknown): Promise<Answer> {
    return this.send({ body });
  }

  listen(headers: Sent["headers"] = {}): Promise<Answer> {
    return this.send({ method: "GET", headers: { accept: "text/event-stream", ...headers } });
  }

  /** What the JSON body of the answer to a request says. */
  async ask(body: unknown): Promise<Json> {
    return (await this.post(body)).json();
  }
}

/** What a handler of a test did, told from outside. */
export interface Watch {
  readonly events: string[];
  saw(event: string): void;
  /** Resolves once something was seen that often. */
  until(event: string, times?: number): Promise<void>;
}

export function watch(): Watch {
  const events: string[] = [];
  const waiting = new Set<() => void>();
  return {
    events,
    saw: (event) => {
      events.push(event);
      for (const check of waiting) check();
    },
    until: (event, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (events.filter((one) => one === event).length < times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

/** What a tool of a test may do besides what everybody's context offers. */
export type HttpContext = AnyContext & { release(retryMs?: number): void };
export type Tools = Readonly<Record<string, (given: Json, context: HttpContext) => unknown>>;

/** Servers that have something of everything, and these tools besides: of all revisions, or of some. */
export function serversWith(
  tools: Tools = {},
  options: ServerOptions = {},
  wanted: readonly Revision[] = revisions,
): readonly AnyServer[] {
  const { handlers = {} } = everythingServer;
  const callTool = (params: Json, context: AnyContext): unknown => {
    const tool = tools[String(params["name"])];
    if (!tool) return handlers["tools/call"]?.(params, context);
    return tool((params["arguments"] ?? {}) as Json, context as HttpContext);
  };
  const capabilities = { logging: {}, tools: { listChanged: true }, prompts: { listChanged: true } };
  const all = { ...handlers, "tools/call": callTool, ...options.handlers };
  const given = { ...everythingServer, capabilities, ...options, handlers: all };
  return wanted.map(({ protocol }) => makeServer(protocol, given));
}

/** The revisions that keep sessions over HTTP. */
export const sessionRevisions: readonly Revision[] = legacyRevisions.filter(
  ({ facts }) => facts.headers.session !== undefined,
);
export const named = (revision: string): Revision => {
  const found = revisions.find((one) => one.revision === revision);
  if (!found) throw new Error(`There is no revision ${revision}.`);
  return found;
};

/** Resolves once a check holds that something on its way makes true; rejects with its fault after half a minute. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 30_000, interval: 5 });
}
