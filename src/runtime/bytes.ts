/** The maximum length of a page, in bytes. */
const pageSize = 65_536;

/**
 * Collects chunks of bytes and joins them once. Chunks are copied into pages, because a small one, and one that is part of a large buffer,
 * takes many times as much memory as its bytes. The pages take at most twice as much.
 */
export class ByteCollector {
  /** The number of bytes. */
  size = 0;
  #pages: Uint8Array[] = [];
  /** The number of bytes in the last page. */
  #used = 0;

  add(chunk: Uint8Array): void {
    // Most texts are one chunk, which needs no copy.
    if (this.size === 0 && chunk.length * 2 >= chunk.buffer.byteLength) {
      this.#pages = [chunk];
      this.#used = this.size = chunk.length;
      return;
    }
    for (let offset = 0; offset < chunk.length;) {
      let page = this.#pages.at(-1);
      if (!page || this.#used === page.length) {
        page = new Uint8Array(Math.min(pageSize, Math.max(this.size, chunk.length - offset, 64)));
        this.#pages.push(page);
        this.#used = 0;
      }
      const part = chunk.subarray(offset, offset + page.length - this.#used);
      page.set(part, this.#used);
      this.#used += part.length;
      this.size += part.length;
      offset += part.length;
    }
  }

  /** Returns all bytes, and begins anew. */
  take(): Uint8Array {
    const { size } = this;
    const pages = this.#pages;
    this.clear();
    const [first] = pages;
    if (first && pages.length === 1) return first.length === size ? first : first.subarray(0, size);
    const bytes = new Uint8Array(size);
    let offset = 0;
    for (const page of pages) {
      bytes.set(page.subarray(0, size - offset), offset);
      offset += page.length;
    }
    return bytes;
  }

  clear(): void {
    this.size = this.#used = 0;
    this.#pages = [];
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
