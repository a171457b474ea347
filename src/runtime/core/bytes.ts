import { withRoom } from "../../common/bytes.js";

/**
 * Collects chunks of bytes in one buffer, which grows to twice what it has to
 * hold: a small chunk, and one that is part of a large buffer, takes many times
 * as much memory as its bytes.
 */
export class ByteCollector {
  /** The number of bytes. */
  size = 0;
  #buffer: Uint8Array = empty;

  add(chunk: Uint8Array): void {
    const size = this.size + chunk.length;
    // Most texts are one chunk, which needs no copy.
    if (this.size === 0 && chunk.length * 2 >= chunk.buffer.byteLength)
      this.#buffer = chunk;
    else {
      this.#buffer = withRoom(this.#buffer, this.size, size);
      this.#buffer.set(chunk, this.size);
    }
    this.size = size;
  }

  /** Returns all bytes, and begins anew. */
  take(): Uint8Array {
    const buffer = this.#buffer;
    const { size } = this;
    this.size = 0;
    this.#buffer = empty;
    return buffer.length === size ? buffer : buffer.subarray(0, size);
  }

  clear(): void {
    this.size = 0;
    this.#buffer = empty;
  }
}

/** Shared, because a collector is made for each request. */
const empty = /* @__PURE__ */ new Uint8Array();

/** The text without a byte order mark, which JSON does not allow. */
export const withoutMark = (text: string): string =>
  text.startsWith("\uFEFF") ? text.slice(1) : text;
