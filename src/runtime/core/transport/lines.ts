import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";

import { ByteCollector, withoutMark } from "../bytes.js";
import { TransportError, ValidationError } from "../errors.js";
import type { Receiver } from "../ports/transport.js";

/** The end of a line. The last line of a stream may have none. */
export const lineEnd: Buffer = /* @__PURE__ */ Buffer.from("\n");

/**
 * Returns a function that gets chunks of bytes and passes the JSON value of
 * each complete line to the receiver (STDIO-02). A line may end in CR LF and
 * begin with a byte order mark, and blank lines are skipped. A line that is not
 * JSON or is longer than `maxBytes` is reported, and the stream continues
 * (STDIO-06).
 */
export function lineReader(
  receiver: Receiver,
  maxBytes: number = 64 * 1024 * 1024,
): (chunk: Buffer) => void {
  const rest = new ByteCollector();
  // True while the rest of a line that is too long is skipped.
  let skipping = false;

  const tooLong = (): void =>
    receiver.malformed(
      new ValidationError(`A message is longer than ${maxBytes} bytes.`),
    );
  const line = (text: string): void => {
    // A parser takes 8 µs to reject a blank line.
    if (text.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(withoutMark(text));
    } catch (error) {
      return receiver.malformed(
        new ValidationError(`A line is not JSON: ${(error as Error).message}`),
      );
    }
    receiver.message(value);
  };
  // Decoding all lines of a chunk at once is twice as fast as decoding each.
  const lines = (bytes: Buffer): void => {
    const text = bytes.toString("utf8");
    let start = 0;
    for (
      let end = text.indexOf("\n");
      end !== -1;
      end = text.indexOf("\n", start)
    ) {
      const content = text.slice(start, end);
      if (bytes.length > maxBytes && Buffer.byteLength(content) > maxBytes)
        tooLong();
      else line(content);
      start = end + 1;
    }
  };
  return (chunk) => {
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) {
      const complete = chunk.subarray(
        skipping ? chunk.indexOf(10) + 1 : 0,
        end,
      );
      if (rest.size > 0) {
        rest.add(complete);
        const { buffer, byteOffset, length } = rest.take();
        lines(Buffer.from(buffer, byteOffset, length));
      } else lines(complete);
      skipping = false;
    }
    if (skipping || end === chunk.length) return;
    rest.add(chunk.subarray(end));
    if (rest.size <= maxBytes) return;
    rest.clear();
    skipping = true;
    tooLong();
  };
}

/**
 * Writes each message as a line (STDIO-02). The messages of one turn of the
 * event loop are written together.
 */
export class LineWriter {
  /**
   * Resolves when the stream has room again; undefined while it has room
   * (STDIO-16).
   */
  room: Promise<void> | undefined;
  #stream: Writable | null = null;
  #text = "";
  #ended = false;

  /**
   * Sets the stream to write to. Null drops unwritten messages; later ones are
   * kept for the next stream.
   */
  setStream(stream: Writable | null): void {
    stream?.on("error", () => {});
    this.#stream = stream;
    if (stream) this.#flush();
    else this.#text = "";
  }

  /** Writes a message. Returns `room`. */
  write(message: unknown): Promise<void> | undefined {
    if (this.#ended) throw new TransportError("The connection is closed.");
    const text = JSON.stringify(message);
    if (this.#text === "") setImmediate(this.#flush);
    this.#text += text + "\n";
    return this.room;
  }

  /**
   * Ends writing. Resolves when everything is written, or can no longer be
   * written.
   */
  end(): Promise<void> {
    this.#ended = true;
    this.#flush();
    return new Promise((resolve) => {
      if (!this.#stream || this.#stream.destroyed) resolve();
      // The callback runs after all earlier writes, or with the error that
      // ended the stream.
      else this.#stream.write("", () => resolve());
    });
  }

  #flush = (): void => {
    const stream = this.#stream;
    if (!stream) return;
    const text = this.#text;
    this.#text = "";
    if (text === "" || stream.destroyed || stream.write(text) || this.room)
      return;
    this.room = new Promise((resolve) => {
      const done = (): void => {
        stream.off("drain", done).off("close", done);
        this.room = undefined;
        resolve();
      };
      stream.on("drain", done).on("close", done);
    });
  };
}
