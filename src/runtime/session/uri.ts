/**
 * Writes a URI, or literal text of a URI template, so that equal ones have equal text. Characters that a URI cannot have are
 * percent-encoded (RFC 6570, section 3.1). The hex digits of escapes are upper case, and escapes of letters, digits, `-`, `_` and `~` are
 * decoded (RFC 3986, section 6.2.2). An escaped dot stays: `%2E%2E` is not a segment `..`.
 */
export function normalizeUri(uri: string): string {
  if (!/[^!#$&-;=?-[\]_a-z~]/.test(uri)) return uri;
  return uri
    .replace(/%[\da-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
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
