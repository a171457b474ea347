import type { ProtectedRequest } from "../protection.js";

/** The access token of a request and the scheme that it came with. */
export interface Credentials {
  readonly scheme: "Bearer" | "DPoP";
  readonly token: string;
}

/** `none` is a request without a token; `malformed` is one whose token cannot be read or is in the URL. */
export type CredentialsError = "none" | "malformed";

const syntax = /^(bearer|dpop)(?: +([\w\-.~+/]+=*))? *$/i;

/** Reads the header `Authorization`. A token in the URL is never accepted, because URLs appear in logs (RFC 6750, section 2). */
export function readCredentials(request: ProtectedRequest): Credentials | CredentialsError {
  if (/[?&]access_token=/i.test(request.url)) return "malformed";
  const text = request.header("authorization");
  if (text === undefined || !/^(bearer|dpop)( |$)/i.test(text)) return "none";
  const [, scheme = "", token] = syntax.exec(text) ?? [];
  if (token === undefined) return "malformed";
  return { scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer", token };
}
