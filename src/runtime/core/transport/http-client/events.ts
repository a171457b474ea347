import { ByteCollector } from "../../bytes.js";
import { ValidationError } from "../../errors.js";

/** Receives server-sent events. */
interface EventListener {
  /**
   * `name` is undefined for an event of type "message"; `id` is undefined if
   * the event has none.
   */
  event(data: string, name: string | undefined, id: string | undefined): void;
  /** The wait before the client reconnects, in milliseconds. */
  retry(time: number): void;
  /** A comment, with which a server shows that it runs. */
  comment(): void;
  /** The stream cannot be read further. */
  end(error: Error): void;
}

/**
 * Reads a stream of server-sent events from chunks of bytes of any size
 * (SSE-08). It reads bytes, because the parts of a text take many times as much
 * memory if each is a string.
 */
export class EventReader {
  readonly #listener: EventListener;
  readonly #maxBytes: number;
  /** The line without an end yet. */
  readonly #line = new ByteCollector();
  readonly #data = new ByteCollector();
  #hasData = false;
  #name: Uint8Array | undefined;
  #id: Uint8Array | undefined;
  /** The number of bytes since the last message that are not part of one. */
  #emptyBytes = 0;
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
    // The next of each, searched for again only behind the line that it ended.
    let [feedAt, returnAt] = [0, 0];
    while (!this.#hasEnded) {
      let end = shortLineEnd(chunk, start);
      if (end === chunk.length) {
        if (feedAt <= start) feedAt = indexIn(chunk, feedByte, start);
        if (returnAt <= start) returnAt = indexIn(chunk, returnByte, start);
        end = Math.min(feedAt, returnAt);
      }
      if (end === chunk.length) break;
      this.#endLine(chunk, start, end);
      start =
        chunk[end] === returnByte && chunk[end + 1] === feedByte
          ? end + 2
          : end + 1;
    }
    if (this.#hasEnded || start === chunk.length) return;
    this.#line.add(start === 0 ? chunk : chunk.subarray(start));
    this.#check(this.#line.size - "data: ".length);
  }

  /** Drops an unfinished event. */
  end(): void {
    this.#hasEnded = true;
    this.#line.clear();
    this.#data.clear();
  }

  #endLine(chunk: Uint8Array, from: number, to: number): void {
    let [line, start, end] = [chunk, from, to];
    if (this.#line.size > 0) {
      this.#line.add(chunk.subarray(from, to));
      line = this.#line.take();
      [start, end] = [0, line.length];
    }
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (
        line[start] === 0xef &&
        line[start + 1] === 0xbb &&
        line[start + 2] === 0xbf
      )
        start += 3;
    }
    this.#readLine(line, start, end);
  }

  #readLine(line: Uint8Array, start: number, end: number): void {
    if ((this.#emptyBytes += end - start + 1) > maxEmptyBytes)
      return this.#fail(
        `The stream has more than ${maxEmptyBytes} bytes without a message.`,
      );
    if (start >= end) return this.#dispatch();
    if (line[start] === colonByte) return this.#listener.comment();
    const field = fieldAt(line, start, end);
    if (field === undefined) return;
    let from = Math.min(start + field.length + 1, end);
    if (line[from] === 32) from++;
    const value = line.subarray(from, end);
    if (field === "data") {
      if (this.#hasData) this.#data.add(lineFeed);
      this.#hasData = true;
      this.#emptyBytes -= value.length;
      this.#check(value.length);
      if (!this.#hasEnded) this.#data.add(value);
    } else if (field === "event") this.#name = value;
    else if (field === "id") {
      // A header could not hold any other id, when the stream is resumed.
      if (!value.some(isControl)) this.#id = value;
    } else if (value.length > 0 && value.length < 16 && value.every(isDigit))
      this.#listener.retry(Number(decoder.decode(value)));
  }

  #dispatch(): void {
    const [id, name, hasData] = [this.#id, this.#name, this.#hasData];
    this.#id = this.#name = undefined;
    this.#hasData = false;
    if (!hasData) return;
    if (this.#data.size > 0) this.#emptyBytes = 0;
    const data = decoder.decode(this.#data.take());
    const type = name && decoder.decode(name);
    this.#listener.event(
      data,
      type === "message" ? undefined : type || undefined,
      id && decoder.decode(id),
    );
  }

  /** Ends the stream if its event is too long with so many more bytes. */
  #check(more: number): void {
    if (this.#data.size + more > this.#maxBytes)
      this.#fail(`A message is longer than ${this.#maxBytes} bytes.`);
  }

  #fail(message: string): void {
    this.end();
    this.#listener.end(new ValidationError(message));
  }
}

/**
 * Maximum number of bytes between two messages that are not part of one, such
 * as comments.
 */
const maxEmptyBytes = 67_108_864;
const [feedByte, returnByte, colonByte] = [10, 13, 58];
const lineFeed = /* @__PURE__ */ Uint8Array.of(feedByte);
const decoder = /* @__PURE__ */ new TextDecoder();
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isControl = (byte: number): boolean =>
  (byte < 32 && byte !== 9) || byte === 127;

/** The index of the next such byte; the length if there is none. */
function indexIn(bytes: Uint8Array, byte: number, start: number): number {
  const at = bytes.indexOf(byte, start);
  return at === -1 ? bytes.length : at;
}

/**
 * The end of a line of at most 31 bytes; otherwise the length. For such a line
 * this takes a tenth of the time of `indexOf`.
 */
function shortLineEnd(bytes: Uint8Array, start: number): number {
  const last = Math.min(bytes.length, start + 32);
  for (let at = start; at < last; at++)
    if (bytes[at] === feedByte || bytes[at] === returnByte) return at;
  return bytes.length;
}

const fields = ["data", "event", "id", "retry"] as const;

/** The field at the beginning of a line; undefined for any other. */
function fieldAt(
  line: Uint8Array,
  start: number,
  end: number,
): (typeof fields)[number] | undefined {
  for (const field of fields) {
    const after = start + field.length;
    if (after !== end && line[after] !== colonByte) continue;
    let at = start;
    while (at < after && line[at] === field.charCodeAt(at - start)) at++;
    if (at === after) return field;
  }
  return undefined;
}
