/**
 * Returns a buffer that has room for `size` bytes and begins with the first `used` bytes of another one: that buffer itself, or one of at
 * least twice its size. A buffer that grows in this way takes little more memory than its bytes, however small the chunks are.
 */
export function withRoom(buffer: Uint8Array, used: number, size: number): Uint8Array {
  if (size <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.max(size, buffer.length * 2, 64));
  larger.set(buffer.subarray(0, used));
  return larger;
}

/** Reads a stream to its end. Resolves with undefined if it has more than `maxBytes`; the rest is then cancelled. */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  let buffer: Uint8Array = new Uint8Array();
  let used = 0;
  const reader = stream?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    const size = used + part.value.length;
    if (size > maxBytes) {
      void reader?.cancel().catch(() => {});
      return undefined;
    }
    buffer = withRoom(buffer, used, size);
    buffer.set(part.value, used);
    used = size;
  }
  return buffer.subarray(0, used);
}
