import { ByteCollector } from "../../bytes.js";
import { ValidationError } from "../../errors.js";

/** Receives server-sent events. */
export interface EventListener {
  /** `name` is undefined for an event of type "message"; `id` is undefined if the event has none. */
  event(data: string, name: string | undefined, id: string | undefined): void;
  /** The wait before the client reconnects, in milliseconds. */
  retry(time: number): void;
  /** A comment, with which a server shows that it runs. */
  comment(): void;
  /** The stream cannot be read further. */
  onError(error: Error): void;
}

/**
 * Reads a stream of server-sent events from chunks of bytes of any size (SSE-08). It reads bytes, because the parts of a text take many
 * times as much memory if each is a string.
 */
export class EventReader {
  readonly #listener: EventListener;
  readonly #maxBytes: number;
  /** The line without an end yet. */
  readonly #line = new ByteCollector();
  readonly #data = new ByteCollector();
  #hasData = false;
  #name: string | undefined;
  #id: string | undefined;
  #isFirstLine = true;
  #endedInReturn = false;
  #hasEnded = false;

  constructor(listener: EventListener, maxBytes: number) {
    this.#listener = listener;
    this.#maxBytes = maxBytes;
  }

  feed(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    // A line ends in CR, LF or both.
    let start = this.#endedInReturn && chunk[0] === feedByte ? 1 : 0;
    this.#endedInReturn = chunk.at(-1) === returnByte;
    let [feedAt, returnAt] = [chunk.indexOf(feedByte, start), chunk.indexOf(returnByte, start)];
    while (!this.#hasEnded && (feedAt >= 0 || returnAt >= 0)) {
      const isReturn = feedAt < 0 || (returnAt >= 0 && returnAt < feedAt);
      const end = isReturn ? returnAt : feedAt;
      this.#endLine(chunk.subarray(start, end));
      start = isReturn && feedAt === end + 1 ? end + 2 : end + 1;
      if (feedAt >= 0 && feedAt < start) feedAt = chunk.indexOf(feedByte, start);
      if (returnAt >= 0 && returnAt < start) returnAt = chunk.indexOf(returnByte, start);
    }
    if (this.#hasEnded || start === chunk.length) return;
    this.#line.add(start === 0 ? chunk : chunk.subarray(start));
    this.#check(this.#line.size);
  }

  /** Drops an unfinished event. */
  end(): void {
    this.#hasEnded = true;
    this.#line.clear();
    this.#data.clear();
  }

  #endLine(end: Uint8Array): void {
    let line = end;
    if (this.#line.size > 0) {
      this.#line.add(end);
      line = this.#line.take();
    }
    const hasMark = this.#isFirstLine && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
    this.#isFirstLine = false;
    this.#readLine(hasMark ? line.subarray(3) : line);
  }

  #readLine(line: Uint8Array): void {
    if (line.length === 0) return this.#dispatch();
    const colon = line.indexOf(58);
    if (colon === 0) return this.#listener.comment();
    const end = colon === -1 ? line.length : colon;
    // The names of all fields are short.
    const field = end > 5 ? "" : String.fromCharCode(...line.subarray(0, end));
    const value = line.subarray(line[end + 1] === 32 ? end + 2 : end + 1);
    if (field === "data") {
      if (this.#hasData) this.#data.add(lineFeed);
      this.#hasData = true;
      this.#check(value.length);
      if (!this.#hasEnded) this.#data.add(value);
    } else if (field === "event") this.#name = decoder.decode(value);
    else if (field === "id") {
      if (!value.includes(0)) this.#id = decoder.decode(value);
    } else if (field === "retry") {
      const time = decoder.decode(value);
      if (/^\d+$/.test(time)) this.#listener.retry(Number(time));
    }
  }

  #dispatch(): void {
    const [id, name, hasData] = [this.#id, this.#name, this.#hasData];
    this.#id = this.#name = undefined;
    this.#hasData = false;
    if (!hasData) return;
    const data = decoder.decode(this.#data.take());
    this.#listener.event(data, name === "message" ? undefined : name || undefined, id);
  }

  /** Ends the stream if its event is too long with so many more bytes. */
  #check(more: number): void {
    if (this.#data.size + more <= this.#maxBytes) return;
    this.end();
    this.#listener.onError(new ValidationError(`A message is longer than ${this.#maxBytes} bytes.`));
  }
}

const [feedByte, returnByte] = [10, 13];
const lineFeed = /* @__PURE__ */ Uint8Array.of(feedByte);
const decoder = /* @__PURE__ */ new TextDecoder();
