/**
 * Returns a buffer that has room for `size` bytes and begins with the first
 * `used` bytes of another one: that buffer itself, or one of at least twice its
 * size. A buffer that grows in this way takes little more memory than its
 * bytes, however small the chunks are.
 */
export function withRoom(
  buffer: Uint8Array,
  used: number,
  size: number,
): Uint8Array {
  if (size <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.max(size, buffer.length * 2, 64));
  larger.set(buffer.subarray(0, used));
  return larger;
}
