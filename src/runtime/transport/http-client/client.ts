import { TimeoutError, TransportError } from "../../errors.js";
import { isId, isObject, type JsonObject, type RequestId } from "../../message.js";
import { within } from "../../timing.js";
import type { Revision } from "../../tables.js";
import { encodeHeader } from "../param-headers.js";
import { ToolHeaders } from "./header-policy.js";
import type { Receiver, SendOptions, Transport } from "../transport.js";
import type { CallerHeaders, SessionBinding } from "../binding.js";
import { Asker } from "./attempt.js";
import { failureOf, isOld, sessionLost, speaksForItself } from "./failures.js";
import type { HttpClientOptions } from "./options.js";
import { Queue } from "./queue.js";
import { sse } from "./sse.js";
import { SessionRenewal } from "./renewal.js";
import { ClientSession } from "./session.js";
import { Stream, type StreamHost } from "./stream.js";
import type { Drop } from "./requests.js";
import type { Reader, Reading } from "./response-reader.js";

/**
 * A server at a URL, over Streamable HTTP; one that only knows the older HTTP+SSE is spoken to in that way (COMPAT-16). Nothing is
 * sent before the client has something to say.
 */
export function http(url: string | URL, options: HttpClientOptions = {}): Transport {
  return new HttpTransport(new URL(url), options);
}

type Headers = Readonly<Record<string, string>>;

/** How long a server may take to accept what it does not answer, in milliseconds. */
const takingTime = 60_000;
/** How long a server may take to refuse what belongs to a session that it has forgotten, in milliseconds. */
const refusalTime = 1000;

class HttpTransport implements Transport, SessionBinding, StreamHost {
  readonly answersEach = true;
  readonly headerPolicy: ToolHeaders = new ToolHeaders();
  readonly renewal: SessionRenewal = new SessionRenewal();
  readonly address: string;
  readonly options: HttpClientOptions;
  readonly #url: URL;
  readonly #asker: Asker;
  readonly #session = new ClientSession();
  /** Requests whose answers are awaited. */
  readonly #calls = new Map<RequestId, Stream>();
  /** What is not answered goes one after the other. */
  readonly #queue = new Queue();
  /** How to give up what is under way and not answered. */
  readonly #told = new Set<(error: Error) => void>();
  #receiver!: Receiver;
  #listening: Stream | undefined;
  #old: Transport | undefined;
  #closed: Promise<void> | undefined;
  /** Has the server sent a message? */
  #hasAnswered = false;

  constructor(url: URL, options: HttpClientOptions) {
    this.#url = url;
    this.options = options;
    this.#asker = new Asker(url, options, () => this.#receiver.renewed?.());
    this.address = this.#asker.place;
  }

  start(receiver: Receiver): void {
    const { signal } = this.options;
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => void this.close(), { once: true });
    this.#receiver = receiver;
  }

  send(message: unknown, options: SendOptions = {}): Promise<void> | void {
    if (this.#closed) throw new TransportError("The connection is closed.");
    if (this.#old) return this.#old.send(message, options);
    const body = JSON.stringify(message);
    const { id, method } = isObject(message) ? message : ({} as JsonObject);
    if (this.#session.isForgotten) throw sessionLost(this.address, 404);
    if (method !== undefined && isId(id)) return this.#call(id, body, options);
    const sent = this.#queue.add(() => this.#tell(body, options.headers));
    if (method !== undefined) return sent.then(() => this.#listen());
    // An answer of ours, or several messages: nobody waits for what becomes of them.
    sent.catch((error: Error) => this.fault(error));
  }

  get binding(): SessionBinding {
    return this;
  }

  useRevision(revision: Revision, isAgreed: boolean): void {
    this.#session.useRevision(revision, isAgreed);
  }

  caller(): CallerHeaders | Promise<CallerHeaders> {
    return this.#asker.given();
  }

  cancel(id: RequestId): void {
    if (this.#old) return this.#old.cancel?.(id);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.drop();
  }

  again(): Transport {
    return http(this.#url, this.options);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#old?.close() ?? this.#shutDown());
  }

  get resumes(): boolean {
    return this.#session.isLegacy;
  }

  post(body: string, headers: Headers | undefined, reader: Reader, caller?: CallerHeaders): Drop {
    const all = { ...this.#session.headers, ...encoded(headers) };
    return this.#asker.ask({ method: "POST", headers: all, body }, reader, undefined, caller);
  }

  /** HTTP-14 */
  get(lastEventId: string | undefined, reader: Reader): Drop {
    const { "content-type": _, ...headers } = this.#session.headers;
    const resume = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const all = { ...headers, accept: "text/event-stream", ...resume };
    return this.#asker.ask({ method: "GET", headers: all }, reader);
  }

  message(value: unknown): void {
    this.#hasAnswered = true;
    const isBatch = this.#session.batches && Array.isArray(value);
    for (const one of isBatch ? (value as unknown[]) : [value]) {
      const { id: of, method, result, error } = isObject(one) ? one : ({} as JsonObject);
      if (method !== undefined || (result === undefined && error === undefined)) continue;
      const id = of as RequestId;
      this.#calls.get(id)?.answered();
      this.#calls.delete(id);
    }
    this.#receiver.message(value);
  }

  fault(error: Error): void {
    this.#receiver.report?.(error);
  }

  #call(id: RequestId, body: string, { headers, caller }: SendOptions): void {
    const session = this.#session;
    const isOpening = session.isLegacy && !session.isAgreed;
    const { id: used } = session;
    const call = new Stream(this, {
      id,
      session: used,
      head: isOpening ? (_, header) => session.enter(header) : undefined,
      end: (reading, error) => {
        if (this.#calls.get(id) !== call) return;
        this.#calls.delete(id);
        // What was taken once may have been carried out.
        if (this.#isForgotten(reading, used))
          this.#lost(id, sessionLost(this.address, call.isTaken ? undefined : 404));
        else if (isOpening && !error && isOld(reading)) void this.#fallBack(id, body, reading);
        else this.#unanswered(id, reading, error);
      },
    });
    this.#calls.set(id, call);
    call.post(body, headers, caller);
  }

  /** Resolves once the server has taken what it does not answer. */
  #tell(body: string, headers: Headers | undefined): Promise<void> {
    const { id: session } = this.#session;
    return new Promise((resolve, reject) => {
      const over = (error?: Error): void => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      const stream = new Stream(this, {
        session,
        head: ({ isSuccess }) => {
          if (isSuccess) over();
        },
        end: (reading, error) => {
          this.#told.delete(giveUp);
          if (reading.isSuccess && !error) over();
          else if (this.#isForgotten(reading, session)) over(sessionLost(this.address, 404));
          else over(failureOf(this.address, reading, error));
        },
      });
      const giveUp = (error: Error): void => {
        this.#told.delete(giveUp);
        stream.drop();
        over(error);
      };
      const timer = setTimeout(() => {
        giveUp(new TimeoutError(`${this.address} did not take a message within ${takingTime} ms.`));
      }, takingTime);
      this.#told.add(giveUp);
      stream.post(body, headers);
    });
  }

  /** HTTP-50, SSE-11, HTTP-46 */
  #unanswered(id: RequestId, reading: Reading, error: Error | undefined): void {
    if (!error && speaksForItself(reading, this.#hasAnswered))
      this.#receiver.message({ ...(reading.refusal as JsonObject), id });
    else this.#lost(id, failureOf(this.address, reading, error));
  }

  #lost(id: RequestId, error: Error): void {
    this.#receiver.lost?.(id, error);
  }

  /** HTTP-14, HTTP-15: hears what belongs to no request, where the server has a stream for that. */
  #listen(): void {
    const { isLegacy, isAgreed, id: used } = this.#session;
    if (!isLegacy || !isAgreed || this.#listening || this.#closed || this.#old) return;
    this.#listening = new Stream(this, {
      session: used,
      end: (reading, error) => {
        if (this.#isForgotten(reading, used) || reading.status === 405) return;
        this.fault(failureOf(this.address, reading, error));
      },
    });
    this.#listening.get();
  }

  /** SESS-05, SESS-09: does the answer say that the session is gone? Then nothing that belonged to it is answered any more. */
  #isForgotten({ status }: Reading, used: string | undefined): boolean {
    if (status !== 404 || used === undefined) return false;
    if (used === this.#session.id) {
      this.#session.forget();
      this.#listening?.drop();
      this.#listening = undefined;
      const error = sessionLost(this.address);
      this.#drop(error, (call) => call.use.session === used && call.isTaken);
      // What the server has not taken yet it will refuse in its turn, if it is there at all.
      setTimeout(() => this.#drop(error, (call) => call.use.session === used), refusalTime);
    }
    return true;
  }

  #drop(error: Error, isLost: (call: Stream) => boolean): void {
    for (const [id, call] of this.#calls) {
      if (!isLost(call)) continue;
      call.drop();
      this.#calls.delete(id);
      this.#lost(id, error);
    }
  }

  /** COMPAT-16: the server may be of the first kind; if it is not, what it said before counts. */
  async #fallBack(id: RequestId, body: string, reading: Reading): Promise<void> {
    try {
      const old = sse(this.#url, this.options);
      await old.start(this.#receiver);
      if (this.#closed) return void old.close();
      this.#old = old;
      await old.send(JSON.parse(body));
    } catch {
      this.#unanswered(id, reading, undefined);
    }
  }

  async #shutDown(): Promise<void> {
    const { shutdownTime = 1000 } = this.options;
    const error = new TransportError("The connection is closed.");
    this.#listening?.drop();
    this.#drop(error, () => true);
    await this.#queue.idle(shutdownTime);
    for (const giveUp of this.#told) giveUp(error);
    // SESS-07
    if (this.#session.id !== undefined) {
      const { headers } = this.#session;
      let drop: Drop | undefined;
      const ended = new Promise<void>((resolve) => {
        const reader = { message: () => {}, fault: () => {}, end: () => resolve() };
        drop = this.#asker.ask({ method: "DELETE", headers }, reader);
      });
      await within(shutdownTime, ended);
      drop?.();
    }
    this.#asker.close();
    this.#receiver?.closed();
  }
}

/** HDR-08 */
function encoded(headers: Headers | undefined): Headers | undefined {
  if (!headers) return undefined;
  const made: Record<string, string> = {};
  for (const name in headers) made[name.toLowerCase()] = encodeHeader(headers[name] as string);
  return made;
}
