import { TransportError } from "../../errors.js";
import { isId, isObject, type JsonObject, type RequestId } from "../../message.js";
import type { SessionBinding } from "../../transport/binding.js";
import type { Revision } from "../../tables.js";
import type { MessageInfo, Receiver, SendOptions, Transport } from "../../transport/transport.js";
import type { EventLog } from "./event-log.js";
import { type Load, type Taken, turnAway } from "./load.js";
import { Post, type PostHost, usualRetry } from "./post.js";
import { EventStream } from "./stream.js";
import { type HttpResponse, refuse } from "./exchange.js";

export interface CarrierOptions {
  readonly load: Load;
  /** Kept for clients that come back; without one nobody can. */
  readonly log?: EventLog | undefined;
  /** Who sends what is carried, as `callerOf` says. */
  readonly caller: string | undefined;
  /** The one request that is carried is counted among the listeners, and not among the requests. */
  readonly isListener?: boolean;
  /** Most messages in one batch; 100 by default. */
  readonly maxBatch?: number | undefined;
  /**
   * What is spoken by the one request that is carried. Absent for a session, which agrees on that first, and whose client can
   * be told what belongs to none of its requests.
   */
  readonly revision?: Revision;
  statusOf(reply: JsonObject): number;
  /** A revision has been agreed on. */
  onOpen?(): void;
  /** Everything that was asked has been answered. */
  onIdle?(): void;
}

/**
 * Carries the messages of one session over many HTTP requests, or those of a single one. HTTP-17: each message goes to
 * exactly one of them.
 */
export class HttpCarrier implements Transport, SessionBinding, PostHost {
  readonly endsWithAnswer = true;
  readonly statusOf: (reply: JsonObject) => number;
  readonly #options: CarrierOptions;
  readonly #posts = new Map<RequestId | undefined, Post>();
  /** Those that somebody may come back to. */
  readonly #streams: Map<string, EventStream> | undefined;
  #standalone: EventStream | undefined;
  #receiver: Receiver | undefined;
  #revision: Revision | undefined;
  #current: Post | undefined;
  #count = 0;
  #isClosed = false;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.#revision = options.revision;
    this.statusOf = options.statusOf;
    if (options.log) this.#streams = new Map();
    if (!options.revision) this.#standalone = this.#stream();
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  get binding(): SessionBinding {
    return this;
  }

  useRevision(revision: Revision): void {
    this.#revision = revision;
    this.#options.onOpen?.();
  }

  /** Is anybody there who waits or listens? */
  get isBusy(): boolean {
    if (this.#standalone?.isConnected) return true;
    for (const post of this.#posts.values()) if (post.isConnected) return true;
    return false;
  }

  /** HTTP-05: takes what one POST brought. The answer is 202 where nothing waits for one. */
  post(message: unknown, response: HttpResponse, info: MessageInfo): void {
    if (this.#isClosed) return response.reply(404);
    const isBatch = this.#isBatch(message);
    const ids = (isBatch ? message : [message]).filter(wantsAnswer).map(idOf);
    const taken = this.#taken(ids);
    // JRPC-03: an answer to the second would be taken for one to the first.
    if (taken !== undefined) return refuse(response, 400, "The id is in use.", taken);
    const { load, isListener } = this.#options;
    const post = new Post(this, ids.length, isBatch, response);
    if (ids.length > 0) {
      const taken = this.#takenBy(post);
      const full = load.isClosed ? "all" : load.fullFor(taken);
      if (full) {
        turnAway(response, full, isListener ? 10 : 1);
        if (this.#posts.size === 0) this.#options.onIdle?.();
        return;
      }
      load.take(taken);
    }
    for (const id of ids) this.#posts.set(id, post);
    if (this.#endsWithClient) response.onGone = this.#gone;
    // It may have gone while somebody looked who it is.
    if (this.#isClosed) return;
    const release = (retryMs?: number): void => post.release(retryMs);
    const given = this.#isPrimed ? { auth: info.auth, release } : info;
    this.#current = post;
    this.#receiver?.message(message, given);
    this.#current = undefined;
    if (ids.length > 0) return;
    response.reply(202);
    if (this.#posts.size === 0) this.#options.onIdle?.();
  }

  send(message: unknown, options?: SendOptions): Promise<void> | undefined {
    if (this.#isClosed) throw new TransportError("The connection is closed.");
    // What cannot be said must not change anything.
    const text = JSON.stringify(message);
    if (isObject(message) && message["method"] === undefined) {
      const id = (message["id"] ?? undefined) as RequestId | undefined;
      // HTTP-16: an answer goes nowhere else; one to what could not be read belongs to what is being read.
      this.#answer(this.#posts.get(id) ?? this.#current, id, message, text);
      return undefined;
    }
    const stream = this.#posts.get(options?.inReplyTo)?.stream() ?? this.#standalone;
    if (!stream) throw new TransportError("There is no way back to this client.");
    return stream.push(text);
  }

  drop(id: RequestId): void {
    this.#answer(this.#posts.get(id), id);
  }

  /** HTTP-15: what belongs to no request goes here from now on. */
  listen(response: HttpResponse): void {
    const stream = this.#standalone as EventStream;
    this.#part(stream);
    if (!stream.attach(response)) {
      this.#streams?.delete(stream.name);
      this.#standalone = this.#stream();
      this.#standalone.attach(response);
    }
    if (this.#isPrimed) this.#standalone?.prime();
  }

  /** SSE-02, SSE-03: goes on after an event of one stream; false when that cannot be done. */
  resume(lastEventId: string, response: HttpResponse): boolean {
    const [, name = "", count] = /^(\d+)-(\d{1,15})$/.exec(lastEventId) ?? [];
    const stream = this.#streams?.get(name);
    if (!stream) return false;
    this.#part(stream);
    return stream.attach(response, Number(count));
  }

  keepAlive(): void {
    for (const post of new Set(this.#posts.values())) post.keepAlive();
    this.#standalone?.keepAlive();
    for (const [name, stream] of this.#streams ?? []) if (stream.isForgotten()) this.#streams?.delete(name);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    for (const stream of this.#streams?.values() ?? []) this.#part(stream);
    // Whoever still waits learns that there will be no answer.
    for (const post of this.#forgetAll()) post.abandon();
    for (const stream of this.#streams?.values() ?? []) stream.end();
    this.#standalone?.end();
    this.#options.log?.clear();
    this.#receiver?.closed();
  }

  newStream(response: HttpResponse | undefined, retryMs: number | undefined): EventStream {
    // Nobody comes back to a stream of which nothing was ever seen.
    if (!response) return new EventStream("", this.#options.load);
    const stream = this.#stream();
    if (this.#endsWithClient) stream.onGone = this.#gone;
    stream.attach(response);
    if (this.#isPrimed) stream.prime(retryMs);
    return stream;
  }

  /** Does a client that goes away want no answer any more? HTTP-20, HTTP-45 */
  get #endsWithClient(): boolean {
    return this.#revision?.opening === "per-request";
  }

  /** Does each stream begin with an id? SSE-04 */
  get #isPrimed(): boolean {
    return this.#revision?.primedStreams === true && this.#options.log !== undefined;
  }

  /** SSE-05: says when to come back, before a connection is closed on purpose. */
  #part(stream: EventStream): void {
    if (this.#isPrimed && stream.isConnected && !stream.over) stream.prime(usualRetry);
  }

  #isBatch(message: unknown): message is readonly unknown[] {
    const { maxBatch = 100 } = this.#options;
    return (
      this.#revision?.batches === true &&
      Array.isArray(message) &&
      message.length > 0 &&
      message.length <= maxBatch
    );
  }

  #taken(ids: readonly (RequestId | undefined)[]): RequestId | undefined {
    return ids.find((id, at) => id !== undefined && (this.#posts.has(id) || ids.indexOf(id) < at));
  }

  #stream(): EventStream {
    const { load, log } = this.#options;
    const streams = this.#streams;
    const stream = new EventStream(String(this.#count++), load, log);
    if (!streams) return stream;
    for (const [name, old] of streams) {
      if (streams.size < maxStreams) break;
      if (old.over) streams.delete(name);
    }
    streams.set(stream.name, stream);
    return stream;
  }

  #answer(post: Post | undefined, id: RequestId | undefined, reply?: JsonObject, text?: string): void {
    if (!post || post.over) return;
    this.#posts.delete(id);
    post.answer(reply, text);
    this.#options.load.take({ ...this.#takenBy(post), count: 1, bytes: post.over ? post.bytes : 0 }, -1);
    if (!post.over) return;
    if (this.#posts.size === 0) this.#options.onIdle?.();
  }

  /** What a POST counts for in the load of the endpoint. */
  #takenBy({ waiting, bytes }: Post): Taken {
    const { caller, isListener = false } = this.#options;
    return { isListener, caller, count: waiting, bytes };
  }

  #forgetAll(): Set<Post> {
    this.#isClosed = true;
    const posts = new Set(this.#posts.values());
    for (const post of posts) this.#options.load.take(this.#takenBy(post), -1);
    this.#posts.clear();
    return posts;
  }

  #gone = (): void => {
    if (this.#isClosed) return;
    this.#forgetAll();
    this.#receiver?.closed(new TransportError("The client went away."));
    this.#options.onIdle?.();
  };
}

/** Most streams that a session remembers. */
const maxStreams = 100;

/** The id of a message, where it has a good one. */
export const idOf = (message: unknown): RequestId | undefined =>
  isObject(message) && isId(message["id"]) ? message["id"] : undefined;

/** Everything but notifications and responses is answered, if only by an error. */
function wantsAnswer(message: unknown): boolean {
  if (!isObject(message)) return true;
  const { id, method, result, error } = message;
  if (method === undefined && (result !== undefined || error !== undefined)) return false;
  return id !== undefined || typeof method !== "string";
}
