import { TransportError } from "../../errors.js";
import type { RequestId } from "../../message.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import type { Revision } from "../../tables.js";
import type {
  MessageInfo,
  Receiver,
  SendOptions,
  Transport,
} from "../../ports/transport.js";
import type { HttpSharedSession } from "../../ports/http-cluster.js";
import type { HttpResponse } from "./exchange.js";
import type { Body, OpenWork } from "./open-work.js";
import {
  acknowledge,
  defaultRetry,
  openPost,
  type Post,
  type PostOwner,
} from "./post.js";
import { EventLog, type EventStore, EventStream } from "./stream.js";

/** What the sessions of an endpoint share. */
export interface SessionHost {
  readonly openWork: OpenWork;
  /** The events of all sessions, for clients that reconnect. */
  readonly events: EventStore;
  /** Warns that a client which reconnected has missed notifications. */
  warnOfGap(): void;
}

/**
 * One session: carries its messages over many HTTP requests, each message over
 * exactly one of them (HTTP-17).
 */
export class SessionTransport implements Transport, PostOwner {
  readonly carrier = "http";
  readonly endsWithAnswer = true;
  readonly openWork: OpenWork;
  readonly shared: HttpSharedSession | undefined;
  /**
   * The key of the client: see `callerOf` (SESS-08). One without credentials
   * gets the key of the first that it sends.
   */
  client: string | undefined;
  /**
   * True while only `initialize` was sent: the session may be ended to make
   * room for another, as one may that other processes have too.
   */
  isFresh = true;
  /** The time of the last use, in milliseconds. */
  lastUse = 0;
  /** Closes the server of the session. Set before the first message. */
  serving!: { close(): Promise<void> };
  /** The POSTs with open requests, by the ids of these requests. */
  readonly posts: Map<RequestId | undefined, Post> = new Map();
  readonly #host: SessionHost;
  /** Identifies the session in logs and traces. */
  readonly #key: string;
  /** Called when client and server have agreed on a revision. */
  readonly #onOpen: () => void;
  /** Keeps events for clients that reconnect. */
  readonly #log: EventLog;
  /** The streams that a client may resume, by name. */
  readonly #streams = new Map<string, EventStream>();
  /** For messages that belong to no request. */
  readonly #standalone: EventStream;
  receiver: Receiver | undefined;
  revision: Revision | undefined;
  /** The POST whose message is being delivered. */
  #current: Post | undefined;
  #count = 0;
  #isClosed = false;

  /**
   * `shared` is the session, if other processes have it too. `onOpen` is called
   * when client and server have agreed on a revision.
   */
  constructor(
    host: SessionHost,
    key: string,
    client: string | undefined,
    shared: HttpSharedSession | undefined,
    onOpen: () => void,
  ) {
    this.openWork = host.openWork;
    this.shared = shared;
    this.client = client;
    this.#host = host;
    this.#key = key;
    this.#onOpen = onOpen;
    this.#log = new EventLog(host.events, host.openWork.limits.bytes);
    this.#standalone = this.#stream();
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  useRevision(revision: Revision): void {
    this.revision = revision;
    this.#onOpen();
  }

  /** True if the client waits for a response or listens. */
  get isBusy(): boolean {
    if (this.#standalone.isConnected) return true;
    // A shared session that is not busy may be dropped at any time, so a client
    // that will resume counts.
    for (const post of this.posts.values())
      if (this.shared || post.isConnected) return true;
    return false;
  }

  /**
   * Receives the message of one POST (HTTP-05). If no part of it expects a
   * response, it is acknowledged.
   */
  post(body: Body, response: HttpResponse, { auth }: MessageInfo): void {
    if (this.#isClosed) return response.reply(404);
    const post = openPost(this, body, response);
    if (!post) return;
    const session = this.#key;
    const { ids } = post;
    for (const id of ids) this.posts.set(id, post);
    this.#current = post;
    const release = this.#isPrimed
      ? (retryMs?: number): void => post.release(retryMs)
      : undefined;
    this.receiver?.message(
      body.message,
      release ? { auth, session, release } : { auth, session },
    );
    this.#current = undefined;
    if (ids.length === 0) acknowledge(body.message, response, this.revision);
  }

  send(message: unknown, options?: SendOptions): Promise<void> | undefined {
    if (this.#isClosed) throw new TransportError("The connection is closed.");
    // Serialized first, because a message that is not JSON must not change any
    // state.
    const text = JSON.stringify(message);
    if (isObject(message) && message["method"] === undefined) {
      const id = (message["id"] ?? undefined) as RequestId | undefined;
      // A response goes over its own POST; one without an id over the POST that
      // is being read (HTTP-16).
      this.#answer(this.posts.get(id) ?? this.#current, id, message, text);
      return undefined;
    }
    return (
      this.posts.get(options?.inReplyTo)?.stream() ?? this.#standalone
    ).push(text);
  }

  drop(id: RequestId): void {
    this.#answer(this.posts.get(id), id);
  }

  /**
   * From now on, sends messages that belong to no request over this response
   * (HTTP-15).
   */
  listen(response: HttpResponse): void {
    this.#attach(this.#standalone, response);
  }

  /**
   * Continues a stream after an event (SSE-02, SSE-03). Returns false if that
   * is not possible.
   */
  resume(lastEventId: string, response: HttpResponse): boolean {
    const [, name = "", count] = /^(.+)-(\d{1,15})$/.exec(lastEventId) ?? [];
    const stream = this.#streams.get(name);
    if (!stream) return this.shared?.resume(lastEventId, response) ?? false;
    return this.#attach(stream, response, Number(count));
  }

  /** Ends the response that `listen` uses. The client may open another one. */
  hangUp(): void {
    this.#standalone.release();
  }

  keepAlive(): void {
    for (const post of new Set(this.posts.values())) post.keepAlive();
    this.#standalone.keepAlive();
    for (const [name, stream] of this.#streams)
      if (stream.expire()) this.#streams.delete(name);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    for (const stream of this.#streams.values())
      this.#announceReconnect(stream);
    this.#isClosed = true;
    const posts = new Set(this.posts.values());
    this.posts.clear();
    for (const post of posts) post.abandon();
    for (const stream of this.#streams.values()) stream.end();
    this.#log.clear();
    this.shared?.detach();
    this.receiver?.closed();
  }

  /** Creates the stream of the responses to a POST. */
  streamFor(
    { ids }: Post,
    response: HttpResponse | undefined,
    retryMs: number | undefined,
  ): EventStream {
    // A client cannot resume a stream of which it has received no event.
    if (!response) return new EventStream("", this.openWork);
    const stream = this.#stream(ids);
    stream.attach(response);
    if (this.#isPrimed) stream.prime(retryMs);
    return stream;
  }

  /**
   * Continues a stream over a response, with all events after the given one, or
   * those that were never sent. Returns false if events of a request are no
   * longer available.
   */
  #attach(
    stream: EventStream,
    response: HttpResponse,
    after?: number,
  ): boolean {
    this.#announceReconnect(stream);
    const isStandalone = stream === this.#standalone;
    const hasGap = !stream.attach(response, after);
    if (hasGap) {
      // A client needs the response to a request. Other messages it can do
      // without, but not without a stream.
      if (!isStandalone || !stream.skip(after)) return false;
      stream.attach(response);
    }
    if (this.#isPrimed && (hasGap || after === undefined)) stream.prime();
    if (!isStandalone) return true;
    if (this.shared) this.shared.listened(hasGap);
    else if (hasGap) this.#host.warnOfGap();
    return true;
  }

  /** True if each stream begins with an event id (SSE-04). */
  get #isPrimed(): boolean {
    return this.revision?.primedStreams === true;
  }

  /**
   * Sends the time before the client reconnects, before its connection is
   * closed on purpose (SSE-05).
   */
  #announceReconnect(stream: EventStream): void {
    if (this.#isPrimed && stream.isConnected && !stream.ended)
      stream.prime(defaultRetry);
  }

  #stream(ids?: readonly (RequestId | undefined)[]): EventStream {
    const streams = this.#streams;
    const name = this.shared?.streamName(ids) ?? String(this.#count++);
    const stream = new EventStream(name, this.openWork, this.#log);
    for (const [name, old] of streams) {
      if (streams.size < maxStreams) break;
      if (old.ended) streams.delete(name);
    }
    streams.set(name, stream);
    return stream;
  }

  #answer(
    post: Post | undefined,
    id: RequestId | undefined,
    reply?: JsonObject,
    text?: string,
  ): void {
    if (!post || post.ended) return;
    this.posts.delete(id);
    post.answer(reply, text);
  }
}

/** Maximum number of streams that a session remembers. */
const maxStreams = 100;
