import { TransportError, ValidationError } from "../../errors.js";
import { IdMap, isId, type RequestId } from "../../message.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import { onAbort, withTimeout } from "../../../../common/timing.js";
import type { Revision } from "../../tables.js";
import { encodedHeaders } from "../param-headers.js";
import { toolHeaders } from "./header-policy.js";
import type {
  Receiver,
  SendOptions,
  Transport,
  HeaderPolicy,
  Renewal,
} from "../../ports/transport.js";
import { startOnce } from "../start-once.js";
import { parseAddress } from "../address.js";
import {
  HttpRequester,
  type Deliveries,
  deliveriesOf,
  type HttpClientOptions,
} from "./requester.js";
import { sse } from "./sse.js";
import { HttpClientSession, renewal, type RenewalHost } from "./session.js";
import { listening, type ListeningHost, Stream } from "./stream.js";
import type { Drop } from "./requests.js";
import {
  hasOwnError,
  isMaybeSse,
  lostSessionError,
  responseError,
  type ResponseReader,
  speaksOfSession,
} from "./response-reader.js";

/**
 * Connects to a server over Streamable HTTP, or over HTTP+SSE if the server
 * supports nothing else (COMPAT-16). Sends nothing before the first message of
 * the client.
 *
 * @throws TypeError if the URL is not an http or https URL, or its login is not
 *   percent-encoded UTF-8.
 */
export function http(
  url: string | URL,
  options: HttpClientOptions = {},
): Transport {
  return new HttpTransport(parseAddress(url), options);
}

/**
 * The maximum wait (ms) for a server to accept a message that expects no
 * response.
 */
const acceptTime = 60_000;
/**
 * The maximum wait (ms) for a server to name the URL for messages, when the
 * client tries HTTP+SSE.
 */
const endpointTime = 10_000;
/**
 * The maximum wait (ms) for a server to reject requests of a session that it
 * has lost.
 */
const rejectionTime = 1000;

/**
 * The UTF-8 bytes of a text, each as the character with that code, which is
 * what a header can hold.
 */
const bytesOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) =>
    String.fromCharCode(byte),
  ).join("");

class HttpTransport implements Transport, ListeningHost, RenewalHost {
  readonly carrier = "http";
  readonly #session = new HttpClientSession();
  // Over HTTP+SSE the members that are optional are absent: no header repeats a
  // part of a message, and the stream is the session.
  answersEach?: true = true;
  headerPolicy?: HeaderPolicy = toolHeaders();
  renewal?: Renewal = renewal(this.#session, this);
  readonly address: string;
  readonly options: HttpClientOptions;
  readonly #url: URL;
  readonly #requester: HttpRequester;
  /** The requests without a response yet. */
  readonly #calls = new IdMap<Stream>();
  readonly #deliveries: Deliveries;
  #receiver!: Receiver;
  readonly #listening = listening(this);
  /** The transport to a server that supports only HTTP+SSE. */
  #sse: Transport | undefined;
  /** The same, before the server has named the URL for messages. */
  #candidate: Transport | undefined;
  #closed: Promise<void> | undefined;
  /** True if the server has sent a message. */
  #hasAnswered = false;

  #forgetSignal: (() => void) | undefined;

  readonly #onAbort = (): void => void this.close();

  constructor(url: URL, options: HttpClientOptions) {
    this.#url = url;
    this.options = options;
    this.#requester = new HttpRequester(url, options, () => this.#receiver);
    this.address = this.#requester.address;
    this.#deliveries = deliveriesOf(this.#requester, acceptTime);
  }

  start(receiver: Receiver): void {
    startOnce(this);
    const { signal } = this.options;
    signal?.throwIfAborted();
    if (signal) this.#forgetSignal = onAbort(signal, this.#onAbort);
    this.#receiver = receiver;
  }

  send(message: unknown, options: SendOptions = {}): Promise<void> | void {
    if (this.#closed) throw new TransportError("The connection is closed.");
    if (this.#sse) return this.#sse.send(message, options);
    const body = JSON.stringify(message);
    const { id, method } = isObject(message) ? message : ({} as JsonObject);
    if (this.#session.isLost) throw lostSessionError(this.address, 404);
    if (method !== undefined && isId(id)) return this.#call(id, body, options);
    const { cancelled } = this.#requester.revision?.wellKnown ?? {};
    const isOrdered = method === undefined || method !== cancelled;
    const delivery = this.#post(body, options, isOrdered);
    if (method !== undefined) return delivery.then(() => this.#listen());
    // A response or a batch: no caller waits for it.
    delivery.catch((error: Error) => this.#receiver.report?.(error));
  }

  useRevision(revision: Revision, isAgreed: boolean): void {
    this.#requester.revision = revision;
    this.#session.useRevision(revision, isAgreed);
  }

  get capabilities(): JsonObject | undefined {
    return this.#requester.authorization?.capabilities;
  }

  caller(): ReturnType<HttpRequester["userHeaders"]> {
    this.#requester.identify();
    return this.#requester.userHeaders();
  }

  cancel?: (id: RequestId) => void = (id) => this.#calls.take(id)?.drop();

  reconnect(): Transport {
    return http(this.#url, this.options);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#sse?.close() ?? this.#shutDown());
  }

  get resumes(): boolean {
    return this.#session.isLegacy;
  }

  post(
    body: string,
    { headers, caller, isSafe }: SendOptions,
    stream: Stream,
  ): Drop {
    const all = { ...this.#session.headers, ...encodedHeaders(headers) };
    const request = {
      method: "POST",
      headers: all,
      body,
      isSafe,
      isUncounted: !stream.isCall,
    } as const;
    return this.#requester.request(request, stream, undefined, caller);
  }

  /**
   * Opens the stream of messages of the server, or resumes a stream (HTTP-14).
   */
  get(lastEventId: string | undefined, stream: Stream): Drop {
    const { "content-type": _, ...headers } = this.#session.headers;
    const resume =
      lastEventId === undefined
        ? {}
        : { "last-event-id": bytesOf(lastEventId) };
    const all = { ...headers, accept: "text/event-stream", ...resume };
    return this.#requester.request(
      { method: "GET", headers: all, isUncounted: !stream.isCall },
      stream,
    );
  }

  message(value: unknown): void {
    this.#hasAnswered = true;
    const isBatch = this.#session.batches && Array.isArray(value);
    for (const one of isBatch ? (value as unknown[]) : [value]) {
      const {
        id: messageId,
        method,
        result,
        error,
      } = isObject(one) ? one : ({} as JsonObject);
      if (method !== undefined || (result === undefined && error === undefined))
        continue;
      const call = this.#calls.take(messageId as RequestId);
      if (!call) continue;
      call.onAnswer();
      if (result === undefined) continue;
      call.use.session.hasAnswered = true;
      this.#listen();
    }
    this.#receiver.message(value);
  }

  malformed(error: Error): void {
    this.#receiver.malformed(error);
  }

  #call(id: RequestId, body: string, options: SendOptions): void {
    const session = this.#session;
    const isOpening = session.isLegacy && !session.isAgreed;
    const end = isOpening
      ? performance.now() + (options.timeout ?? Infinity)
      : 0;
    const call = new Stream(this, {
      id,
      session: session.current,
      head: isOpening ? (_, header) => session.enter(header) : undefined,
      end: (response, error) => {
        if (this.#calls.get(id) !== call) return;
        this.#calls.take(id);
        // A request that the server accepted may have run, so it must not be
        // repeated.
        if (this.losesSession(response, call))
          this.#lost(
            id,
            lostSessionError(
              this.address,
              call.isAccepted ? undefined : response.status,
            ),
          );
        else if (isOpening && !error && isMaybeSse(response))
          void this.#fallBack(id, response, end);
        else
          this.#unanswered(
            id,
            response,
            error,
            call.use.session.id !== undefined,
          );
      },
    });
    this.#calls.set(id, call);
    call.post(body, options);
  }

  /**
   * Sends a message without an answer. Resolves when the server has accepted
   * it.
   */
  #post(body: string, options: SendOptions, isOrdered: boolean): Promise<void> {
    return this.#deliveries.add(({ head, end }) => {
      const stream = new Stream(this, {
        session: this.#session.current,
        // Nothing waits for a body, unless requests are among the messages of a
        // batch.
        ignore: body.startsWith("[")
          ? undefined
          : () =>
              this.malformed(
                new ValidationError(
                  "The response to a message other than a request has a body.",
                ),
              ),
        head,
        end: (response, error) => {
          const isLost = this.losesSession(response, stream);
          end(
            response,
            isLost ? lostSessionError(this.address, response.status) : error,
          );
        },
      });
      stream.post(body, options);
      return () => stream.drop();
    }, isOrdered);
  }

  /**
   * Rejects a call whose response is not an answer (HTTP-46, HTTP-50, SSE-11).
   */
  #unanswered(
    id: RequestId,
    response: ResponseReader,
    error?: Error | undefined,
    hasSession?: boolean,
  ): void {
    if (!error && hasOwnError(response, this.#hasAnswered))
      this.#receiver.message({ ...(response.errorBody as JsonObject), id });
    else
      this.#lost(id, responseError(this.address, response, error, hasSession));
  }

  #lost(id: RequestId, error: Error): void {
    this.#receiver.lost?.(id, error);
  }

  /**
   * Opens the stream of messages that belong to no request (HTTP-14, HTTP-15).
   */
  #listen(): void {
    const { isLegacy, isAgreed, current } = this.#session;
    if (isLegacy && isAgreed && !this.#closed && !this.#sse)
      this.#listening.open(current);
  }

  /**
   * True if a response says that the session is gone, whose open requests then
   * fail (SESS-05, SESS-09).
   */
  losesSession(
    response: ResponseReader,
    { isGet, use: { session } }: Stream,
  ): boolean {
    // The server may have no route for GET.
    if (session.id === undefined || (isGet && !session.hasStreams))
      return false;
    const { status } = response;
    if (
      status !== 404 &&
      status !== 410 &&
      !(session.hasAnswered && speaksOfSession(response))
    )
      return false;
    if (session === this.#session.current) {
      this.#session.forget();
      this.#listening.close();
      const error = lostSessionError(this.address);
      this.#drop(
        error,
        (call) => call.use.session === session && call.isAccepted,
      );
      // The server rejects requests that it has not accepted yet. Those without
      // a response in time are rejected here.
      setTimeout(
        () => this.#drop(error, (call) => call.use.session === session),
        rejectionTime,
      );
    }
    return true;
  }

  warn(text: string): void {
    this.#receiver.warn?.(text);
  }

  fail(error: Error): Promise<void> {
    this.#receiver.closed(error);
    return this.close();
  }

  #drop(error: Error, isLost: (call: Stream) => boolean): void {
    for (const id of this.#calls.ids()) {
      const call = this.#calls.get(id);
      if (!call || !isLost(call)) continue;
      this.#calls.take(id);
      call.drop();
      this.#lost(id, error);
    }
  }

  /**
   * Changes to HTTP+SSE, and rejects the call: the client opens its session
   * again, because the server may support other revisions there. If the server
   * does not support HTTP+SSE, the first response rejects the call (COMPAT-16),
   * before the call ends by itself at `end`.
   */
  async #fallBack(
    id: RequestId,
    response: ResponseReader,
    end: number,
  ): Promise<void> {
    const transport = (this.#candidate = sse(this.#url, this.options));
    try {
      const time = Math.min(endpointTime, (end - performance.now()) / 2);
      const starting = Promise.resolve(transport.start(this.#receiver)).then(
        () => true,
      );
      if (!(await withTimeout(time, starting, () => this.#receiver.isPaused)))
        return await transport.close();
      this.#requester.authorization?.close();
      this.#sse = transport;
      this.#forgetSignal?.();
      delete this.answersEach;
      delete this.headerPolicy;
      delete this.renewal;
      delete this.cancel;
      this.#lost(
        id,
        new TransportError(`${this.address} now expects HTTP+SSE.`),
      );
    } catch {
      // The first answer says more.
    } finally {
      this.#candidate = undefined;
      if (!this.#sse) this.#unanswered(id, response);
    }
  }

  async #shutDown(): Promise<void> {
    const { shutdownTime = 1000 } = this.options;
    this.#forgetSignal?.();
    const error = new TransportError("The connection is closed.", {
      mayHaveRun: true,
    });
    void this.#candidate?.close();
    this.#listening.close();
    this.#drop(error, () => true);
    // Ending a session must not start a sign-in.
    this.#requester.authorization?.close();
    await this.#deliveries.idle(shutdownTime);
    this.#deliveries.drop(error);
    // Ends the session on the server (SESS-07).
    if (this.#session.current.id !== undefined) {
      const { headers } = this.#session;
      let drop: Drop | undefined;
      const ended = new Promise<void>((resolve) => {
        const handler = {
          message: () => {},
          onError: () => {},
          end: () => resolve(),
        };
        drop = this.#requester.request(
          { method: "DELETE", headers, isUncounted: true },
          handler,
        );
      });
      await withTimeout(shutdownTime, ended);
      drop?.();
    }
    this.#requester.close();
    this.#receiver?.closed();
  }
}
