import type { Writable } from "node:stream";

import { TransportError } from "../index.js";

/** Writes messages as lines, all those of one turn of the event loop together. STDIO-02 */
export class LineWriter {
  /** Kept once the other side has caught up; undefined while it has. STDIO-16 */
  room: Promise<void> | undefined;
  #stream: Writable | undefined;
  #text = "";
  #ended = false;

  constructor(stream?: Writable) {
    this.to(stream);
  }

  /** Goes on with another stream. Without one, what was not written yet is dropped, and what comes is kept for the next. */
  to(stream: Writable | undefined): void {
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
