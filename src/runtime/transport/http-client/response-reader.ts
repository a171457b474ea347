import { ValidationError } from "../../errors.js";
import type { Answer, HeaderOf } from "./requests.js";
import { EventReader } from "./events.js";

/** Who an answer is read for. */
export interface Reader {
  /** One JSON value came, in a body of its own or as an event. */
  message(value: unknown): void;
  /** An event that is no message came, by its name. */
  event?(name: string, data: string): void;
  /** An event came that is no JSON; the stream goes on. */
  fault(error: Error): void;
  /** The head of the answer came, and with it what kind of answer it is. */
  head?(reading: Reading, header: HeaderOf): void;
  /** Nothing more comes: in good order, or because the connection broke or what came cannot be read. Called once. */
  end(reading: Reading, error: Error | undefined): void;
}

/** Longest body of an answer that only says what went wrong, in bytes. */
const maxErrorBytes = 65_536;

/** Reads one HTTP answer: a JSON value, or a stream of events. HTTP-07 */
export class Reading implements Answer {
  status = 0;
  isStream = false;
  /** What to come back to, and after how many milliseconds, as the server said last. */
  lastEventId: string | undefined;
  retryTime: number | undefined;
  /** What a status other than success came with, where that was JSON. */
  refusal: unknown;
  readonly #reader: Reader;
  #maxBytes: number;
  #events: EventReader | undefined;
  #parts: Uint8Array[] | undefined;
  #size = 0;
  #isOver = false;

  /** `maxBytes` is for the longest message; 64 MiB by default. */
  constructor(reader: Reader, maxBytes: number = 64 * 1024 * 1024) {
    this.#reader = reader;
    this.#maxBytes = maxBytes;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  head(status: number, header: HeaderOf): void {
    this.status = status;
    const type = header("content-type") ?? "";
    if (this.isSuccess && /^text\/event-stream\b/i.test(type)) {
      this.isStream = true;
      this.#events = new EventReader(this, this.#maxBytes);
    } else if (/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
      this.#parts = [];
      if (!this.isSuccess) this.#maxBytes = Math.min(this.#maxBytes, maxErrorBytes);
    }
    try {
      this.#reader.head?.(this, header);
    } catch (error) {
      this.#over(error as Error);
    }
  }

  data(chunk: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#events) return this.#events.feed(chunk);
    if (!this.#parts) return;
    this.#size += chunk.length;
    if (this.#size <= this.#maxBytes) this.#parts.push(chunk);
    else this.fault(new ValidationError(`A message is longer than ${this.#maxBytes} bytes.`));
  }

  end(error?: Error): void {
    if (this.#isOver) return;
    this.#events?.end();
    let failure = error;
    if (!error && this.#parts && this.#size > 0) {
      this.#value(textOf(this.#parts, this.#size), (fault) => (failure = fault));
    }
    this.#over(failure);
  }

  event(data: string, name: string | undefined, id: string | undefined): void {
    // An empty id says that there is nothing to come back to.
    if (id !== undefined) this.lastEventId = id || undefined;
    if (name !== undefined) this.#reader.event?.(name, data);
    // SSE-09: what only brings an id is no message.
    else if (data !== "") this.#value(data, (fault) => this.#reader.fault(fault));
  }

  retry(time: number): void {
    this.retryTime = time;
  }

  /** What comes cannot be read any further. */
  fault(error: Error): void {
    this.#over(error);
  }

  #value(text: string, fault: (error: Error) => void): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return fault(new ValidationError(`What came is not JSON: ${(error as Error).message}`));
    }
    if (this.isSuccess) this.#reader.message(value);
    else this.refusal = value;
  }

  #over(error: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader.end(this, error);
  }
}

const decoder = /* @__PURE__ */ new TextDecoder();

function textOf(parts: readonly Uint8Array[], size: number): string {
  const [first] = parts;
  if (parts.length === 1) return decoder.decode(first);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return decoder.decode(whole);
}
