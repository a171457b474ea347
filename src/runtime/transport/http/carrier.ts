import { isId, isObject, jsonRpcCodes, type JsonObject, TransportError } from "../../index.js";
import type { Revision } from "../../tables.js";
import type { MessageInfo, Receiver, RequestId, SendOptions, Transport } from "../transport.js";
import type { EventLog } from "./log.js";
import { Post, type PostHost } from "./post.js";
import { EventStream } from "./stream.js";
import type { HttpHeaders, HttpResponse } from "./wire.js";

export interface CarrierOptions {
  /** Kept for clients that come back; without one nobody can. */
  readonly log?: EventLog | undefined;
  /** Headers of every answer. */
  readonly headers: HttpHeaders;
  /** Most that may wait for a slow client on one stream before its connection is cut, in bytes. */
  readonly maxWaitingBytes: number;
  /** Can the client be told what belongs to none of its requests? */
  readonly hasStandalone: boolean;
  /** Does a client that goes away want no answer any more? HTTP-20, HTTP-45 */
  readonly endsWithClient?: boolean;
  statusOf(reply: JsonObject): number;
  /** Everything that was asked has been answered. */
  onIdle?(): void;
}

/**
 * Carries the messages of one session over many HTTP requests, or those of a single one. HTTP-17: each message goes to
 * exactly one of them.
 */
export class HttpCarrier implements Transport, PostHost {
  readonly headers: HttpHeaders;
  readonly statusOf: (reply: JsonObject) => number;
  readonly #options: CarrierOptions;
  readonly #posts = new Map<RequestId | undefined, Post>();
  readonly #streams = new Map<string, EventStream>();
  #standalone: EventStream | undefined;
  #receiver: Receiver | undefined;
  /** Does each stream begin with an id? SSE-04 */
  #isPrimed = false;
  #current: Post | undefined;
  #count = 0;
  #isClosed = false;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.headers = options.headers;
    this.statusOf = options.statusOf;
    if (options.hasStandalone) this.#standalone = this.#stream();
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  speak({ headers }: Revision): void {
    this.#isPrimed = headers.resume !== undefined && this.#options.log !== undefined;
  }

  /** Is anything being answered or listened to? */
  get isBusy(): boolean {
    return this.#posts.size > 0 || this.#standalone?.isConnected === true;
  }

  /** HTTP-05: takes what one POST brought. The answer is 202 where nothing waits for one. */
  post(message: unknown, response: HttpResponse, info: MessageInfo): void {
    const isBatch = Array.isArray(message) && message.length > 0;
    const ids = (isBatch ? (message as unknown[]) : [message]).filter(wantsAnswer).map(idOf);
    const taken = ids.find((id) => id !== undefined && this.#posts.has(id));
    if (taken !== undefined) {
      // JRPC-03: an answer to the second would be taken for one to the first.
      const error = { code: jsonRpcCodes.INVALID_REQUEST, message: "The id is in use." };
      return response.reply(400, jsonHeaders, JSON.stringify({ jsonrpc: "2.0", id: taken, error }));
    }
    const post = new Post(this, ids, isBatch, response);
    for (const id of ids) this.#posts.set(id, post);
    if (this.#options.endsWithClient) response.onGone = this.#gone;
    const given = this.#isPrimed ? { ...info, release: (retryMs?: number) => post.release(retryMs) } : info;
    this.#current = post;
    this.#receiver?.message(message, given);
    this.#current = undefined;
    if (ids.length > 0) return;
    response.reply(202, this.headers);
    if (!this.isBusy) this.#options.onIdle?.();
  }

  send(message: unknown, options?: SendOptions): Promise<void> | undefined {
    if (this.#isClosed) throw new TransportError("The connection is closed.");
    const isReply = isObject(message) && message["method"] === undefined;
    const id = isReply ? ((message["id"] ?? undefined) as RequestId | undefined) : options?.inReplyTo;
    // An answer to what could not be read belongs to what is being read.
    const post = this.#posts.get(id) ?? (isReply ? this.#current : undefined);
    if (isReply && post) return this.#answer(post, id, message);
    const stream = post?.stream() ?? this.#standalone;
    if (!stream) throw new TransportError("There is no way back to this client.");
    return stream.push(message);
  }

  /** HTTP-15: what belongs to no request goes here from now on. */
  listen(response: HttpResponse): void {
    const stream = this.#standalone as EventStream;
    if (!stream.attach(response, this.headers)) {
      this.#streams.delete(stream.name);
      this.#standalone = this.#stream();
      this.#standalone.attach(response, this.headers);
    }
    if (this.#isPrimed) this.#standalone?.prime(undefined);
  }

  /** SSE-02, SSE-03: goes on after an event of one stream; false when that cannot be done. */
  resume(lastEventId: string, response: HttpResponse): boolean {
    const [, name = "", count] = /^(\d+)-(\d{1,15})$/.exec(lastEventId) ?? [];
    return this.#streams.get(name)?.attach(response, this.headers, Number(count)) ?? false;
  }

  keepAlive(): void {
    for (const post of new Set(this.#posts.values())) post.keepAlive();
    this.#standalone?.keepAlive();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of this.#streams.values()) stream.end();
    // Whoever still waits learns that there will be no answer.
    for (const post of new Set(this.#posts.values())) post.abandon();
    this.#posts.clear();
    this.#receiver?.closed();
  }

  newStream(response: HttpResponse | undefined, retryMs: number | undefined): EventStream {
    const stream = this.#stream();
    if (this.#options.endsWithClient) stream.onGone = this.#gone;
    if (response) stream.attach(response, this.headers);
    if (this.#isPrimed) stream.prime(retryMs);
    return stream;
  }

  #stream(): EventStream {
    const { maxWaitingBytes, log } = this.#options;
    for (const [name, old] of this.#streams) {
      if (this.#streams.size < maxStreams) break;
      if (old.over) this.#streams.delete(name);
    }
    const stream = new EventStream(String(this.#count++), maxWaitingBytes, log);
    this.#streams.set(stream.name, stream);
    return stream;
  }

  #answer(post: Post, id: RequestId | undefined, message: JsonObject): undefined {
    this.#posts.delete(id);
    if (post.answer(message, id) && this.#posts.size === 0) this.#options.onIdle?.();
  }

  #gone = (): void => {
    this.#receiver?.closed(new TransportError("The client went away."));
    this.#options.onIdle?.();
  };
}

/** Most streams that a session remembers. */
const maxStreams = 100;

const jsonHeaders: HttpHeaders = { "content-type": "application/json" };

const idOf = (message: unknown): RequestId | undefined =>
  isObject(message) && isId(message["id"]) ? message["id"] : undefined;

/** Everything but notifications and responses is answered, if only by an error. */
function wantsAnswer(message: unknown): boolean {
  if (!isObject(message)) return true;
  const { id, method, result, error } = message;
  if (method === undefined && (result !== undefined || error !== undefined)) return false;
  return id !== undefined || typeof method !== "string";
}
