import { basicCredentials } from "../client/basic.js";
import {
  acceptedIssuer,
  checkedUrl,
  claimsOf,
  fetchJson,
  readIssuerMetadata,
  unknownIssuers,
} from "./issuer.js";
import type { Claims, Verifier } from "./model.js";

/** How a server introspects tokens at an authorization server (RFC 7662). */
export interface IntrospectionOptions {
  /** The client id of this server at the authorization server. */
  readonly id: string;
  readonly secret: string;
  /** The issuer that is asked; required if `protect` accepts several. */
  readonly issuer?: string | undefined;
  /**
   * The URL of the introspection endpoint; by default that of the issuer's
   * metadata.
   */
  readonly endpoint?: string | undefined;
  /**
   * The form of the tokens, such as `/^at_[\w-]{43}$/`: others are rejected
   * without a request, so that invented tokens cause none.
   */
  readonly form?: RegExp | undefined;
  /**
   * How the secret is sent: in the header `Authorization`, or in the body. By
   * default as the metadata says, else `basic`.
   */
  readonly method?: "basic" | "post" | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Verifies access tokens, also opaque ones, by asking the authorization server
 * (RFC 7662). Each call sends a request. Rejects if the authorization server
 * does not answer; the message has neither the token nor the secret.
 *
 * @throws TypeError if `id` or `secret` is empty, or `endpoint` is not an https
 *   URL.
 */
export function introspection(options: IntrospectionOptions): Verifier {
  const { id, secret } = options;
  if (!id || !secret)
    throw new TypeError("introspection: `id` and `secret` must not be empty.");
  if (options.endpoint !== undefined)
    checkedUrl(options.endpoint, "introspection: endpoint");
  const endpoints = new Map<string, Promise<Endpoint>>();

  const reportUnknown = unknownIssuers();
  return async (token, context) => {
    const { issuers, reporting = {} } = context;
    if (options.form && token.search(options.form) < 0) return undefined;
    const issuer = await acceptedIssuer(
      context,
      options.issuer ?? (issuers.length === 1 ? issuers[0] : undefined),
    );
    if (issuer === undefined)
      throw new TypeError(
        "introspection: `issuer` must be one of the issuers whose tokens are accepted.",
      );
    // A JWT says itself when it expires.
    const { iss: named, exp } = claimsOf(token) ?? {};
    if (typeof exp === "number" && exp * 1000 <= Date.now()) return undefined;
    const fetch = options.fetch ?? globalThis.fetch;
    let endpoint = endpoints.get(issuer);
    if (!endpoint)
      endpoints.set(issuer, (endpoint = findEndpoint(issuer, options, fetch)));
    try {
      const { url, method } = await endpoint;
      const body = new URLSearchParams({
        token,
        token_type_hint: "access_token",
      });
      const headers: Record<string, string> = {};
      if (method === "post") {
        body.set("client_id", id);
        body.set("client_secret", secret);
      } else headers["authorization"] = basicCredentials(id, secret);
      const { status, document } = await fetchJson(url, fetch, {
        method: "POST",
        headers,
        body,
      });
      if (status !== 200)
        throw new Error(`${url} answered with status ${status}.`);
      if (!document)
        throw new Error(`${url} did not answer with a JSON object.`);
      if (document["active"] !== true || isRefreshToken(document)) {
        if (
          named !== undefined &&
          (await acceptedIssuer(context, named)) === undefined
        )
          reportUnknown(named, reporting);
        return undefined;
      }
      const { iss = issuer } = document;
      // A server with several issuers asks each about its own tokens.
      const other = await acceptedIssuer(context, iss);
      return other !== undefined && other !== issuer
        ? undefined
        : { ...document, iss };
    } catch (cause) {
      // The metadata may have changed.
      endpoints.delete(issuer);
      throw new Error(
        `${issuer} could not verify a token: ${(cause as Error).message}`,
        { cause },
      );
    }
  };
}

interface Endpoint {
  readonly url: string;
  readonly method: "basic" | "post";
}

async function findEndpoint(
  issuer: string,
  { endpoint, method }: IntrospectionOptions,
  fetch: typeof globalThis.fetch,
): Promise<Endpoint> {
  if (endpoint !== undefined)
    return { url: endpoint, method: method ?? "basic" };
  const metadata = await readIssuerMetadata(issuer, fetch);
  const url = metadata["introspection_endpoint"];
  if (typeof url !== "string")
    throw new Error(
      "its metadata has no introspection endpoint; set the option `endpoint`.",
    );
  const supported =
    metadata["introspection_endpoint_auth_methods_supported"] ??
    metadata["token_endpoint_auth_methods_supported"];
  const has = (name: string): boolean =>
    Array.isArray(supported) && supported.includes(name);
  const isPost = has("client_secret_post") && !has("client_secret_basic");
  const { href } = checkedUrl(url, `introspection_endpoint of ${issuer}`);
  return { url: href, method: method ?? (isPost ? "post" : "basic") };
}

/**
 * True for a refresh token. Some authorization servers introspect these too,
 * and mark them with a member of their own.
 */
const isRefreshToken = ({ token_type, token_use, typ }: Claims): boolean =>
  [token_type, token_use, typ].some((kind) =>
    /^(refresh|offline)/i.test(String(kind)),
  );
