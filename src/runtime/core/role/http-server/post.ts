import { isOutage, jsonRpcCodes, refusalIn } from "../../errors.js";
import { isId, metaOf, type RequestId } from "../../message.js";
import { getOwn, isObject, type JsonObject } from "../../../../common/object.js";
import type { Revision } from "../../tables.js";
import type { ReadBody } from "./body.js";
import { type DisconnectListener, type HttpHeaders, type HttpResponse, replyError } from "./exchange.js";
import { type Load, rejectOverLimit } from "./load.js";
import type { EventStream } from "./stream.js";

/** The time after which clients reconnect to a stream that the server closed on purpose, in milliseconds (SSE-05). */
export const defaultRetry = 1000;

/** What the requests of a POST belong to: a session, or this POST alone. */
export interface PostOwner {
  readonly load: Load;
  /** The revision, once client and server have agreed on it. */
  readonly revision: Revision | undefined;
  /** Maximum number of messages in one batch; 100 by default. */
  readonly maxBatch?: number | undefined;
  /** The ids of the other requests that are open. */
  readonly posts?: { has(id: RequestId): boolean };
  /** Creates the stream of the responses, over the HTTP response unless the client has disconnected. */
  streamFor(post: Post, response: HttpResponse | undefined, retryMs: number | undefined): EventStream;
}

/**
 * The requests of one POST and their responses: one JSON body if no other message is sent before, else a stream that ends with the
 * last response (HTTP-07, HTTP-18, HTTP-19, HTTP-43, HTTP-44).
 */
export class Post implements DisconnectListener {
  /** True once every request is answered. */
  ended = false;
  readonly body: ReadBody;
  /** The ids of the requests. */
  readonly ids: readonly (RequestId | undefined)[];
  readonly #owner: PostOwner;
  /** Undefined once the client has disconnected. */
  #response: HttpResponse | undefined;
  readonly #isBatch: boolean;
  /** The responses that are to be sent together. */
  #replies: string[] | undefined;
  #stream: EventStream | undefined;
  /** True if a keep-alive was due since this POST arrived. */
  #isOld = false;

  constructor(
    owner: PostOwner,
    body: ReadBody,
    ids: readonly (RequestId | undefined)[],
    isBatch: boolean,
    response: HttpResponse,
  ) {
    this.#owner = owner;
    this.body = body;
    this.ids = ids;
    this.#isBatch = isBatch;
    this.#response = response;
    response.onDisconnect = this;
  }

  disconnected(): void {
    this.#response = undefined;
  }

  get isConnected(): boolean {
    return this.#stream?.isConnected ?? this.#response !== undefined;
  }

  /** Accepts the response to one of the requests, and its text. Without them, that request gets no response (CANC-03). */
  answer(reply?: JsonObject, text?: string): void {
    const isLast = this.body.count <= 1;
    if (isLast && !this.#isBatch && !this.#stream && reply && text !== undefined) this.#reply(text, reply);
    else {
      if (text !== undefined) this.#add(text);
      if (isLast && (this.#stream || !this.#replies)) this.stream().end();
      else if (isLast) this.#reply(`[${this.#replies?.join()}]`);
    }
    this.#owner.load.release(this.body);
    if (isLast) this.#end();
  }

  #add(text: string): void {
    if (this.#stream) void this.#stream.push(text);
    else (this.#replies ??= []).push(text);
  }

  /** The stream of the messages before the last response. The first call opens it. */
  stream(retryMs?: number): EventStream {
    if (!this.#stream) {
      this.#stream = this.#owner.streamFor(this, this.#response, retryMs);
      for (const text of this.#replies ?? []) void this.#stream.push(text);
    } else if (retryMs !== undefined) this.#stream.prime(retryMs);
    return this.#stream;
  }

  /** Closes the connection (SSE-05). Later messages wait until the client reconnects. */
  release(retryMs: number | undefined): void {
    if (!this.ended) this.stream(retryMs ?? defaultRetry).release();
  }

  /** Turns a slow response into a stream, because proxies close silent connections (HTTP-47). */
  keepAlive(): void {
    if (this.#stream || (this.#isOld && this.#response)) this.stream().keepAlive();
    this.#isOld = true;
  }

  /** Ends the response without an answer. */
  abandon(): void {
    this.#owner.load.end(this.body);
    if (this.#stream) this.#stream.end();
    else this.#response?.reply(503);
    this.#end();
  }

  /** Sends the responses as one body. `reply` is the only one, unless the POST is a batch; its error sets the status. */
  #reply(text: string, reply?: JsonObject): void {
    const response = this.#response;
    const error = reply?.["error"];
    if (error === undefined) return response?.reply(200, jsonHeaders, text);
    let status = statusOf(error, this.#owner.revision, this.body.message);
    let headers: HttpHeaders = {};
    const refused = refusalIn(error);
    if (isOutage(error)) [status, headers] = [503, { "retry-after": "1" }];
    if (refused) ({ status, headers } = (response?.refuse ?? refuseWithout)(refused));
    response?.reply(status, { ...jsonHeaders, ...headers }, text);
  }

  /** Drops the references of the POST, which itself may stay referenced for longer. */
  #end(): void {
    this.ended = true;
    this.#response = this.#stream = this.#replies = undefined;
  }
}

const jsonHeaders: HttpHeaders = { "content-type": "application/json" };

/**
 * Counts the requests of a message, or of a batch if the revision has batches. Returns their POST; undefined if it was rejected, because
 * two open requests cannot have the same id (JRPC-03), or because of a limit. `isListener` is true for a request that opens a stream of
 * notifications, which counts as a listener and not as a request.
 */
export function openPost(
  owner: PostOwner,
  body: ReadBody,
  response: HttpResponse,
  isListener = false,
): Post | undefined {
  const { message } = body;
  const { load, revision, maxBatch = 100 } = owner;
  const isBatch =
    revision?.batches === true && Array.isArray(message) && message.length > 0 && message.length <= maxBatch;
  const single = expectsAnswer(message) ? [idOf(message)] : [];
  const ids = isBatch ? (message as readonly unknown[]).filter(expectsAnswer).map(idOf) : single;
  const repeated = ids.find((id, i) => id !== undefined && (ids.indexOf(id) < i || owner.posts?.has(id)));
  if (repeated !== undefined) return void replyError(response, 400, "The id is in use.", repeated);
  const count = ids.length;
  const full = count === 0 ? undefined : load.isClosed ? "all" : load.start(body, isListener, count);
  if (full) return void rejectOverLimit(response, full, isListener ? 10 : 1);
  return new Post(owner, body, ids, isBatch, response);
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

/** The statuses of error codes that JSON-RPC defines. Those that it does not name have 200. */
const legacyStatuses: Statuses = {
  // Invalid JSON-RPC (LIFE-07, HTTP-06, HTTP-21).
  [jsonRpcCodes.INVALID_REQUEST]: 400,
  [jsonRpcCodes.PARSE_ERROR]: 400,
};
/** The same in modern revisions, in which all other errors that they define have 400 (HTTP-48, HTTP-49). */
const modernStatuses: Statuses = { [jsonRpcCodes.METHOD_NOT_FOUND]: 404, [jsonRpcCodes.INTERNAL_ERROR]: 200 };
type Statuses = Readonly<Record<number, number | undefined>>;

/** The HTTP status of an error that is sent as one JSON body, in answer to a message. */
function statusOf(error: unknown, revision: Revision | undefined, message: unknown): number {
  const { code } = Object(error) as { readonly code: number };
  if (revision?.opening !== "per-request") return legacyStatuses[code] ?? 200;
  const { errors, meta } = revision;
  // The params of a request without its metadata are invalid as a whole (META-01).
  const sentMeta = metaOf(Object(message).params);
  const isComplete =
    typeof getOwn(sentMeta, meta.protocolVersion) === "string" &&
    isObject(getOwn(sentMeta, meta.clientCapabilities));
  if (code === jsonRpcCodes.INVALID_PARAMS && isComplete) return 200;
  return modernStatuses[code] ?? (Object.values(errors).includes(code) ? 400 : 200);
}
