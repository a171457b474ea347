import { Connection } from "../../jsonrpc/connection.js";
import { ServerDispatcher } from "../../jsonrpc/dispatcher.js";
import { jsonRpcCodes, replyOf, TransportError } from "../../errors.js";
import { idOf, metaOf, type RequestId } from "../../message.js";
import {
  getOwn,
  isObject,
  type JsonObject,
} from "../../../../common/object.js";
import type {
  ServerEngineSession,
  ServerSessionConfig,
} from "../../session/config.js";
import { withTimeout } from "../../../../common/timing.js";
import type { Revision } from "../../tables.js";
import type {
  Receiver,
  SendOptions,
  Transport,
} from "../../ports/transport.js";
import { endWithToken } from "./access.js";
import {
  type AdmittedRequest,
  type DisconnectListener,
  type HttpHeaders,
  type HttpResponse,
  replyError,
  rejectOverLimit,
} from "./exchange.js";
import type { Body, OpenWork } from "./open-work.js";
import { EventStream } from "./stream.js";

/**
 * The time after which clients reconnect to a stream that the server closed on
 * purpose, in milliseconds (SSE-05).
 */
export const defaultRetry = 1000;

/** What the requests of a POST belong to: a session, or this POST alone. */
export interface PostOwner {
  readonly openWork: OpenWork;
  /** The revision, once client and server have agreed on it. */
  readonly revision: Revision | undefined;
  /** Receives the messages. */
  readonly receiver: Receiver | undefined;
  /** The ids of the other requests that are open. */
  readonly posts?: { has(id: RequestId): boolean };
  /**
   * Creates the stream of the responses, over the HTTP response unless the
   * client has disconnected.
   */
  streamFor(
    post: Post,
    response: HttpResponse | undefined,
    retryMs: number | undefined,
  ): EventStream;
  /** Called when all requests of the POST are answered, or none will be. */
  ended?(): void;
}

/**
 * The requests of one POST and their responses: one JSON body if no other
 * message is sent before, else a stream that ends with the last response
 * (HTTP-07, HTTP-18, HTTP-19, HTTP-43, HTTP-44).
 */
export class Post implements DisconnectListener {
  /** True once every request is answered. */
  ended = false;
  readonly body: Body;
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
    body: Body,
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

  /**
   * Accepts the response to one of the requests, and its text. Without them,
   * that request gets no response (CANC-03).
   */
  answer(reply?: JsonObject, text?: string): undefined {
    if (this.ended) return;
    const isLast = this.body.count <= 1;
    if (
      isLast &&
      !this.#isBatch &&
      !this.#stream &&
      reply &&
      text !== undefined
    )
      this.#reply(text, reply);
    else {
      if (text !== undefined)
        void (this.#stream ?? (this.#replies ??= [])).push(text);
      if (isLast && (this.#stream || !this.#replies)) this.stream().end();
      else if (isLast) this.#reply(`[${this.#replies?.join()}]`);
    }
    this.#owner.openWork.endOne(this.body);
    if (isLast) this.#end();
  }

  /**
   * The stream of the messages before the last response. The first call opens
   * it.
   */
  stream(retryMs?: number): EventStream {
    if (!this.#stream) {
      this.#stream = this.#owner.streamFor(this, this.#response, retryMs);
      for (const text of this.#replies ?? []) void this.#stream.push(text);
    } else if (retryMs !== undefined) this.#stream.prime(retryMs);
    return this.#stream;
  }

  /**
   * Closes the connection (SSE-05). Later messages wait until the client
   * reconnects.
   */
  release(retryMs: number | undefined): void {
    if (!this.ended) this.stream(retryMs ?? defaultRetry).release();
  }

  /**
   * Turns a slow response into a stream, because proxies close silent
   * connections (HTTP-47).
   */
  keepAlive(): void {
    if (this.#stream || (this.#isOld && this.#response))
      this.stream().keepAlive();
    this.#isOld = true;
  }

  /** Ends the response without an answer. */
  abandon(): void {
    this.#owner.openWork.endAll(this.body);
    if (this.#stream) this.#stream.end();
    else this.#response?.reply(503);
    this.#end();
  }

  /**
   * Sends the responses as one body. `answer` is the only one, unless the POST
   * is a batch; its error sets the status.
   */
  #reply(text: string, answer?: JsonObject): void {
    const response = this.#response;
    const error = answer?.["error"];
    if (error === undefined) return response?.reply(200, jsonHeaders, text);
    const own = replyOf(error);
    const refusal = own?.refused && response?.refuse?.(own.refused);
    const status = statusOf(error, this.#owner.revision, this.body.message);
    const reply = refusal ?? own ?? { status, headers: {} };
    response?.reply(reply.status, { ...jsonHeaders, ...reply.headers }, text);
  }

  /**
   * Drops the references of the POST, which itself may stay referenced for
   * longer.
   */
  #end(): void {
    this.ended = true;
    this.#response = this.#stream = this.#replies = undefined;
    this.#owner.ended?.();
  }
}

const jsonHeaders: HttpHeaders = { "content-type": "application/json" };

/**
 * Counts the requests of a message, or of a batch if the revision has batches.
 * Returns their POST; undefined if it was rejected, because two open requests
 * cannot have the same id (JRPC-03), or because of a limit. `isListener` is
 * true for a request that opens a stream of notifications, which counts as a
 * listener and not as a request.
 */
export function openPost(
  owner: PostOwner,
  body: Body,
  response: HttpResponse,
  isListener = false,
): Post | undefined {
  const { message } = body;
  const { openWork } = owner;
  const isBatch =
    Array.isArray(message) && owner.receiver?.isBatch?.(message) === true;
  const single = expectsAnswer(message) ? [idOf(message)] : [];
  const ids = isBatch ? message.filter(expectsAnswer).map(idOf) : single;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    if (id !== undefined && (ids.indexOf(id) < i || owner.posts?.has(id)))
      return void replyError(response, 400, "The id is in use.", id);
  }
  const count = ids.length;
  const full =
    count &&
    (openWork.isClosed
      ? "all"
      : openWork.countRequests(body, isListener, count));
  if (full) return void rejectOverLimit(response, full, isListener ? 10 : 1);
  return new Post(owner, body, ids, isBatch, response);
}

/**
 * Acknowledges a POST without requests: with 202, or with 400 if one of its
 * messages is not accepted (HTTP-05, HTTP-06).
 */
export function acknowledge(
  message: unknown,
  response: HttpResponse,
  revision: Revision | undefined,
): void {
  if ([message].flat().every(isAccepted)) return response.reply(202);
  const text =
    "Expected a notification whose params are an object, or a response with one of result and error.";
  replyError(response, 400, text, revision?.idlessErrors ? undefined : null);
}

/** True for a notification or a response that this side accepts. */
function isAccepted(message: unknown): boolean {
  const { jsonrpc, method, params, result, error } = Object(
    message,
  ) as JsonObject;
  if (jsonrpc !== "2.0") return false;
  // Some peers write null for absent params.
  if (method !== undefined)
    return params === undefined || params === null || isObject(params);
  if (error === undefined) return isObject(result);
  return result === undefined && isObject(error) && isRpcError(error);
}

const isRpcError = ({ code, message }: JsonObject): boolean =>
  Number.isInteger(code) && typeof message === "string";

/**
 * True if a message gets a response, perhaps an error: all but notifications
 * and responses do.
 */
function expectsAnswer(message: unknown): boolean {
  if (!isObject(message)) return true;
  const { id, method, result, error } = message;
  if (method === undefined && (result !== undefined || error !== undefined))
    return false;
  return id !== undefined || typeof method !== "string";
}

/**
 * The HTTP status of an error that is sent as one JSON body, in answer to a
 * message.
 */
function statusOf(
  error: unknown,
  revision: Revision | undefined,
  message: unknown,
): number {
  const { code } = Object(error) as { readonly code: number };
  // Invalid JSON-RPC (LIFE-07, HTTP-06, HTTP-21).
  if (
    code === jsonRpcCodes.INVALID_REQUEST ||
    code === jsonRpcCodes.PARSE_ERROR
  )
    return 400;
  if (
    revision?.opening !== "per-request" ||
    code === jsonRpcCodes.INTERNAL_ERROR
  )
    return 200;
  if (code === jsonRpcCodes.METHOD_NOT_FOUND) return 404;
  const { errors, meta } = revision;
  // All other errors that a modern revision defines have 400 (HTTP-48,
  // HTTP-49).
  if (code !== jsonRpcCodes.INVALID_PARAMS)
    return Object.values(errors).includes(code) ? 400 : 200;
  // The params of a request without its metadata are invalid as a whole
  // (META-01).
  const sentMeta = metaOf(Object(message).params);
  const hasVersion = typeof getOwn(sentMeta, meta.protocolVersion) === "string";
  return hasVersion && isObject(getOwn(sentMeta, meta.clientCapabilities))
    ? 200
    : 400;
}

/** The POSTs that belong to no session and are not answered yet. */
export class StatelessRequests {
  /**
   * An array: a Map that churns promotes dead entries to V8's old generation.
   */
  readonly #open: StatelessTransport[] = [];
  readonly #supported: readonly string[];
  readonly openWork: OpenWork;
  #onEmpty: (() => void) | undefined;

  /** `supported` are the revisions that the URL serves. */
  constructor(supported: readonly string[], openWork: OpenWork) {
    this.#supported = supported;
    this.openWork = openWork;
  }

  /**
   * Answers the message or batch of one POST in a session of its own, which
   * lasts as long as the POST.
   */
  serve(
    core: ServerSessionConfig,
    body: Body,
    admitted: AdmittedRequest,
  ): void {
    const { request, response, auth } = admitted;
    const { message } = body;
    const { side, settings } = core;
    const { idlessErrors, opening, wellKnown } = side.revision;
    const transport = new StatelessTransport(this, core);
    const connection = new Connection(transport, settings);
    connection.rules = side.revision;
    transport.receiver = connection;
    const dispatcher = new ServerDispatcher(connection, settings);
    const session = side.engine(core, dispatcher, this.#supported);
    dispatcher.answerer = session;
    connection.notifications = session;
    const error = session.headerError?.(request, message);
    const { method } = Object(message) as JsonObject;
    if (error) {
      const id =
        typeof method === "string"
          ? idOf(message)
          : idlessErrors
            ? undefined
            : null;
      return replyError(
        response,
        400,
        error.message,
        id,
        error.code,
        error.data,
      );
    }
    // A request that opens a stream of notifications.
    const isListener = method !== undefined && method === wellKnown.listen;
    const post = openPost(transport, body, response, isListener);
    if (!post) return;
    transport.post = post;
    // Only listeners receive announcements without a session.
    if (isListener && body.isStarted) {
      core.sessions.add(session);
      transport.listener = session;
      endWithToken(admitted);
    }
    transport.index = this.#open.push(transport) - 1;
    const isStateless = opening === "initialize";
    // A modern client that disconnects cancels its request (HTTP-20, HTTP-45),
    // perhaps while `authenticate` ran.
    if (!isStateless) response.onDisconnect = transport;
    if (transport.isClosed) return;
    connection.message(message, isStateless ? { auth, isStateless } : { auth });
    if (body.isStarted) return;
    acknowledge(message, response, side.revision);
    transport.ended();
  }

  keepAlive(): void {
    // A post that ends here leaves the list.
    for (const { post } of this.#open.slice()) post.keepAlive();
  }

  /**
   * Ends streams of notifications, which would otherwise stay open. Other
   * requests may finish within this time, in milliseconds.
   */
  async drain(time: number): Promise<void> {
    for (const { listener } of this.#open.slice()) listener?.endStreams?.();
    if (this.#open.length > 0)
      await withTimeout(
        time,
        new Promise<void>((done) => (this.#onEmpty = done)),
      );
    await Promise.all(this.#open.slice().map((one) => one.close()));
  }

  delete(transport: StatelessTransport): void {
    const { index } = transport;
    if (this.#open[index] !== transport) return;
    const last = this.#open.pop() as StatelessTransport;
    if (this.#open.length === 0) this.#onEmpty?.();
    if (last === transport) return;
    last.index = index;
    this.#open[index] = last;
  }
}

/**
 * The transport of the messages and responses of one POST without a session.
 */
class StatelessTransport implements Transport, PostOwner, DisconnectListener {
  readonly carrier = "http";
  /** All messages for a request go over the response to its POST. */
  readonly endsWithAnswer = true;
  readonly openWork: OpenWork;
  readonly revision: Revision;
  /** The index in the list of open POSTs. */
  index = -1;
  /** Set before the message is delivered. */
  post!: Post;
  receiver: Receiver | undefined;
  /** The session, if it listens to announcements. */
  listener: ServerEngineSession | undefined;
  isClosed = false;
  readonly #requests: StatelessRequests;
  readonly #core: ServerSessionConfig;

  constructor(requests: StatelessRequests, core: ServerSessionConfig) {
    this.openWork = requests.openWork;
    this.revision = core.side.revision;
    this.#requests = requests;
    this.#core = core;
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  send(message: unknown, options?: SendOptions): Promise<void> | undefined {
    if (this.isClosed) throw new TransportError("The connection is closed.");
    // Serialized first, because a message that is not JSON must not change any
    // state.
    const text = JSON.stringify(message);
    if (isObject(message) && message["method"] === undefined)
      return this.post.answer(message, text);
    if (this.post.ended || options?.inReplyTo === undefined) {
      throw new TransportError(
        "Without a session, a message cannot be sent to this client.",
      );
    }
    return this.post.stream().push(text);
  }

  drop(): void {
    this.post.answer();
  }

  async close(reason?: Error): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.post.abandon();
    this.receiver?.closed(reason);
  }

  streamFor(_: Post, response: HttpResponse | undefined): EventStream {
    const stream = new EventStream("", this.openWork);
    if (!response) return stream;
    if (this.revision.opening === "per-request") stream.onDisconnect = this;
    stream.attach(response);
    return stream;
  }

  disconnected(): void {
    this.post.disconnected();
    void this.close(new TransportError("The client disconnected."));
  }

  ended(): void {
    if (this.listener) this.#core.sessions.delete(this.listener);
    this.#requests.delete(this);
  }
}
