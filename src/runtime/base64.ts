/** Bytes in a buffer of their own, as every supported compiler calls them. */
export type Bytes = ReturnType<Uint8ArrayConstructor["from"]>;

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // A function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** The bytes that base64 stands for; undefined where it is none. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
