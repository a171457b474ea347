import { fromBase64 } from "../../../../common/base64.js";
import { ByteCollector } from "../../bytes.js";
import { ValidationError } from "../../errors.js";
import { printable } from "../../report.js";
import type { ResponseSink, HeaderOf } from "./requests.js";
import { EventReader } from "./events.js";

/** The events of one response. */
export interface ResponseHandler {
  /** A JSON value: the body, or the data of an event. */
  message(value: unknown): void;
  /** An event with a name of its own, which is not a message. */
  event?(name: string, data: string): void;
  /** An event that is not JSON; the stream continues. */
  onError(error: Error): void;
  /** A comment in a stream of events. */
  comment?(): void;
  /** The status and headers. */
  head?(response: ResponseReader, header: HeaderOf): void;
  /** The end of the response, with an error if the connection broke or the data is invalid. Called once. */
  end(response: ResponseReader, error: Error | undefined): void;
}

/** The maximum length of a body that is not a message, such as that of an error status, in bytes. */
const maxErrorBytes = 65_536;
const maxTextLength = 1000;

/** Reads one HTTP response: a JSON value, or a stream of events (HTTP-07). */
export class ResponseReader implements ResponseSink {
  status = 0;
  isStream = false;
  /** The last event id and `retry` time (ms) of the server. */
  lastEventId: string | undefined;
  retryTime: number | undefined;
  /** How often the owner of a stream has looked since something arrived. */
  silence = 0;
  /** The JSON body of an error status. */
  errorBody: unknown;
  contentType = "";
  /** When the server wants the request again: seconds, or a date (RFC 9110). */
  retryAfter: string | undefined;
  /** The beginning of a body. */
  text = "";
  #sent: Readonly<Record<string, string>> = {};
  readonly #handler: ResponseHandler;
  #maxBytes: number;
  #events: EventReader | undefined;
  /** The body, unless it is a stream. */
  #body: ByteCollector | undefined;
  #isJson = false;
  #hasEnded = false;

  /** `maxBytes` is the maximum length of a message; 64 MiB by default. */
  constructor(handler: ResponseHandler, maxBytes: number = 64 * 1024 * 1024) {
    this.#handler = handler;
    this.#maxBytes = maxBytes;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  sent(headers: Readonly<Record<string, string>>): void {
    this.#sent = headers;
  }

  /** Formats text of the server for a message: at most 200 characters, escaped, without the values of headers that were sent. */
  quote(text: string): string {
    let quoted = text.slice(0, maxTextLength);
    for (const secret of Object.values(this.#sent).flatMap(secretsIn))
      quoted = quoted.replaceAll(secret, "…");
    return printable(JSON.stringify(quoted.slice(0, 200)), Infinity);
  }

  get #isMessage(): boolean {
    return this.isSuccess && this.#isJson;
  }

  head(status: number, header: HeaderOf): void {
    this.status = status;
    const type = (this.contentType = header("content-type") ?? "");
    if (!this.isSuccess) this.retryAfter = header("retry-after");
    if (this.isSuccess && /^text\/event-stream\b/i.test(type)) {
      this.isStream = true;
      this.#events = new EventReader(this, this.#maxBytes);
    } else {
      this.#body = new ByteCollector();
      this.#isJson = /^application\/([\w.+-]+\+)?json\b/i.test(type);
      if (!this.#isMessage) this.#maxBytes = Math.min(this.#maxBytes, maxErrorBytes);
    }
    try {
      this.#handler.head?.(this, header);
    } catch (error) {
      this.#finish(error as Error);
    }
  }

  data(chunk: Uint8Array): void {
    if (this.#hasEnded) return;
    this.silence = 0;
    if (this.#events) return this.#events.feed(chunk);
    if (!this.#body) return;
    if (this.#body.size + chunk.length <= this.#maxBytes) this.#body.add(chunk);
    else if (!this.#isMessage) this.end();
    else this.onError(new ValidationError(`A message is longer than ${this.#maxBytes} bytes.`));
  }

  end(error?: Error): void {
    if (this.#hasEnded) return;
    this.#events?.end();
    let finalError = error;
    if (!error && this.#body && this.#body.size > 0) {
      const text = decoder.decode(this.#body.take());
      this.text = text.slice(0, maxTextLength);
      const onError = (error: Error): void => {
        if (this.#isMessage) finalError = error;
      };
      if (this.#isJson) this.#value(text, onError);
    }
    this.#finish(finalError);
  }

  event(data: string, name: string | undefined, id: string | undefined): void {
    // An empty id resets it.
    if (id !== undefined) this.lastEventId = id || undefined;
    if (name !== undefined) this.#handler.event?.(name, data);
    // An event without data only sets the id (SSE-09).
    else if (data !== "") this.#value(data, (error) => this.#handler.onError(error));
  }

  retry(time: number): void {
    this.retryTime = time;
  }

  comment(): void {
    this.#handler.comment?.();
  }

  /** The stream of events cannot be read further. */
  onError(error: Error): void {
    this.#finish(error);
  }

  #value(text: string, onError: (error: Error) => void): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return onError(new ValidationError(`The response is not JSON: ${this.quote(text)}`));
    }
    if (this.isSuccess) this.#handler.message(value);
    else this.errorBody = value;
  }

  #finish(error: Error | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#body?.clear();
    this.#handler.end(this, error);
  }
}

/** A header, its part after the scheme, and the password in it. */
function secretsIn(value: string): string[] {
  const [, scheme = "", token = ""] = /^(\S+) +(\S+)$/.exec(value) ?? [];
  const parts = [value, token];
  if (/^basic$/i.test(scheme))
    parts.push(decoder.decode(fromBase64(token) ?? new Uint8Array()).replace(/^[^:]*:/, ""));
  return parts.filter((part) => part.length > 3);
}

const decoder = /* @__PURE__ */ new TextDecoder();
