import { jsonRpcCodes, type Refused } from "../../errors.js";
import type { Protection, Rejection } from "../../ports/protection.js";
import type { ClusterHealth } from "../../ports/cluster.js";
import type { Auth } from "../../ports/transport.js";
import type { Full } from "../../quota.js";

/** Headers to send, by name. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** No headers, as one object for all responses. */
export const noHeaders: HttpHeaders = {};

/** Receives the body of a request. */
export interface IncomingBody {
  /** Called when no more parts are needed before the last one. */
  cancel: (() => void) | undefined;
  add(part: Uint8Array): void;
  /**
   * Called after the last part. `read` returns the text of a body that was read
   * before.
   */
  complete(read?: () => string): void;
  fail(error: Error): void;
}

/** One HTTP request, on any platform. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, or the whole URL. */
  readonly url: string;
  /** True if only this machine can reach the server. */
  readonly isLocal?: boolean;
  /** True if a framework has read the body, and removed its content coding. */
  readonly isDecoded?: boolean;
  /** The value of a header; the name is in lower case. */
  header(name: string): string | undefined;
  /** Passes the parts of the body on. */
  read(body: IncomingBody): void;
  /** The request as a web `Request`, without its body. */
  toRequest(): Request;
}

/**
 * Listens for the end of a response. An object, because a closure for each
 * response costs more.
 */
export interface DisconnectListener {
  /** Called when the client disconnects before the end of the response. */
  disconnected(): void;
}

/** The response to one HTTP request: one body, or a stream of events. */
export interface HttpResponse {
  /** Headers that both kinds of response have. */
  headers: HttpHeaders;
  reply(status: number, headers?: HttpHeaders, body?: string): void;
  /** Begins a stream, to which `write` adds until `end`. */
  stream(headers: HttpHeaders): void;
  /**
   * Returns a promise that resolves when there is room for more, if there is
   * none now.
   */
  write(text: string): Promise<void> | undefined;
  /** The size of unsent data of the stream, in bytes or characters. */
  readonly waiting: number;
  /** Ends the stream after all writes; with `byForce`, at once. */
  end(byForce?: boolean): void;
  /** Called at once if the client has already disconnected. */
  onDisconnect: DisconnectListener;
  /** True once the response has ended for any reason. */
  readonly hasEnded: boolean;
  /** Called when it ends. */
  onEnd: (() => void) | undefined;
  /** Ends the response as if the client had disconnected. */
  disconnect(): void;
  /**
   * The status and the headers for a request that is refused; undefined without
   * the option `protect`.
   */
  refuse:
    ((refused: Refused) => Pick<Rejection, "status" | "headers">) | undefined;
}

/** A request that passed the checks of an endpoint, before its body is read. */
export interface AdmittedRequest {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auth: Auth | undefined;
  /** The key of the caller, for sessions and limits: see `callerOf`. */
  readonly caller: string | undefined;
  /**
   * The protection that identified the caller, if the endpoint has the option
   * `protect`.
   */
  readonly protection?: Protection | undefined;
  /** Reports an error, and answers with 500. */
  readonly failed: (error: unknown, response: HttpResponse) => void;
}

/** Answers requests without converting them to `Request` and `Response`. */
export interface NativeHandler {
  /**
   * Never throws. `admitted` is set if another handler on the same URL has
   * admitted the request.
   */
  (
    request: HttpRequest,
    response: HttpResponse,
    admitted?: AdmittedRequest,
  ): void;
  /** True if a request can only be for this handler, when two share a URL. */
  matches?(request: HttpRequest): boolean;
}

/** The member of this package's handlers that holds the `NativeHandler`. */
export const native: unique symbol = /* @__PURE__ */ Symbol.for("mcpgen.http");

/** The state of a handler, for the health check of a balancer. */
export interface Health extends Partial<ClusterHealth> {
  /** True once `close` was called: the handler takes no new requests. */
  readonly isDraining: boolean;
}

/** Answers web requests. */
export interface HttpHandler {
  (request: Request): Promise<Response>;
  /**
   * Ends streams, waits up to `drainTime` for open requests, then answers the
   * rest with 503. Never rejects.
   */
  close(): Promise<void>;
  /** Whether a balancer should send requests to this handler, as plain data. */
  health(): Health;
  /** The `drainTime` of the servers, in milliseconds. */
  readonly drainTime: number;
  /**
   * Handlers of other paths that belong to this one, such as the metadata of
   * `protect`. `serveHttp` serves them too.
   */
  readonly routes: Readonly<
    Record<string, (request: Request) => Promise<Response>>
  >;
  /** Internal: for the functions of this package. */
  readonly [native]: NativeHandler;
}

/** The origin of a request target in absolute form (RFC 9112, 3.2.2). */
const targetOrigin = /^https?:\/\/([^/?#]*)/i;

/** The path of a request target, without one slash at its end. */
export const pathOf = (target = "/"): string =>
  target
    .replace(targetOrigin, "")
    .replace(/\?[^]*/, "")
    .replace(/(.)\/$/, "$1") || "/";

/**
 * The host and port of a request target in absolute form, which count instead
 * of the header Host; undefined for another form.
 */
export const hostOf = (target: string): string | undefined =>
  targetOrigin.exec(target)?.[1];

/**
 * The URL of a request. Never throws, even for an invalid request line or host.
 */
export function urlOf(url: string, host = "localhost"): URL {
  const local = "http://localhost";
  const base = [`http://${host}`, local].find((one) => URL.canParse(url, one));
  return new URL(base ? url : "/", base ?? local);
}

/**
 * Answers with a JSON-RPC error, without an id unless one could be read
 * (HTTP-06).
 */
export function replyError(
  response: HttpResponse,
  status: number,
  message: string,
  id?: unknown,
  code: number = jsonRpcCodes.INVALID_REQUEST,
  data?: unknown,
): void {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code, message, data },
  });
  response.reply(status, { "content-type": "application/json" }, body);
}

/**
 * Rejects a request above a limit, with the time in seconds after which the
 * client may try again.
 */
export function rejectOverLimit(
  response: HttpResponse,
  full: Full,
  seconds = 1,
): void {
  response.reply(full === "caller" ? 429 : 503, {
    "retry-after": String(seconds),
  });
}

/** The value of a header whose name a revision defines. */
export const headerOf = (
  request: HttpRequest,
  name: string | undefined,
): string | undefined =>
  name === undefined ? undefined : request.header(name.toLowerCase());

/** The media types of responses, as the header Accept names them. */
const mediaTypes: Readonly<Record<"json" | "eventStream", RegExp>> = {
  json: /application\/(json|\*)|\*\/\*/i,
  eventStream: /text\/(event-stream|\*)|\*\/\*/i,
};

/**
 * True if the client accepts responses of a media type; without the header
 * Accept it accepts any (RFC 9110, 12.5.1).
 */
export const accepts = (
  request: HttpRequest,
  type: keyof typeof mediaTypes,
): boolean => mediaTypes[type].test(request.header("accept") ?? "*/*");
