import { usageError } from "../command-error.js";

/** Headers that the connection sets. */
const reserved = new Set([
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Parses headers of the command line, `Name: value` each. Messages never quote
 * a value.
 */
export function readHeaders(
  texts: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map(readHeader));
}

function readHeader(text: string): [name: string, value: string] {
  const match = /^([\w!#$%&'*+.^`|~-]+):(.*)$/s.exec(text.trim());
  if (match === null) {
    const hint = 'for example --header "Authorization: Bearer $TOKEN"';
    throw usageError(
      "MG702",
      "--header must be a name, a colon and a value",
      hint,
    );
  }
  const [, name = "", rest = ""] = match;
  const value = rest.trim();
  if (reserved.has(name.toLowerCase())) {
    throw usageError(
      "MG702",
      `the header ${name} cannot be set`,
      "leave it out",
    );
  }
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw usageError(
      "MG702",
      `the value of the header ${name} has invalid characters`,
      "remove control characters and characters outside of Latin-1",
    );
  }
  // A variable that is not set leaves only the scheme: `Bearer $TOKEN`.
  const isBare =
    name.toLowerCase() === "authorization" &&
    /^(bearer|basic|token)$/i.test(value);
  if (value === "" || isBare) {
    throw usageError(
      "MG702",
      `the header ${name} has no value`,
      "check that its variable is set",
    );
  }
  return [name, value];
}
