import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";

import { TransportError, ValidationError } from "../errors.js";
import type { Receiver } from "./transport.js";

/**
 * Cuts a stream of bytes into lines and hands on the JSON in them. STDIO-06: a line may end in CR LF, a blank one is
 * skipped, one that is no JSON or is longer than `maxBytes` is reported and does not end the stream. STDIO-02: only a line
 * that has ended counts.
 */
export function lineReader(receiver: Receiver, maxBytes: number = 64 * 1024 * 1024): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  // The rest of a line that was too long is thrown away until it ends.
  let skipping = false;

  const tooLong = (): void =>
    receiver.malformed(new ValidationError(`A message is longer than ${maxBytes} bytes.`));
  const line = (text: string): void => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (text.trim() === "") return;
      return receiver.malformed(new ValidationError(`A line is not JSON: ${(error as Error).message}`));
    }
    receiver.message(value);
  };
  // Decoding all lines of a chunk at once takes half the time of decoding each.
  const lines = (bytes: Buffer): void => {
    const text = bytes.toString("utf8");
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      const one = text.slice(start, end);
      if (bytes.length > maxBytes && Buffer.byteLength(one) > maxBytes) tooLong();
      else line(one);
      start = end + 1;
    }
  };
  return (chunk) => {
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) {
      const ended = chunk.subarray(skipping ? chunk.indexOf(10) + 1 : 0, end);
      lines(parts.length > 0 ? Buffer.concat([...parts, ended]) : ended);
      parts = [];
      size = 0;
      skipping = false;
    }
    if (skipping || end === chunk.length) return;
    parts.push(chunk.subarray(end));
    size += chunk.length - end;
    if (size <= maxBytes) return;
    parts = [];
    size = 0;
    skipping = true;
    tooLong();
  };
}

/** Writes messages as lines, all those of one turn of the event loop together. STDIO-02 */
export class LineWriter {
  /** Kept once the other side has caught up; undefined while it has. STDIO-16 */
  room: Promise<void> | undefined;
  #stream: Writable | null = null;
  #text = "";
  #ended = false;

  /** Goes on with this stream. Without one, what was not written yet is dropped, and what comes is kept for the next. */
  to(stream: Writable | null): void {
    stream?.on("error", () => {});
    this.#stream = stream;
    if (stream) this.#flush();
    else this.#text = "";
  }

  /** Returns a promise for room when there is none at the moment. */
  write(message: unknown): Promise<void> | undefined {
    if (this.#ended) throw new TransportError("The connection is closed.");
    const text = JSON.stringify(message);
    if (this.#text === "") setImmediate(this.#flush);
    this.#text += text + "\n";
    return this.room;
  }

  /** Takes nothing more. Resolves once everything has left this process, or cannot leave it any more. */
  end(): Promise<void> {
    this.#ended = true;
    this.#flush();
    return new Promise((resolve) => {
      if (!this.#stream || this.#stream.destroyed) resolve();
      // The callback comes after what was written before, or with the error that ended it.
      else this.#stream.write("", () => resolve());
    });
  }

  #flush = (): void => {
    const stream = this.#stream;
    if (!stream) return;
    const text = this.#text;
    this.#text = "";
    if (text === "" || stream.destroyed || stream.write(text) || this.room) return;
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
