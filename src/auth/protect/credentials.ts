/** The access token of a request and the scheme that it came with. */
export interface Credentials {
  /** The value of the header `Authorization` as most clients write it. */
  readonly header: string;
  readonly scheme: "Bearer" | "DPoP";
  readonly token: string;
}

/**
 * `none` is a request without a token; `malformed` is one whose token cannot be
 * read.
 */
type CredentialsError = "none" | "malformed";

const syntax = /^(bearer|dpop)(?: +([\w\-.~+/]+=*))? *$/i;

/** Reads the value of the header `Authorization`. */
export function readCredentials(
  header: string,
): Credentials | CredentialsError {
  if (!/^(bearer|dpop)( |$)/i.test(header)) return "none";
  const [, scheme = "", token] = syntax.exec(header) ?? [];
  if (token === undefined) return "malformed";
  const name = scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer";
  return { header: `${name} ${token}`, scheme: name, token };
}

/**
 * A challenge of the header `WWW-Authenticate`. Omits parameters without a
 * value.
 */
export function challenge(
  scheme: "Bearer" | "DPoP",
  params: Readonly<Record<string, string | undefined>>,
): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}=${quote(value)}`],
  );
  return `${scheme} ${pairs.join(", ")}`;
}

/**
 * A quoted string of RFC 9110, section 5.6.4, in ASCII without control
 * characters.
 */
const quote = (text: string): string =>
  `"${text.replace(/[^ -~]/g, "?").replace(/["\\]/g, "\\$&")}"`;
