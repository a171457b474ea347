import type { Writable } from "node:stream";

import { TransportError } from "../errors.js";

/**
 * Writes messages as lines, all those of one turn of the event loop together. STDIO-16: says when the other side does not
 * keep up.
 */
export class LineWriter {
  readonly #stream: Writable;
  #text = "";
  #scheduled = false;
  #broken = false;
  #room: Promise<void> | undefined;
  #flushed: (() => void) | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** A promise for room when there is none at the moment. */
  write(message: unknown): Promise<void> | void {
    if (this.#broken) throw new TransportError("The connection is closed.");
    const text = JSON.stringify(message);
    if (text === undefined) throw new TypeError("The message is not JSON.");
    this.#text += `${text}\n`;
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#flush);
    }
    return this.#room;
  }

  /** Kept once the other side has caught up; undefined while it has. */
  get room(): Promise<void> | undefined {
    return this.#room;
  }

  /** Resolves once everything has left this process, or cannot leave it any more. Nothing may be written after it. */
  end(): Promise<void> {
    this.#flush();
    this.#broken = true;
    return new Promise((resolve) => {
      this.#flushed = resolve;
      // A stream that others write to as well, such as stdout, is not ended.
      if (this.#stream.destroyed || this.#stream.writableEnded) resolve();
      else this.#stream.write("", () => resolve());
    });
  }

  /** The stream is gone; who waits for room waits no longer. */
  break(): void {
    this.#broken = true;
    this.#flushed?.();
  }

  #flush = (): void => {
    this.#scheduled = false;
    const text = this.#text;
    if (text === "" || this.#stream.destroyed) return;
    this.#text = "";
    if (this.#stream.write(text) || this.#room) return;
    this.#room = new Promise((resolve) => {
      const done = (): void => {
        this.#stream.off("drain", done).off("close", done).off("error", done);
        this.#room = undefined;
        resolve();
      };
      this.#stream.once("drain", done).once("close", done).once("error", done);
    });
  };
}
