import { TransportError } from "../../errors.js";
import { isId, type RequestId } from "../../message.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import { onAbort } from "../../../../common/timing.js";
import { type Receiver, type Transport } from "../../ports/transport.js";
import { startOnce } from "../start-once.js";
import { parseAddress } from "../address.js";
import {
  HttpRequester,
  type Deliveries,
  deliveriesOf,
  type HttpClientOptions,
} from "./requester.js";
import type { Drop } from "./requests.js";
import {
  responseError,
  type ResponseHandler,
  type ResponseReader,
} from "./response-reader.js";

/**
 * Connects to a server over HTTP+SSE. The URL returns a stream of events, whose
 * first event names the URL for messages (HSSE-01).
 *
 * @throws TypeError if the URL is not an http or https URL, or its login is not
 *   percent-encoded UTF-8.
 */
export function sse(
  url: string | URL,
  options: HttpClientOptions = {},
): Transport {
  return new SseTransport(parseAddress(url), options);
}

class SseTransport implements Transport, ResponseHandler {
  readonly carrier = "http";
  readonly #url: URL;
  readonly #options: HttpClientOptions;
  readonly #requester: HttpRequester;
  readonly #deliveries: Deliveries;
  #receiver!: Receiver;
  #drop: Drop | undefined;
  /** The URL for messages; undefined until the server has sent it (HSSE-02). */
  #endpoint: URL | undefined;
  /** Ends the start. Undefined before and after it. */
  #onEndpoint: ((error?: unknown) => void) | undefined;
  #closed: Promise<void> | undefined;
  #forgetSignal: (() => void) | undefined;

  readonly #onAbort = (): void => {
    if (this.#onEndpoint) this.#onEndpoint(this.#options.signal?.reason);
    else void this.close();
  };

  constructor(url: URL, options: HttpClientOptions) {
    this.#url = url;
    this.#options = options;
    this.#requester = new HttpRequester(url, options, () => this.#receiver);
    this.#deliveries = deliveriesOf(this.#requester);
  }

  /** Resolves when the server has sent the URL for messages. */
  start(receiver: Receiver): Promise<void> {
    startOnce(this);
    const { signal } = this.#options;
    signal?.throwIfAborted();
    if (signal) this.#forgetSignal = onAbort(signal, this.#onAbort);
    this.#receiver = receiver;
    return new Promise((resolve, reject) => {
      const enter = (error?: unknown): void => {
        this.#onEndpoint = undefined;
        if (this.#endpoint) return resolve();
        this.#forgetSignal?.();
        this.#drop?.();
        this.#requester.close();
        reject(error as Error);
      };
      this.#onEndpoint = enter;
      const headers = { accept: "text/event-stream" };
      this.#drop = this.#requester.request(
        { method: "GET", headers, isUncounted: true },
        this,
      );
    });
  }

  /** Sends messages one after the other, to keep their order. */
  send(message: unknown): Promise<void> {
    if (this.#closed) throw new TransportError("The connection is closed.");
    const body = JSON.stringify(message);
    const { id, method } = isObject(message) ? message : ({} as JsonObject);
    const headers = { "content-type": "application/json" };
    const delivery = this.#deliveries.add((handler) =>
      this.#requester.request(
        { method: "POST", headers, body },
        { message: ignore, onError: ignore, ...handler },
        this.#endpoint,
      ),
    );
    const onError = (error: Error): void => {
      if (!this.#closed) this.#receiver.lost?.(id as RequestId, error);
    };
    if (method !== undefined && isId(id)) delivery.catch(onError);
    return delivery;
  }

  get capabilities(): JsonObject | undefined {
    return this.#requester.authorization?.capabilities;
  }

  reconnect(): Transport {
    return sse(this.#url, this.#options);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#shutDown(undefined));
  }

  event(name: string, data: string): void {
    if (name !== "endpoint" || this.#endpoint) return;
    const target = URL.canParse(data, this.#url.href)
      ? new URL(data, this.#url)
      : undefined;
    // The URL must have the same origin (HSSE-04).
    if (target?.origin !== this.#url.origin) {
      const { address } = this.#requester;
      const where = target
        ? `at another origin, ${target.origin}`
        : "at an invalid URL";
      return this.#onEndpoint?.(
        new TransportError(`${address} expects messages ${where}.`),
      );
    }
    this.#endpoint = target;
    this.#onEndpoint?.();
  }

  message(value: unknown): void {
    if (!this.#closed) this.#receiver.message(value);
  }

  onError(error: Error): void {
    this.#receiver.malformed(error);
  }

  /** Closes the transport: the session ends with its stream (HSSE-07). */
  end(response: ResponseReader, error: Error | undefined): void {
    const reason = responseError(this.#requester.address, response, error);
    if (this.#onEndpoint) this.#onEndpoint(reason);
    else this.#closed ??= this.#shutDown(reason);
  }

  async #shutDown(reason: Error | undefined): Promise<void> {
    if (this.#onEndpoint)
      return this.#onEndpoint(new TransportError("The connection is closed."));
    const { shutdownTime = 1000 } = this.#options;
    this.#forgetSignal?.();
    await this.#deliveries.idle(reason ? 0 : shutdownTime);
    this.#drop?.();
    this.#requester.close();
    this.#receiver?.closed(reason);
    this.#deliveries.drop(
      reason ??
        new TransportError("The connection is closed.", { mayHaveRun: true }),
    );
  }
}

const ignore = (): void => {};
