/**
 * A `Uint8Array` with its own buffer, in the type that each supported
 * TypeScript version gives it.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor["from"]>;

/**
 * What platforms have for base64, some of them under one name and some under
 * the other.
 */
interface Platform {
  readonly Buffer?: {
    from(bytes: ArrayBufferLike, start: number, length: number): Encoder;
  };
}
interface Encoder {
  toString(encoding: "base64"): string;
}

/**
 * Encodes bytes as base64, by the platform if it can: that takes a hundredth of
 * the time.
 */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as { toBase64?(): string }).toBase64?.();
  if (native !== undefined) return native;
  const { Buffer: NodeBuffer } = globalThis as Platform;
  if (NodeBuffer)
    return NodeBuffer.from(
      bytes.buffer,
      bytes.byteOffset,
      bytes.length,
    ).toString("base64");
  let text = "";
  // The number of arguments of a function is limited.
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}

/** Decodes base64. Returns undefined for text that is not base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}

/** Encodes bytes as base64url without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/**
 * Decodes base64url. Returns undefined for any other text than `toBase64Url`
 * makes of these bytes: several can decode to the same.
 */
export function fromBase64Url(text: string): Bytes | undefined {
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes && toBase64Url(bytes) === text ? bytes : undefined;
}

/** The SHA-256 of a text, as base64url. */
export async function sha256(text: string): Promise<string> {
  return toBase64Url(
    new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)),
    ),
  );
}
