import { jsonRpcCodes } from "../../errors.js";
import { isId, isObject, type JsonObject, type RequestId } from "../../message.js";
import type { Revision } from "../../tables.js";
import type { HttpResponse } from "./exchange.js";
import type { EventStream } from "./stream.js";

/** The time after which clients return to a stream that was closed on purpose, in milliseconds. SSE-05 */
export const defaultRetry = 1000;

/**
 * The requests of one POST and the answer to them: one JSON body if nothing is sent before it, else a stream that ends with the
 * last answer. HTTP-07, HTTP-18, HTTP-19, HTTP-43, HTTP-44
 */
export abstract class Post {
  /** Everything was answered. */
  over = false;
  /** The length of the body, in bytes. */
  readonly bytes: number;
  /** The number of requests that are not answered yet. */
  waiting: number;
  /** Undefined once the client is gone. */
  protected response: HttpResponse | undefined;
  readonly #isBatch: boolean;
  #replies: string[] = [];
  #stream: EventStream | undefined;
  /** The last keep-alive came after this POST. */
  #isOld = false;

  constructor(count: number, isBatch: boolean, response: HttpResponse) {
    this.waiting = count;
    this.#isBatch = isBatch;
    this.response = response;
    this.bytes = response.bytes;
    const leave = (): void => void (this.response = undefined);
    response.onGone = leave;
  }

  get isConnected(): boolean {
    return this.#stream?.isConnected ?? this.response !== undefined;
  }

  /** The HTTP status of an answer that is sent as one JSON body. */
  protected abstract readonly statusOf: (reply: JsonObject) => number;

  /** Makes the stream of the answer, over the response unless the client is gone. */
  protected abstract newStream(response: HttpResponse | undefined, retryMs: number | undefined): EventStream;

  /** Takes the answer to one of the requests, and its text. Without them, that request gets no answer (CANC-03). */
  answer(reply?: JsonObject, text?: string): void {
    if (text !== undefined) {
      if (this.#stream) void this.#stream.push(text);
      else this.#replies.push(text);
    }
    if (--this.waiting > 0) return;
    if (this.#stream || this.#replies.length === 0) this.stream().end();
    else this.#reply(this.#isBatch || !reply ? 200 : this.statusOf(reply));
    this.#end();
  }

  /** The stream of what is sent before the last answer. The first call opens it. */
  stream(retryMs?: number): EventStream {
    if (!this.#stream) {
      this.#stream = this.newStream(this.response, retryMs);
      for (const text of this.#replies) void this.#stream.push(text);
    } else if (retryMs !== undefined) this.#stream.prime(retryMs);
    return this.#stream;
  }

  /** Closes the connection (SSE-05). What is sent from now on waits for the client to return. */
  release(retryMs: number | undefined): void {
    if (!this.over) this.stream(retryMs ?? defaultRetry).release();
  }

  /** Turns a slow answer into a stream, since proxies end connections that stay silent. HTTP-47 */
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

  #reply(status: number): void {
    const body = this.#isBatch ? `[${this.#replies.join()}]` : this.#replies[0];
    this.response?.reply(status, { "content-type": "application/json" }, body);
  }

  /** Frees what the POST refers to, for as long as something still refers to the POST. */
  #end(): void {
    this.over = true;
    this.response = undefined;
    this.#stream = undefined;
    this.#replies = [];
  }
}

/** The messages of a batch, if the revision has batches; undefined for anything else, which is then one message. */
export function batchOf(
  message: unknown,
  revision: Revision | undefined,
  maxBatch = 100,
): readonly unknown[] | undefined {
  const isBatch =
    revision?.batches === true && Array.isArray(message) && message.length > 0 && message.length <= maxBatch;
  return isBatch ? (message as readonly unknown[]) : undefined;
}

/** The id of a message, if it has a valid one. */
export const idOf = (message: unknown): RequestId | undefined =>
  isObject(message) && isId(message["id"]) ? message["id"] : undefined;

/** An id that two of the messages have. */
export function repeatedId(messages: readonly unknown[]): RequestId | undefined {
  if (messages.length < 2) return undefined;
  const ids = messages.map(idOf);
  return ids.find((id, i) => id !== undefined && ids.indexOf(id) < i);
}

/** Whether a message gets an answer, if only an error: all but notifications and responses do. */
export function expectsAnswer(message: unknown): boolean {
  if (!isObject(message)) return true;
  const { id, method, result, error } = message;
  if (method === undefined && (result !== undefined || error !== undefined)) return false;
  return id !== undefined || typeof method !== "string";
}

/** The HTTP status of a legacy answer: 400 for invalid JSON-RPC. LIFE-07, HTTP-06, HTTP-21 */
export const legacyStatus = ({ error }: JsonObject): number =>
  isObject(error) &&
  (error["code"] === jsonRpcCodes.INVALID_REQUEST || error["code"] === jsonRpcCodes.PARSE_ERROR)
    ? 400
    : 200;
