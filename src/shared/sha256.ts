import { toBase64Url } from "./base64.js";

/** The SHA-256 of a text, as base64url. */
export async function sha256(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
