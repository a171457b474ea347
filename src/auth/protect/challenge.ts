/** A challenge of the header `WWW-Authenticate`. Omits parameters without a value. */
export function challenge(
  scheme: "Bearer" | "DPoP",
  params: Readonly<Record<string, string | undefined>>,
): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}=${quote(value)}`],
  );
  return pairs.length === 0 ? scheme : `${scheme} ${pairs.join(", ")}`;
}

/** A quoted string of RFC 9110, section 5.6.4, in ASCII without control characters. */
const quote = (text: string): string => `"${text.replace(/[^ -~]/g, "?").replace(/["\\]/g, "\\$&")}"`;
