import { createHash } from "node:crypto";

/**
 * The sha256 of a source's text in lower-case hex. CR LF counts as LF, so that a checkout on Windows has the same hash.
 */
export function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
