import { createHash } from "node:crypto";

/**
 * The sha256 of a source's text in lower-case hex. CR LF counts as LF, so that a checkout on Windows has the same hash.
 */
export function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** The sha256 of a JSON text in any formatting, which is that of its text with an indentation of two spaces. */
export function jsonDigestOf(text: string): string {
  try {
    return digestOf(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  } catch {
    return digestOf(text);
  }
}
