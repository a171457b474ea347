import { toBase64 } from "../../common/base64.js";

/**
 * The value of `Authorization` with the credentials of RFC 6749, section 2.3.1,
 * which are form-encoded. Many servers do not decode them, so only characters
 * that decoding would change are encoded.
 */
export function basicCredentials(id: string, secret: string): string {
  const encode = (text: string): string =>
    text.replace(/[%+]|[^!-~]/gu, encodeURIComponent);
  const pair = `${encode(id).replaceAll(":", "%3A")}:${encode(secret)}`;
  return `Basic ${toBase64(new TextEncoder().encode(pair))}`;
}
