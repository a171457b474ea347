import { type JsonObject, textsIn } from "../../common/object.js";
import { AuthorizationError, quote } from "./error.js";
import { firstDocument } from "./fetch.js";
import { adviceFor, factsOf, spellingsOf } from "./issuers.js";
import type { AuthorizationMetadata } from "./model.js";
import type { Context } from "./options.js";
import { checkUrl } from "./urls.js";

/**
 * How a server is protected: its own metadata, and that of the chosen
 * authorization server.
 */
export interface Discovery {
  /** The identifier of the server, exactly as it publishes it. */
  readonly resource: string | undefined;
  /** The scopes that the server publishes. */
  readonly scopes: readonly string[];
  readonly as: AuthorizationMetadata;
  /** The URL of the metadata of the server. */
  readonly metadataUrl: string | undefined;
}

/** Input of discovery. */
interface DiscoveryHints {
  /**
   * The `resource_metadata` of the challenge, or the URL that was used before.
   */
  readonly metadataUrl?: string | undefined;
  readonly revision?: string | undefined;
  readonly mayOmitPkce?: boolean | undefined;
  /** Chooses one of several authorization servers. */
  choose(issuers: readonly string[]): Promise<string>;
}

/**
 * Finds the authorization server of an MCP server: by its protected resource
 * metadata (RFC 9728), or, if it has none, at its own origin as in revision
 * 2025-03-26.
 *
 * @throws AuthorizationError with the reason `resource`, `metadata`, `issuer`,
 *   `unsafe-url` or `network`.
 */
export async function discover(
  context: Context,
  hints: DiscoveryHints,
): Promise<Discovery> {
  context.report("discover");
  const result = await firstDocument(
    context,
    resourceAddresses(context, hints),
    "its protected resource metadata",
    "resource",
  );
  if (!result)
    return { ...noMetadata, as: await originServer(context, hints.revision) };
  const [document, metadataUrl] = result;
  checkResource(context, document["resource"]);
  const issuers = textsIn(document["authorization_servers"]);
  const shared = {
    resource: document["resource"],
    scopes: textsIn(document["scopes_supported"]),
    metadataUrl,
  };
  if (issuers.length === 0)
    return { ...shared, as: await originServer(context, hints.revision) };
  return {
    ...shared,
    as: await readIssuer(
      context,
      await hints.choose(issuers),
      hints.mayOmitPkce,
    ),
  };
}

const noMetadata = { resource: undefined, scopes: [], metadataUrl: undefined };

/**
 * The URL of the challenge, then the one for the path of the server, then the
 * one for its origin (AUTH-05).
 */
function resourceAddresses(
  { server }: Context,
  { metadataUrl }: DiscoveryHints,
): string[] {
  const { origin, pathname, search } = server;
  const root = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname === "/" ? "" : pathname;
  return [
    ...new Set([
      ...(metadataUrl === undefined ? [] : [metadataUrl]),
      root + path + search,
      root,
    ]),
  ];
}

/**
 * Rejects metadata about another server. A parent path on the same origin
 * counts as this server (AUTH-07).
 */
function checkResource(
  { server }: Context,
  resource: unknown,
): asserts resource is string {
  const url =
    typeof resource === "string" && URL.canParse(resource)
      ? new URL(resource)
      : undefined;
  const path = url?.pathname.replace(/\/$/, "") ?? "";
  const isParent =
    server.pathname === path || server.pathname.startsWith(`${path}/`);
  if (url?.origin === server.origin && isParent && url.hash === "") return;
  const message = `The metadata of ${server.origin}${server.pathname} is about another server, ${quote(resource)}. Its operator must publish the URL that clients use.`;
  throw new AuthorizationError("resource", message, server);
}

/**
 * The URLs where the metadata of an authorization server may be, in order (RFC
 * 8414, OpenID Connect Discovery; AUTH-08).
 */
function issuerAddresses(issuer: URL): string[] {
  const { origin } = issuer;
  const path = issuer.pathname.replace(/\/$/, "");
  const [oauth, openid] = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
  ];
  const paths =
    path === ""
      ? [oauth, openid]
      : [oauth + path, openid + path, path + openid];
  return paths.map((one) => origin + one);
}

/**
 * Reads the metadata of one authorization server. Its `issuer` must be the
 * requested one, where only a slash after a host may differ, or the one that
 * the option `issuers` accepts (AUTH-09). It is used as the document spells it.
 * That option may also name its endpoints.
 *
 * @throws AuthorizationError with the reason `issuer` for another issuer,
 *   `metadata` if there is no document, `unsafe-url` or `network`.
 */
export async function readIssuer(
  context: Context,
  issuer: string,
  mayOmitPkce = false,
): Promise<AuthorizationMetadata> {
  const { server, options } = context;
  checkIssuer(context, issuer);
  const url = checkUrl(issuer, "its authorization server", context);
  const result = await firstDocument(
    context,
    issuerAddresses(url),
    `the metadata of ${issuer}`,
    "issuer",
  );
  const facts = factsOf(options, issuer);
  if (!result && !facts.endpoints) {
    const message = `The authorization server ${quote(issuer)} of ${server.host} publishes no metadata. If you know its endpoints from its documentation, add issuers: { ${quote(issuer)}: { endpoints: { authorization_endpoint: "…", token_endpoint: "…" } } }.`;
    const endpoints = { authorization_endpoint: "", token_endpoint: "" };
    throw new AuthorizationError("metadata", message, server, {
      issuer,
      issuers: { [issuer]: { endpoints } },
    });
  }
  const [document] = result ?? [{ issuer } as JsonObject];
  const documentIssuer = document["issuer"];
  if (
    typeof documentIssuer !== "string" ||
    !spellingsOf(options, issuer).includes(documentIssuer)
  ) {
    const { text, issuers } = adviceFor(issuer, documentIssuer);
    const message = `The metadata of the authorization server ${quote(issuer)} names another issuer, ${quote(documentIssuer)}. ${text}.`;
    throw new AuthorizationError("issuer", message, server, {
      issuer,
      issuers,
    });
  }
  // A client must not use a server that does not publish support for PKCE,
  // unless a person knows better (AUTH-31).
  const methods = document["code_challenge_methods_supported"] ?? undefined;
  const isAssumed = mayOmitPkce || (facts.pkce === "S256" && "assumed");
  const hasPkce =
    methods === undefined ? isAssumed : textsIn(methods).includes("S256");
  return readMetadata(context, document, documentIssuer, hasPkce);
}

/**
 * The authorization server at the origin of the MCP server, with its metadata
 * or at the default paths (revision 2025-03-26, "Server Metadata Discovery";
 * AUTH-10, AUTH-11, AUTH-12).
 */
async function originServer(
  context: Context,
  revision: string | undefined,
): Promise<AuthorizationMetadata> {
  const { origin } = context.server;
  const headers =
    revision === undefined ? undefined : { "mcp-protocol-version": revision };
  const address = `${origin}/.well-known/oauth-authorization-server`;
  const what = "the metadata of its authorization server";
  const result = await firstDocument(
    context,
    [address],
    what,
    "token_endpoint",
    headers,
  );
  if (!result) {
    const endpoints = {
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
    };
    return readMetadata(context, endpoints, origin, true);
  }
  const [document] = result;
  const methods = document["code_challenge_methods_supported"] ?? undefined;
  const hasPkce = methods === undefined || textsIn(methods).includes("S256");
  // An issuer at another origin is not proven, so the server must not get the
  // credentials that belong to it (AUTH-26).
  const { issuer } = document;
  const isProven =
    typeof issuer === "string" &&
    URL.canParse(issuer) &&
    new URL(issuer).origin === origin;
  if (isProven) checkIssuer(context, issuer);
  return readMetadata(context, document, isProven ? issuer : origin, hasPkce);
}

/**
 * Rejects an issuer that errors cannot show, and that no token could name as an
 * identifier (RFC 8414, section 2).
 */
function checkIssuer({ server }: Context, issuer: string): void {
  if (/^[!-~]+$/.test(issuer)) return;
  const message = `The authorization server of ${server.host} has the issuer ${quote(issuer)}, which is not used: it must be printable ASCII.`;
  throw new AuthorizationError("metadata", message, server);
}

const lists = new Set([
  "scopes_supported",
  "grant_types_supported",
  "token_endpoint_auth_methods_supported",
]);

/**
 * The metadata with its lists as texts. A member that is null, and an empty
 * endpoint, is absent; a URL is checked where it is used.
 */
function readMetadata(
  { options }: Context,
  document: JsonObject,
  issuer: string,
  hasPkce: AuthorizationMetadata["hasPkce"],
): AuthorizationMetadata {
  const members = Object.entries(document).flatMap(([name, value]) => {
    if (value === null || (value === "" && name.endsWith("_endpoint")))
      return [];
    return [[name, lists.has(name) ? textsIn(value) : value]];
  });
  return {
    ...Object.fromEntries(members),
    ...factsOf(options, issuer).endpoints,
    issuer,
    hasPkce,
  };
}

type Hints = Omit<DiscoveryHints, "choose">;

/**
 * How long the result of discovery is used if no request is rejected, in
 * milliseconds.
 */
const maxAge = 3_600_000;

/** The last result of discovery for one server. */
export class DiscoveryCache {
  readonly #discover: (hints: Hints) => Promise<Discovery>;
  #last: { readonly discovery: Discovery; readonly at: number } | undefined;

  constructor(discover: (hints: Hints) => Promise<Discovery>) {
    this.#discover = discover;
  }

  async get(hints: Hints): Promise<Discovery> {
    return this.#last && Date.now() < this.#last.at + maxAge
      ? this.#last.discovery
      : this.renew(hints);
  }

  async renew(hints: Hints): Promise<Discovery> {
    const discovery = await this.#discover(hints);
    this.#last = { discovery, at: Date.now() };
    return discovery;
  }
}
