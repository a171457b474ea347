import { isOutage, jsonRpcCodes, refusalIn } from "../../errors.js";
import { isId, type RequestId } from "../../message.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import type { Revision } from "../../tables.js";
import type { ReadBody } from "./body.js";
import { type HttpHeaders, type HttpResponse, replyError } from "./exchange.js";
import { type Load, rejectOverLimit, type Ticket } from "./load.js";
import type { EventStream } from "./stream.js";

/** The time after which clients reconnect to a stream that the server closed on purpose, in milliseconds (SSE-05). */
export const defaultRetry = 1000;

/**
 * The requests of one POST and their responses: one JSON body if no other message is sent before, else a stream that ends with the
 * last response (HTTP-07, HTTP-18, HTTP-19, HTTP-43, HTTP-44).
 */
export abstract class Post {
  /** True once every request is answered. */
  ended = false;
  readonly ticket: Ticket;
  /** The ids of the requests. */
  readonly ids: readonly (RequestId | undefined)[];
  /** The number of requests that are not answered yet. */
  pending: number;
  /** Undefined once the client has disconnected. */
  protected response: HttpResponse | undefined;
  readonly #isBatch: boolean;
  #replies: string[] = [];
  #stream: EventStream | undefined;
  /** True if a keep-alive was due since this POST arrived. */
  #isOld = false;

  constructor(
    ticket: Ticket,
    ids: readonly (RequestId | undefined)[],
    isBatch: boolean,
    response: HttpResponse,
  ) {
    this.ticket = ticket;
    this.ids = ids;
    this.pending = ids.length;
    this.#isBatch = isBatch;
    this.response = response;
    const disconnect = (): void => void (this.response = undefined);
    response.onDisconnect = disconnect;
  }

  get isConnected(): boolean {
    return this.#stream?.isConnected ?? this.response !== undefined;
  }

  /** The HTTP status of an answer that is sent as one JSON body. */
  protected abstract readonly statusOf: (reply: JsonObject) => number;

  /** Creates the stream of the responses, over the HTTP response unless the client has disconnected. */
  protected abstract newStream(response: HttpResponse | undefined, retryMs: number | undefined): EventStream;

  /** Accepts the response to one of the requests, and its text. Without them, that request gets no response (CANC-03). */
  answer(reply?: JsonObject, text?: string): void {
    if (text !== undefined) {
      if (this.#stream) void this.#stream.push(text);
      else this.#replies.push(text);
    }
    if (--this.pending > 0) return;
    if (this.#stream || this.#replies.length === 0) this.stream().end();
    else this.#reply(this.#isBatch ? undefined : reply);
    this.#end();
  }

  /** The stream of the messages before the last response. The first call opens it. */
  stream(retryMs?: number): EventStream {
    if (!this.#stream) {
      this.#stream = this.newStream(this.response, retryMs);
      for (const text of this.#replies) void this.#stream.push(text);
    } else if (retryMs !== undefined) this.#stream.prime(retryMs);
    return this.#stream;
  }

  /** Closes the connection (SSE-05). Later messages wait until the client reconnects. */
  release(retryMs: number | undefined): void {
    if (!this.ended) this.stream(retryMs ?? defaultRetry).release();
  }

  /** Turns a slow response into a stream, because proxies close silent connections (HTTP-47). */
  keepAlive(): void {
    if (this.#stream || (this.#isOld && this.response)) this.stream().keepAlive();
    this.#isOld = true;
  }

  /** Ends the response without an answer. */
  abandon(): void {
    if (this.#stream) this.#stream.end();
    else this.response?.reply(503);
    this.#end();
  }

  /** `reply` is the only response, unless the POST is a batch; its error sets the status. */
  #reply(reply: JsonObject | undefined): void {
    const body = this.#isBatch ? `[${this.#replies.join()}]` : this.#replies[0];
    let status = reply ? this.statusOf(reply) : 200;
    let headers = jsonHeaders;
    if (reply?.["error"] !== undefined) {
      const refused = refusalIn(reply["error"]);
      let more: HttpHeaders = {};
      if (isOutage(reply["error"])) [status, more] = [503, { "retry-after": "1" }];
      if (refused) ({ status, headers: more } = (this.response?.refuse ?? refuseWithout)(refused));
      headers = { ...jsonHeaders, ...more };
    }
    this.response?.reply(status, headers, body);
  }

  /** Drops the references of the POST, which itself may stay referenced for longer. */
  #end(): void {
    this.ended = true;
    this.response = undefined;
    this.#stream = undefined;
    this.#replies = [];
  }
}

const jsonHeaders: HttpHeaders = { "content-type": "application/json" };

/** What decides how the requests of a POST are read and counted. */
interface PostRules {
  readonly load: Load;
  readonly revision: Revision | undefined;
  /** Maximum number of messages in one batch; 100 by default. */
  readonly maxBatch: number | undefined;
  /** True if a request opens a stream of notifications; it then counts as a listener, not as a request. */
  readonly isListener?: boolean | undefined;
  /** True for the id of another request that is open. */
  isOpen?(id: RequestId): boolean;
}

/**
 * Counts the requests of a message, or of a batch if the revision has batches. Returns their ids; undefined if it rejected the POST, because
 * two open requests cannot have the same id (JRPC-03), or because of a limit.
 */
export function countRequests(
  body: ReadBody,
  response: HttpResponse,
  { load, revision, maxBatch = 100, isListener = false, isOpen }: PostRules,
): { readonly ids: readonly (RequestId | undefined)[]; readonly isBatch: boolean } | undefined {
  const { message } = body;
  const isBatch =
    revision?.batches === true && Array.isArray(message) && message.length > 0 && message.length <= maxBatch;
  const ids = isBatch
    ? (message as readonly unknown[]).filter(expectsAnswer).map(idOf)
    : expectsAnswer(message)
      ? [idOf(message)]
      : [];
  const repeated = ids.find((id, i) => id !== undefined && (ids.indexOf(id) < i || isOpen?.(id)));
  if (repeated !== undefined) return void replyError(response, 400, "The id is in use.", repeated);
  const count = ids.length;
  const full = count === 0 ? undefined : load.isClosed ? "all" : load.start(body, isListener, count);
  if (full) return void rejectOverLimit(response, full, isListener ? 10 : 1);
  return { ids, isBatch };
}

/** Acknowledges a POST without requests: with 202, or with 400 if one of its messages is not accepted (HTTP-05, HTTP-06). */
export function acknowledge(
  message: unknown,
  response: HttpResponse | undefined,
  revision: Revision | undefined,
): void {
  if ([message].flat().every(isAccepted)) return response?.reply(202);
  const text =
    "Expected a notification whose params are an object, or a response with one of result and error.";
  if (response) replyError(response, 400, text, revision?.idlessErrors ? undefined : null);
}

/** True for a notification or a response that this side accepts. */
function isAccepted(message: unknown): boolean {
  const { jsonrpc, method, params, result, error } = Object(message) as JsonObject;
  if (jsonrpc !== "2.0") return false;
  // Some peers write null for absent params.
  if (method !== undefined) return params === undefined || params === null || isObject(params);
  if (error === undefined) return isObject(result);
  return result === undefined && isObject(error) && isRpcError(error);
}

const isRpcError = ({ code, message }: JsonObject): boolean =>
  Number.isInteger(code) && typeof message === "string";

/** The response to a refused request without the option `protect`. */
const refuseWithout: NonNullable<HttpResponse["refuse"]> = ({ reason }) =>
  reason === undefined
    ? { status: 403, headers: {} }
    : { status: 401, headers: { "www-authenticate": "Bearer" } };

/** The id of a message, if it has a valid one. */
export const idOf = (message: unknown): RequestId | undefined =>
  isObject(message) && isId(message["id"]) ? message["id"] : undefined;

/** True if a message gets a response, perhaps an error: all but notifications and responses do. */
function expectsAnswer(message: unknown): boolean {
  if (!isObject(message)) return true;
  const { id, method, result, error } = message;
  if (method === undefined && (result !== undefined || error !== undefined)) return false;
  return id !== undefined || typeof method !== "string";
}

/** The HTTP status of a legacy response: 400 for invalid JSON-RPC (LIFE-07, HTTP-06, HTTP-21). */
export const legacyStatus = ({ error }: JsonObject): number =>
  isObject(error) &&
  (error["code"] === jsonRpcCodes.INVALID_REQUEST || error["code"] === jsonRpcCodes.PARSE_ERROR)
    ? 400
    : 200;
