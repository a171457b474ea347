import { rpcError } from "../errors.js";

/**
 * Writes a URI so that equal ones have equal text: as `normalizeText` does, and
 * an empty path as `/` (RFC 3986, section 6.2.3).
 */
export const normalizeUri = (uri: string): string =>
  normalizeText(uri).replace(/^(https?:\/\/[^/?#]+)(?=[?#]|$)/i, "$1/");

/**
 * Writes a part of a URI, such as literal text of a URI template, so that equal
 * ones have equal text. Characters that a URI cannot have are percent-encoded
 * (RFC 6570, section 3.1). The hex digits of escapes are upper case, and
 * escapes of letters, digits, `-`, `_` and `~` are decoded (RFC 3986, section
 * 6.2.2). An escaped dot stays: `%2E%2E` is not a segment `..`.
 */
export function normalizeText(uri: string): string {
  if (!/[^!#$&-;=?-[\]_a-z~]/.test(uri)) return uri;
  return uri
    .replace(/%[\da-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(
        Number.parseInt(escape.slice(1), 16),
      );
      return /[\w~-]/.test(character) ? character : escape.toUpperCase();
    })
    .replace(/[^!#-;=?-[\]_a-z~]+/g, encodeText);
}

function encodeText(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half of a surrogate pair stays.
    return text;
  }
}

/**
 * A value that could lead to a file outside of the template: a segment `..`, an
 * absolute path, a Windows drive, or a NUL character.
 */
const traversal = /(^|[/\\])\.\.([/\\]|$)|\0|^[/\\]|^[a-z]:/i;

/**
 * Rejects text that is not a URI (RES-07), and a URI with path traversal, which
 * could lead a handler to a file outside of the template (RES-06). `variables`
 * holds the decoded values of the template's variables. A value that begins
 * with a slash is only allowed if it is the whole path of the URI, as in
 * `file://{+path}`.
 *
 * @throws McpError "invalid params", with the URI in its data.
 */
export function checkUri(
  uri: string,
  variables: Readonly<Record<string, string>> = {},
): void {
  const uriError = (why: string): Error =>
    rpcError("INVALID_PARAMS", `${JSON.stringify(uri)} ${why}.`, { uri });
  // A space is common in what people and models write, and means what `%20`
  // does.
  if (/[\0-\x1f"<>\\^`{|}\x7f]/.test(uri)) throw uriError("is not a URI");
  const path = /^[^:/?#]+:\/\/(\/[^/?#][^?#]*)/.exec(uri)?.[1];
  for (const [name, value] of Object.entries(variables)) {
    const isPath = path !== undefined && value === decode(path);
    if (traversal.test(isPath ? value.replace(/^\/([a-z]:\/)?/i, "") : value)) {
      throw uriError(`has path traversal in the variable ${name}`);
    }
  }
}

/** The text that a part of a URI encodes; undefined if that is not UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
