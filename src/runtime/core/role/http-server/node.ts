import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { headersOf } from "./access.js";
import type { Awaitable } from "../../../../common/timing.js";
import {
  type DisconnectListener,
  hostOf,
  type HttpHandler,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type IncomingBody,
  native,
  noHeaders,
  urlOf,
} from "./exchange.js";
import { textOfBytes } from "./open-work.js";
import { isLoopback } from "../../../../common/addresses.js";

/**
 * Converts a handler to a request listener of `node:http`, Express and similar
 * frameworks. If only this machine can reach the server (`isLocal`), other host
 * names than those of this machine are rejected; by default that is so if the
 * server listens on a loopback address.
 */
export function nodeListener(
  handler: (request: Request) => Awaitable<Response>,
  isLocal?: boolean,
): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = answererOf(handler);
  return (request, response) =>
    answer(
      new NodeRequest(request, isLocal ?? listensLocally(request)),
      new NodeResponse(response),
    );
}

/** The function that answers requests of Node. */
export function answererOf(
  handler: (request: Request) => Awaitable<Response>,
): (request: NodeRequest, response: NodeResponse) => void {
  const answer =
    (handler as Partial<HttpHandler>)[native] ?? throughWeb(handler);
  return (request, response) => {
    if (request.hosts) response.reply(400);
    else answer(request, response);
  };
}

const localServers = new WeakMap<object, boolean>();

/**
 * True if the server of a request listens on a loopback address only; false if
 * that is unknown, as outside Node.
 */
function listensLocally({ socket }: IncomingMessage): boolean {
  const { server } = socket as {
    readonly server?: Partial<Pick<Server, "address">>;
  };
  if (!server) return false;
  const known = localServers.get(server);
  if (known !== undefined) return known;
  // A pipe has a path in place of an address.
  const { address } = Object(server.address?.()) as Partial<AddressInfo>;
  const isLocal = address !== undefined && isLoopback(address);
  localServers.set(server, isLocal);
  return isLocal;
}

/**
 * Converts a handler of the user: it gets a web `Request`, whose signal aborts
 * when the client disconnects, and its `Response` is sent.
 */
function throughWeb(handler: (request: Request) => Awaitable<Response>) {
  const answer = async (
    request: NodeRequest,
    response: HttpResponse,
  ): Promise<void> => {
    const leaving = new AbortController();
    response.onDisconnect = { disconnected: () => leaving.abort() };
    const webResponse = await handler(request.toRequest(leaving.signal));
    const headers = headersOf(webResponse);
    if (
      !webResponse.body ||
      !/event-stream/.test(headers["content-type"] as string)
    ) {
      return response.reply(
        webResponse.status,
        headers,
        await webResponse.text(),
      );
    }
    response.stream(headers);
    const parts = webResponse.body.pipeThrough(
      new TextDecoderStream(),
      leaving,
    ) as unknown as AsyncIterable<string>;
    for await (const part of parts) await response.write(part);
    response.end();
  };
  return (request: NodeRequest, response: NodeResponse): void =>
    void answer(request, response).catch(() => response.fail());
}

/** Members that frameworks such as Express add to a request. */
interface FrameworkRequest {
  /** The parsed body. */
  readonly body?: unknown;
  /** The whole path, if the framework removed the prefix of a router. */
  readonly originalUrl?: string;
}

export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly isLocal: boolean;
  readonly #request: IncomingMessage & FrameworkRequest;
  /** Kept, because Node has a getter. */
  readonly #headers: IncomingMessage["headers"];

  constructor(request: IncomingMessage & FrameworkRequest, isLocal: boolean) {
    this.#request = request;
    this.#headers = request.headers;
    this.method = request.method ?? "";
    this.url = request.originalUrl ?? request.url ?? "/";
    this.isLocal = isLocal;
  }

  get isDecoded(): boolean {
    return parsedBody(this.#request) !== undefined;
  }

  /**
   * Several hosts, for which a request is rejected (RFC 9112, 3.2). Over HTTP/2
   * the pseudo-header and the header are two if they differ (RFC 9113, 8.3.1).
   */
  get hosts(): readonly string[] | undefined {
    const { host, ":authority": other = host } = this.#headers;
    return host && host.toLowerCase() !== (other as string).toLowerCase()
      ? [host]
      : repeated(this.#request, "host");
  }

  header(name: string): string | undefined {
    if (name === "host") {
      // HTTP/2 has a pseudo-header instead.
      return (
        hostOf(this.url) ??
        this.#headers.host ??
        (this.#headers[":authority"] as string | undefined)
      );
    }
    const value =
      (name === "authorization" && repeated(this.#request, name)) ||
      this.#headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  read(body: IncomingBody): void {
    const request = this.#request;
    const parsed = parsedBody(request);
    if (parsed !== undefined) return body.complete(() => textOf(parsed));
    if (request.readableEnded) return body.fail(readError());
    // A body that is too long is read to its end: a client whose connection
    // closes while it sends does not get the response.
    request
      .on("data", (part: Uint8Array) => body.add(part))
      .on("error", (error) => body.fail(error));
    // The events of a request have the async context of its connection. What
    // continues a promise has the one in which it was made: that of the request.
    void new Promise((resolve) => request.on("end", resolve)).then(() =>
      body.complete(),
    );
  }

  /** With a signal, the request has its body. */
  toRequest(signal?: AbortSignal): Request {
    const { method } = this;
    const names = Object.keys(this.#headers).filter(
      (name) => !name.startsWith(":"),
    );
    const entries = names.map((name): [string, string] => [
      name,
      this.header(name) as string,
    ]);
    const init = {
      method,
      headers: entries,
      signal: signal ?? null,
      ...(signal && !/^(GET|HEAD)$/.test(method) && this.#body()),
    };
    return new Request(urlOf(this.url, this.header("host")), init);
  }

  /**
   * The body as a stream without a limit; the handler of the user limits it.
   */
  #body(): RequestInit {
    const body = parsedBody(this.#request);
    if (body !== undefined) return { body: textOf(body) };
    return { body: streamOf(this.#request), duplex: "half" } as RequestInit;
  }
}

/**
 * The body that a framework has parsed. Some parsers, such as those of Express
 * 4, set an empty object for a body that they leave to others: a stream that
 * nobody has read still has the body.
 */
function parsedBody(request: IncomingMessage & FrameworkRequest): unknown {
  return request.readableDidRead === false ? undefined : request.body;
}

/**
 * The values of several headers with a name, of which Node keeps the first and
 * a proxy may have checked another; undefined for one.
 */
function repeated(
  { rawHeaders = [] }: Partial<IncomingMessage>,
  name: string,
): string[] | undefined {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const key = rawHeaders[i];
    // Few names have this length, and only those are read.
    if (key?.length === name.length && key.toLowerCase() === name)
      values.push(rawHeaders[i + 1] as string);
  }
  return values.length > 1 ? values : undefined;
}

/**
 * Says `Connection: close` while the server closes, so that no client sends its
 * next request over this connection.
 */
function closeAfter(response: ServerResponse): void {
  const socket = response.socket as {
    readonly server?: Partial<Pick<Server, "listening">>;
  } | null;
  if (socket?.server?.listening === false) response.shouldKeepAlive = false;
}

/**
 * The member of a response of Node with its `NodeResponse`. All requests share
 * one listener: a closure for each of them costs more.
 */
const answered: unique symbol = /* @__PURE__ */ Symbol("mcpgen.response");

function onClose(this: ServerResponse & { [answered]?: NodeResponse }): void {
  this[answered]?.closed();
}

export class NodeResponse implements HttpResponse {
  headers: HttpHeaders = noHeaders;
  refuse: HttpResponse["refuse"];
  onEnd: (() => void) | undefined;
  /** A response of HTTP/2 has a stream, and does not say itself that it ended. */
  readonly #response: ServerResponse & { readonly stream?: ServerHttp2Stream };
  /** Cleared at the end, because the connection keeps its last response. */
  #onDisconnect: DisconnectListener | undefined;
  #room: Promise<void> | undefined;
  readonly #connection: { end(): void } | undefined;

  constructor(
    response: ServerResponse & { [answered]?: NodeResponse },
    connection?: { end(): void },
  ) {
    this.#response = response;
    this.#connection = connection;
    response[answered] = this;
    response.on("close", onClose);
  }

  /** Called when the response was sent, or the client has disconnected. */
  closed(): void {
    this.#onDisconnect?.disconnected();
    this.onEnd?.();
    this.#connection?.end();
  }

  set onDisconnect(listener: DisconnectListener) {
    this.#onDisconnect = listener;
    if (this.hasEnded) listener.disconnected();
  }

  get hasEnded(): boolean {
    const response = this.#response;
    return response.writableEnded || (response.stream ?? response).destroyed;
  }

  get waiting(): number {
    return this.#response.writableLength;
  }

  reply(status: number, headers: HttpHeaders = {}, body = ""): void {
    const response = this.#response;
    this.#onDisconnect = undefined;
    if (response.headersSent || this.hasEnded) return;
    closeAfter(response);
    // Two spreads: V8 puts the copies of one object among the old objects at
    // once.
    const all: Record<string, string | number> = {
      ...this.headers,
      ...headers,
    };
    if (status !== 204) all["content-length"] = Buffer.byteLength(body);
    response.writeHead(status, all);
    response.end(body);
  }

  /** Answers with 500, or breaks off the response if it has begun. */
  fail(): void {
    if (this.#response.headersSent) this.end(true);
    else this.reply(500);
  }

  disconnect(): void {
    const onDisconnect = this.#onDisconnect;
    this.#onDisconnect = undefined;
    onDisconnect?.disconnected();
    this.#response.end();
  }

  stream(headers: HttpHeaders): void {
    const response = this.#response;
    closeAfter(response);
    // `disconnect` may have ended the response before.
    if (!response.headersSent)
      response.writeHead(200, { ...this.headers, ...headers }).flushHeaders();
  }

  write(text: string): Promise<void> | undefined {
    const response = this.#response;
    if (this.hasEnded || response.write(text)) return undefined;
    return (this.#room ??= new Promise((resolve) => {
      const done = (): void => {
        response.off("drain", done).off("close", done);
        this.#room = undefined;
        resolve();
      };
      response.on("drain", done).on("close", done);
    }));
  }

  end(byForce?: boolean): void {
    const response = this.#response;
    this.#onDisconnect = undefined;
    if (!byForce) response.end();
    // Over HTTP/2, only a code tells the client that something is missing.
    else if (response.stream) response.stream.close(internalError);
    else response.destroy();
  }
}

/**
 * A body as a stream with backpressure. A body that is not read is discarded,
 * so that the connection can be reused.
 */
function streamOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  if (request.readableEnded) throw readError();
  const chunks = request.iterator({
    destroyOnReturn: false,
  }) as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The error code INTERNAL_ERROR of HTTP/2 (RFC 9113, section 7). */
const internalError = 2;

const readError = (): Error =>
  new TypeError("The body was read before, but request.body is not set.");

/** The text of a body that a framework has parsed. */
const textOf = (body: unknown): string =>
  typeof body === "string"
    ? body
    : body instanceof Uint8Array
      ? textOfBytes(body)
      : JSON.stringify(body);
