import { Connection } from "../../jsonrpc/connection.js";
import { ServerDispatcher } from "../../jsonrpc/dispatcher.js";
import { TransportError } from "../../errors.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import type { ServerEngineSession, ServerSessionConfig } from "../../session/config.js";
import { within } from "../../../../common/timing.js";
import type { Revision } from "../../tables.js";
import type { Receiver, SendOptions, Transport } from "../../ports/transport.js";
import { type AdmittedRequest, type DisconnectListener, type HttpResponse, replyError } from "./exchange.js";
import { endWithToken } from "./access.js";
import type { ReadBody } from "./body.js";
import type { Load } from "./load.js";
import { acknowledge, idOf, openPost, type Post, type PostOwner } from "./post.js";
import { EventStream } from "./stream.js";

/** The POSTs that belong to no session and are not answered yet. */
export class StatelessRequests {
  /** An array: a Map that churns promotes dead entries to V8's old generation. */
  readonly #open: StatelessTransport[] = [];
  readonly #supported: readonly string[];
  readonly load: Load;
  #onEmpty: (() => void) | undefined;

  /** `supported` are the revisions that the URL serves. */
  constructor(supported: readonly string[], load: Load) {
    this.#supported = supported;
    this.load = load;
  }

  get size(): number {
    return this.#open.length;
  }

  /** Answers the message or batch of one POST in a session of its own, which lasts as long as the POST. */
  serve(core: ServerSessionConfig, body: ReadBody, admitted: AdmittedRequest): void {
    const { request, response, auth } = admitted;
    const { message } = body;
    const { side, settings } = core;
    const { idlessErrors, opening, wellKnown } = side.revision;
    const transport = new StatelessTransport(this, core);
    const connection = new Connection(transport, settings);
    connection.adopt(side.revision);
    transport.receiver = connection;
    const dispatcher = new ServerDispatcher(connection, settings);
    const session = side.engine(core, dispatcher, this.#supported);
    dispatcher.answerer = session;
    connection.notifications = session;
    const error = session.headerError?.(request, message);
    const { method } = Object(message) as JsonObject;
    if (error) {
      const id = typeof method === "string" ? idOf(message) : idlessErrors ? undefined : null;
      return replyError(response, 400, error.message, id, error.code, error.data);
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
    // A modern client that disconnects cancels its request (HTTP-20, HTTP-45), perhaps while `authenticate` ran.
    if (!isStateless) response.onDisconnect = transport;
    if (transport.isClosed) return;
    connection.message(message, isStateless ? { auth, isStateless } : { auth });
    if (body.isStarted) return;
    acknowledge(message, response, side.revision);
    transport.remove();
  }

  keepAlive(): void {
    // A post that ends here leaves the list.
    for (const { post } of this.#open.slice()) post.keepAlive();
  }

  /** Ends streams of notifications, which would otherwise stay open. Other requests may finish within this time, in milliseconds. */
  async drain(time: number): Promise<void> {
    for (const { listener } of this.#open.slice()) listener?.finish?.();
    if (this.size > 0) await within(time, new Promise<void>((resolve) => (this.#onEmpty = resolve)));
    await Promise.all(this.#open.slice().map((one) => one.close()));
  }

  delete(transport: StatelessTransport): void {
    const { index } = transport;
    if (this.#open[index] !== transport) return;
    const last = this.#open.pop() as StatelessTransport;
    if (this.size === 0) this.#onEmpty?.();
    if (last === transport) return;
    last.index = index;
    this.#open[index] = last;
  }
}

/** The transport of the messages and responses of one POST without a session. */
class StatelessTransport implements Transport, PostOwner, DisconnectListener {
  readonly carrier = "http";
  /** All messages for a request go over the response to its POST. */
  readonly endsWithAnswer = true;
  readonly load: Load;
  readonly revision: Revision;
  readonly maxBatch: number | undefined;
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
    this.load = requests.load;
    this.revision = core.side.revision;
    this.maxBatch = core.settings.limits?.batch;
    this.#requests = requests;
    this.#core = core;
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  send(message: unknown, options?: SendOptions): Promise<void> | undefined {
    if (this.isClosed) throw new TransportError("The connection is closed.");
    // Serialized first, because a message that is not JSON must not change any state.
    const text = JSON.stringify(message);
    if (isObject(message) && message["method"] === undefined) {
      this.#answer(message, text);
      return undefined;
    }
    if (this.post.ended || options?.inReplyTo === undefined) {
      throw new TransportError("Without a session, a message cannot be sent to this client.");
    }
    return this.post.stream().push(text);
  }

  drop(): void {
    this.#answer();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.#release();
    this.post.abandon();
    this.receiver?.closed();
  }

  streamFor(_: Post, response: HttpResponse | undefined): EventStream {
    const stream = new EventStream("", this.load);
    if (!response) return stream;
    if (this.revision.opening === "per-request") stream.onDisconnect = this;
    stream.attach(response);
    return stream;
  }

  disconnected(): void {
    if (this.isClosed) return;
    this.#release();
    this.receiver?.closed(new TransportError("The client disconnected."));
  }

  remove(): void {
    if (this.listener) this.#core.sessions.delete(this.listener);
    this.#requests.delete(this);
  }

  #answer(reply?: JsonObject, text?: string): void {
    if (this.post.ended) return;
    this.post.answer(reply, text);
    if (this.post.ended) this.remove();
  }

  /** Stops counting the open requests. */
  #release(): void {
    this.isClosed = true;
    this.load.end(this.post.body);
    this.remove();
  }
}
