import { createHash } from "node:crypto";
import { withoutLayout } from "../../common/tokens.js";

/**
 * The sha256 of a source's text in lower-case hex. CR LF counts as LF, so that
 * a checkout on Windows has the same hash.
 */
export function digestOf(text: string): string {
  return createHash("sha256")
    .update(text.replaceAll("\r\n", "\n"))
    .digest("hex");
}

/**
 * The sha256 of a JSON text in any formatting, which is that of its text with
 * an indentation of two spaces.
 */
export function jsonDigestOf(text: string): string {
  try {
    return digestOf(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  } catch {
    return digestOf(text);
  }
}

/** The sha256 of a schema without what a formatter changes. */
export function tokensDigestOf({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): string {
  return file.endsWith(".json")
    ? jsonDigestOf(text)
    : digestOf(withoutLayout(text));
}
