import { jsonRpcCodes } from "../../errors.js";
import type { Auth } from "../../transport/transport.js";

/** Headers to send, by name. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** The state of one body while it is read. */
export interface BodyMeter {
  /** In bytes. */
  size: number;
  /** The load has no more room for it. */
  isRefused: boolean;
  onRefused: (() => void) | undefined;
}

/** One HTTP request, whatever platform it came to. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, or the whole URL. */
  readonly url: string;
  /** Only this machine can reach the server. */
  readonly isLocal: boolean;
  /** The value of a header; the name is in lower case. */
  header(name: string): string | undefined;
  /**
   * The whole body; undefined when it is longer, or refused by its meter, which `count` is told of each part. Rejects when it is
   * not UTF-8, or does not come to its end.
   */
  body(maxBytes: number, meter: BodyMeter, count: (bytes: number) => void): Promise<string | undefined>;
  /** The same request, without its body, in the web's own form. */
  toRequest(): Request;
}

/** The answer to one HTTP request: either whole, or a stream of events. */
export interface HttpResponse {
  /** Headers that it will have, whatever it will be. */
  headers: HttpHeaders;
  /** The length of the request's body, in bytes. */
  bytes: number;
  reply(status: number, headers?: HttpHeaders, body?: string): void;
  stream(headers: HttpHeaders): Sink;
  /** Called when the client goes away before the end of the answer; at once, if it is gone already. */
  onGone: (() => void) | undefined;
}

/** The open end of an answer. */
export interface Sink {
  /** Returns a promise of room when there is none at the moment. */
  write(text: string): Promise<void> | undefined;
  /** How much waits for the client to read it, in bytes or characters. */
  readonly waiting: number;
  /** Ends the answer after what was written; by force, at once. */
  end(byForce?: boolean): void;
}

/** A request that passed the checks of an endpoint, before its body is read. */
export interface AdmittedRequest {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auth: Auth | undefined;
  /** Who is calling, for sessions and limits: see `callerOf`. */
  readonly caller: string | undefined;
}

/** Answers requests in the form above, which skips the conversion to `Request` and `Response`. */
export interface NativeHandler {
  /** `admitted` is set if another handler on the same URL has admitted the request. */
  (request: HttpRequest, response: HttpResponse, admitted?: AdmittedRequest): Promise<void>;
  /** Tells a handler that shares its URL whether a request is for this one only. */
  matches?(request: HttpRequest): boolean;
}

/** The member of a handler of this package that answers requests in their native form. */
export const native: unique symbol = /* @__PURE__ */ Symbol.for("mcpgen.http");

/** Answers web requests. */
export interface HttpHandler {
  (request: Request): Promise<Response>;
  /** Ends all sessions and streams in good order. Never rejects. */
  close(): Promise<void>;
  /** For the functions of this package. */
  readonly [native]: NativeHandler;
}

/** The URL of a request, whatever its first line and its headers say. */
export function urlOf(url: string, host = "localhost"): URL {
  const base = [`http://${host}`, "http://localhost"].find((one) => URL.canParse(url, one));
  return new URL(base === undefined ? "/" : url, base ?? "http://localhost");
}

/** Answers by a JSON-RPC error. HTTP-06: without an id unless one could be read. */
export function refuse(
  response: HttpResponse,
  status: number,
  message: string,
  id?: unknown,
  code: number = jsonRpcCodes.INVALID_REQUEST,
  data?: unknown,
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
  response.reply(status, { "content-type": "application/json" }, body);
}
