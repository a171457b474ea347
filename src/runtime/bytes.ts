/**
 * Collects chunks of bytes in one buffer, which grows to twice what it has to hold: a small chunk, and one that is part of a large buffer,
 * takes many times as much memory as its bytes.
 */
export class ByteCollector {
  /** The number of bytes. */
  size = 0;
  #buffer: Uint8Array = new Uint8Array();

  add(chunk: Uint8Array): void {
    const size = this.size + chunk.length;
    // Most texts are one chunk, which needs no copy.
    if (this.size === 0 && chunk.length * 2 >= chunk.buffer.byteLength) this.#buffer = chunk;
    else {
      const bytes = this.#buffer;
      if (size > bytes.length) {
        this.#buffer = new Uint8Array(Math.max(size, bytes.length * 2, 64));
        this.#buffer.set(bytes.subarray(0, this.size));
      }
      this.#buffer.set(chunk, this.size);
    }
    this.size = size;
  }

  /** Returns all bytes, and begins anew. */
  take(): Uint8Array {
    const bytes = this.#buffer.subarray(0, this.size);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.size = 0;
    this.#buffer = new Uint8Array();
  }
}

/** Reads a stream to its end. Resolves with undefined if it has more than `maxBytes`; the rest is then cancelled. */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const bytes = new ByteCollector();
  const reader = stream?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    if (bytes.size + part.value.length > maxBytes) {
      void reader?.cancel().catch(() => {});
      return undefined;
    }
    bytes.add(part.value);
  }
  return bytes.take();
}

/** The text without a byte order mark, which JSON does not allow. */
export const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);
