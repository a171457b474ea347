import { Connection } from "../../jsonrpc/connection.js";
import { ServerDispatcher } from "../../jsonrpc/dispatcher.js";
import { TransportError } from "../../errors.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import type { ServerEngineSession, ServerSessionConfig } from "../../session/config.js";
import { within } from "../../../../common/timing.js";
import type { MessageInfo, Receiver, SendOptions, Transport } from "../../ports/transport.js";
import type { AdmittedRequest, HttpResponse } from "./exchange.js";
import { endWithToken } from "./access.js";
import type { ReadBody } from "./body.js";
import type { Load } from "./load.js";
import { acknowledge, countRequests, Post } from "./post.js";
import { EventStream } from "./stream.js";

/** Options for answering the message of a POST. */
export interface StatelessOptions {
  /** The HTTP status of a response that is sent as one JSON body. */
  statusOf(reply: JsonObject): number;
  /** True if the request opens a stream of notifications; it then counts as a listener, not as a request. */
  readonly isListener?: boolean;
}

/** The POSTs that belong to no session and are not answered yet. */
export class StatelessRequests {
  /** An array: a Map that churns promotes dead entries to V8's old generation. */
  readonly #open: StatelessPost[] = [];
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

  /** Answers the message or batch of one POST in a session of its own. */
  serve(
    core: ServerSessionConfig,
    body: ReadBody,
    admitted: AdmittedRequest,
    options: StatelessOptions,
  ): void {
    const { response, auth } = admitted;
    const { message } = body;
    const { side, settings } = core;
    const maxBatch = settings.limits?.batch;
    const { isListener } = options;
    const rules = { load: this.load, revision: side.revision, maxBatch, isListener };
    const counted = countRequests(body, response, rules);
    if (!counted) return;
    const { ids, isBatch } = counted;
    const post = new StatelessPost(this, core, options, body, ids, isBatch, response);
    const connection = new Connection(post, settings);
    connection.adopt(side.revision);
    const dispatcher = new ServerDispatcher(connection, settings);
    // The session lasts as long as this POST.
    const session = side.engine(core, dispatcher, this.#supported);
    dispatcher.answerer = session;
    connection.notifications = session;
    // Only listeners receive announcements without a session.
    if (isListener && ids.length > 0) {
      core.sessions.add(session);
      post.listener = session;
      endWithToken(admitted);
    }
    post.index = this.#open.push(post) - 1;
    post.start(connection);
    const isStateless = side.revision.opening === "initialize";
    post.deliver(message, response, isStateless ? { auth, isStateless } : { auth });
  }

  keepAlive(): void {
    // A post that ends here leaves the list.
    for (const post of this.#open.slice()) post.keepAlive();
  }

  /** Ends streams of notifications, which would otherwise stay open. Other requests may finish within this time, in milliseconds. */
  async drain(time: number): Promise<void> {
    for (const post of this.#open.slice()) post.finish();
    if (this.size > 0) await within(time, new Promise<void>((resolve) => (this.#onEmpty = resolve)));
    await Promise.all(this.#open.slice().map((post) => post.close()));
  }

  delete(post: StatelessPost): void {
    if (this.#open[post.index] !== post) return;
    const last = this.#open.pop() as StatelessPost;
    if (this.size === 0) this.#onEmpty?.();
    if (last === post) return;
    last.index = post.index;
    this.#open[post.index] = last;
  }
}

/** One POST without a session: the transport of its messages and responses. */
class StatelessPost extends Post implements Transport {
  readonly carrier = "http";
  /** All messages for a request go over the response to its POST. */
  readonly endsWithAnswer = true;
  /** The index in the list of open POSTs. */
  index = -1;
  protected readonly statusOf: (reply: JsonObject) => number;
  readonly #requests: StatelessRequests;
  readonly #core: ServerSessionConfig;
  /** The session, if it listens to announcements. */
  listener: ServerEngineSession | undefined;
  #receiver: Receiver | undefined;
  #isClosed = false;

  constructor(
    requests: StatelessRequests,
    core: ServerSessionConfig,
    { statusOf }: StatelessOptions,
    ...post: ConstructorParameters<typeof Post>
  ) {
    super(...post);
    this.#requests = requests;
    this.#core = core;
    this.statusOf = statusOf;
  }

  /** Passes the message to the session. If no part of it expects a response, it is acknowledged. */
  deliver(message: unknown, response: HttpResponse, info: MessageInfo): void {
    // A modern client that disconnects cancels its request (HTTP-20, HTTP-45), perhaps while `authenticate` ran.
    if (this.#core.side.revision.opening === "per-request") response.onDisconnect = this.#onDisconnect;
    if (this.#isClosed) return;
    this.#receiver?.message(message, info);
    if (this.ticket.isStarted) return;
    acknowledge(message, this.response, this.#core.side.revision);
    this.#remove();
  }

  finish(): void {
    this.listener?.finish?.();
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(message: unknown, options?: SendOptions): Promise<void> | undefined {
    if (this.#isClosed) throw new TransportError("The connection is closed.");
    // Serialized first, because a message that is not JSON must not change any state.
    const text = JSON.stringify(message);
    if (isObject(message) && message["method"] === undefined) {
      this.#answer(message, text);
      return undefined;
    }
    if (this.ended || options?.inReplyTo === undefined) {
      throw new TransportError("Without a session, a message cannot be sent to this client.");
    }
    return this.stream().push(text);
  }

  drop(): void {
    this.#answer();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#release();
    this.abandon();
    this.#receiver?.closed();
  }

  protected newStream(response: HttpResponse | undefined): EventStream {
    const stream = new EventStream("", this.#requests.load);
    if (!response) return stream;
    if (this.#core.side.revision.opening === "per-request") stream.onDisconnect = this.#onDisconnect;
    stream.attach(response);
    return stream;
  }

  #answer(reply?: JsonObject, text?: string): void {
    if (this.ended) return;
    this.answer(reply, text);
    this.#requests.load.release(this.ticket);
    if (this.ended) this.#remove();
  }

  #onDisconnect = (): void => {
    if (this.#isClosed) return;
    this.#release();
    this.#receiver?.closed(new TransportError("The client disconnected."));
  };

  /** Stops counting the open requests. */
  #release(): void {
    this.#isClosed = true;
    this.#requests.load.end(this.ticket);
    this.#remove();
  }

  #remove(): void {
    if (this.listener) this.#core.sessions.delete(this.listener);
    this.#requests.delete(this);
  }
}
