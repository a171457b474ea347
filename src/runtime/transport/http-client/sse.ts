import { TransportError } from "../../errors.js";
import { isId, isObject, type JsonObject } from "../../message.js";
import type { Receiver, Transport } from "../transport.js";
import { Asker } from "./attempt.js";
import { failureOf } from "./failures.js";
import type { HttpClientOptions } from "./options.js";
import { Queue } from "./queue.js";
import type { Drop } from "./requests.js";
import type { Reader, Reading } from "./response-reader.js";

/** A server that is spoken to over two URLs: what it says comes over the given one, and tells where to send (HSSE-01). */
export function sse(url: string | URL, options: HttpClientOptions = {}): Transport {
  return new SseTransport(new URL(url), options);
}

class SseTransport implements Transport, Reader {
  readonly #url: URL;
  readonly #options: HttpClientOptions;
  readonly #asker: Asker;
  readonly #posts = new Set<Drop>();
  readonly #queue = new Queue();
  #receiver!: Receiver;
  #drop: Drop | undefined;
  /** HSSE-02 */
  #endpoint: URL | undefined;
  #entered: ((error?: Error) => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(url: URL, options: HttpClientOptions) {
    this.#url = url;
    this.#options = options;
    this.#asker = new Asker(url, options, () => this.#receiver.renewed?.());
  }

  /** Resolves once the server has said where to send. */
  start(receiver: Receiver): Promise<void> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => void this.close(), { once: true });
    this.#receiver = receiver;
    return new Promise((resolve, reject) => {
      const enter = (error?: Error): void => {
        this.#entered = undefined;
        if (!error) return resolve();
        this.#drop?.();
        this.#asker.close();
        reject(error);
      };
      this.#entered = enter;
      this.#drop = this.#asker.ask({ method: "GET", headers: { accept: "text/event-stream" } }, this);
    });
  }

  /** Messages go one after the other, so that none overtakes another. */
  send(message: unknown): Promise<void> {
    if (this.#closed) throw new TransportError("The connection is closed.");
    const body = JSON.stringify(message);
    const { id, method } = isObject(message) ? message : ({} as JsonObject);
    const sent = this.#queue.add(() => this.#post(body));
    if (method !== undefined && isId(id)) sent.catch((error: Error) => this.#receiver.lost?.(id, error));
    return sent;
  }

  again(): Transport {
    return sse(this.#url, this.#options);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#shutDown(undefined));
  }

  event(name: string, data: string): void {
    if (name !== "endpoint" || this.#endpoint) return;
    const target = URL.canParse(data, this.#url.href) ? new URL(data, this.#url) : undefined;
    // HSSE-04
    if (target?.origin !== this.#url.origin) {
      const { place } = this.#asker;
      const where = target ? `at another origin, ${target.origin}` : "nowhere";
      return this.#entered?.(new TransportError(`${place} wants its messages ${where}.`));
    }
    this.#endpoint = target;
    this.#entered?.();
  }

  message(value: unknown): void {
    if (!this.#closed) this.#receiver.message(value);
  }

  fault(error: Error): void {
    this.#receiver.report?.(error);
  }

  /** HSSE-07: the stream was the session. */
  end(reading: Reading, error: Error | undefined): void {
    const failure = failureOf(this.#asker.place, reading, error);
    if (this.#entered) this.#entered(failure);
    else this.#closed ??= this.#shutDown(failure);
  }

  #post(body: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const reader: Reader = {
        message: () => {},
        fault: () => {},
        end: (reading, error) => {
          this.#posts.delete(drop);
          if (reading.isSuccess && !error) resolve();
          else reject(failureOf(this.#asker.place, reading, error));
        },
      };
      const headers = { "content-type": "application/json" };
      const drop = this.#asker.ask({ method: "POST", headers, body }, reader, this.#endpoint);
      this.#posts.add(drop);
    });
  }

  async #shutDown(reason: Error | undefined): Promise<void> {
    const { shutdownTime = 1000 } = this.#options;
    await this.#queue.idle(reason ? 0 : shutdownTime);
    this.#drop?.();
    for (const drop of this.#posts) drop();
    this.#asker.close();
    this.#receiver?.closed(reason);
  }
}
