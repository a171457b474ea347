import type { Writable } from "node:stream";

import { TransportError } from "../index.js";

/** Writes messages as lines, all those of one turn of the event loop together. STDIO-02 */
export class LineWriter {
  /** Kept once the other side has caught up; undefined while it has. STDIO-16 */
  room: Promise<void> | undefined;
  readonly #stream: Writable;
  #text = "";
  #ended = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", () => {});
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
      if (this.#stream.destroyed) resolve();
      // The callback comes after what was written before, or with the error that ended it.
      else this.#stream.write("", () => resolve());
    });
  }

  #flush = (): void => {
    const text = this.#text;
    this.#text = "";
    const stream = this.#stream;
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
