import { createHash } from "node:crypto";

/**
 * The sha256 of a source's text, in lower-case hex. Its lines count as ending in a line feed, so that a checkout for Windows
 * is the same source, and output made from it is not stale.
 */
export function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
