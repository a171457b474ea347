import { isObject } from "../../common/object.js";
import { AuthorizationError, quote } from "./error.js";
import { authFetch } from "./fetch.js";
import { isSameIssuer, spellingsOf } from "./issuers.js";
import {
  type AuthorizationMetadata,
  deviceCode,
  type KnownClient,
} from "./model.js";
import type { Context, TokenRequest } from "./options.js";
import {
  type Grant,
  type Registration,
  registrationKey,
  type TokenStore,
} from "./store.js";
import { scopesIn, union } from "./scopes.js";
import { isLoopback } from "../../common/addresses.js";

/**
 * The stored registration of this client at an authorization server; undefined
 * if there is none, or it has expired.
 */
export async function readRegistration(
  store: TokenStore,
  issuer: string,
): Promise<Registration | undefined> {
  const value = await store.get(registrationKey(issuer));
  if (value?.kind !== "registration") return undefined;
  return value.expires !== undefined && value.expires <= Date.now()
    ? undefined
    : value;
}

/**
 * Removes the registration with this client id, if it is still the stored one.
 */
export async function forgetRegistration(
  store: TokenStore,
  issuer: string,
  clientId: string,
): Promise<void> {
  const registration = await readRegistration(store, issuer);
  if (registration?.clientId === clientId)
    await store.set(registrationKey(issuer), undefined);
}

/** The client of a registration. */
const registeredClient = ({
  clientId,
  clientSecret,
  method,
}: Registration): KnownClient => ({
  id: clientId,
  secret: clientSecret,
  method,
  isDynamic: true,
});

/**
 * Chooses one of several authorization servers of a server: one that this
 * client has credentials for, or else the first (AUTH-14).
 */
export async function chooseIssuer(
  { server, options }: Context,
  issuers: readonly string[],
  {
    store,
    grant,
  }: { readonly store: TokenStore; readonly grant: Grant | undefined },
): Promise<string> {
  const { chooseIssuer: choose, client, login } = options;
  if (choose) return choose(issuers, server);
  const loginIssuer = login && "token" in login ? login.issuer : undefined;
  for (const known of [loginIssuer, client?.issuer, grant?.issuer]) {
    const match = issuers.find(
      (one) => known !== undefined && isSameIssuer(options, known, one),
    );
    if (match !== undefined) return match;
  }
  const [first = ""] = issuers;
  if (issuers.length > 1)
    for (const issuer of issuers)
      for (const spelling of spellingsOf(options, issuer))
        if (await readRegistration(store, spelling)) return issuer;
  return first;
}

/**
 * What the URL of a metadata document does not have, which is a client id
 * exactly as it is written (draft of the OAuth Client ID Metadata Document).
 */
const excluded: readonly (readonly [RegExp, string])[] = [
  [/[\s\\]/, "a blank or a backslash"],
  [/#/, "a fragment"],
  [/^[^/]*\/\/[^/?]*@/, "a user name or a password"],
  [/^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i, 'a segment "." or ".."'],
];

/**
 * Checks the URL of the metadata document of this client, before it is sent
 * anywhere (AUTH-21).
 *
 * @throws TypeError with the rule that it breaks.
 */
export function checkMetadataUrl(url: string): void {
  const fault = excluded.find(([form]) => form.test(url));
  if (!fault && URL.canParse(url) && /^https:\/\/[^/?]+\/[^?]/i.test(url))
    return;
  const rule = fault ? `a URL without ${fault[1]}` : "an https URL with a path";
  throw new TypeError(
    `client.metadataUrl: expected ${rule}, got ${quote(url)}.`,
  );
}

/**
 * The client of the options: with its `id`, or with the URL of its metadata
 * document if the authorization server supports that (AUTH-20, AUTH-21).
 * Undefined if it must register.
 */
function configuredClient(
  context: Context,
  as: AuthorizationMetadata,
): KnownClient | undefined {
  const { options, server } = context;
  const { id, issuer, metadataUrl } = options.client ?? {};
  if (id !== undefined) {
    if (issuer === undefined || isSameIssuer(options, issuer, as.issuer))
      return { ...options.client, id };
    const message = `The client id belongs to ${issuer}, but ${server.host} uses ${as.issuer}. Register a client there, and set \`client.id\` and \`client.issuer\`.`;
    throw new AuthorizationError("registration", message, server, {
      issuer: as.issuer,
    });
  }
  if (
    metadataUrl === undefined ||
    as["client_id_metadata_document_supported"] !== true
  )
    return undefined;
  if (context.refusedDocuments.has(as.issuer)) return undefined;
  return { ...options.client, id: metadataUrl };
}

/**
 * Notes that an authorization server refuses a client, if that is the metadata
 * document of this client: it then registers there. After `timeout`, perhaps
 * because the server has shown an error page, the document counts as refused
 * only if there is such a way.
 */
export function noteRefusedDocument(
  { options: { client = {} }, refusedDocuments }: Context,
  { issuer, registration_endpoint: endpoint }: AuthorizationMetadata,
  clientId: string,
  { reason }: AuthorizationError,
): void {
  const mayRegister = endpoint !== undefined && client.dynamic !== false;
  if (clientId === client.metadataUrl && (reason !== "timeout" || mayRegister))
    refusedDocuments.add(issuer);
}

/** The client with this id, which obtained a grant before (AUTH-26). */
export async function clientOf(
  context: Context,
  store: TokenStore,
  as: AuthorizationMetadata,
  id: string,
): Promise<KnownClient> {
  const userClient = configuredClient(context, as);
  if (userClient?.id === id) return userClient;
  const registration = await readRegistration(store, as.issuer);
  return registration?.clientId === id
    ? registeredClient(registration)
    : { id };
}

/**
 * The client at this authorization server. Registers it if needed. A
 * registration is for one redirect URI (AUTH-26).
 */
export async function knownClient(
  { context, store, as, params }: TokenRequest,
  redirectUri: string | undefined,
): Promise<KnownClient> {
  const userClient = configuredClient(context, as);
  if (userClient) return userClient;
  const previous = await readRegistration(store, as.issuer);
  if (previous && previous.redirectUri === redirectUri)
    return registeredClient(previous);
  const registration = await register(
    context,
    as,
    redirectUri,
    registeredScope(params["scope"], as),
  );
  await store.set(registrationKey(as.issuer), registration);
  return registeredClient(registration);
}

/**
 * The scopes to register for: those that are requested, and all that the
 * authorization server publishes. A client that later signs in for more stays
 * the same client, so its sessions go on.
 */
const registeredScope = (
  requested: string | undefined,
  { scopes_supported: supported = [] }: AuthorizationMetadata,
): string | undefined =>
  requested && union(scopesIn(requested), supported).join(" ");

/**
 * Registers this client (RFC 7591) for one redirect URI, or for the device
 * grant without one (AUTH-23, AUTH-24, AUTH-28). `scope` is what will be
 * requested: without it, some servers register a default and refuse each
 * sign-in. Others refuse a registration that names scopes.
 */
async function register(
  context: Context,
  as: AuthorizationMetadata,
  redirectUri: string | undefined,
  scope: string | undefined,
): Promise<Registration> {
  const { options, server } = context;
  const { issuer, registration_endpoint: endpoint } = as;
  const { metadataUrl } = options.client ?? {};
  const refused =
    metadataUrl !== undefined && context.refusedDocuments.has(issuer)
      ? ` It has refused the metadata document ${metadataUrl}.`
      : "";
  const registrationError = (why: string, code?: string): AuthorizationError =>
    new AuthorizationError(
      "registration",
      `${why}${refused} Register a client there by hand${redirectUri === undefined ? "" : ` with the redirect URI ${redirectUri}`}, and set \`client.id\`.`,
      server,
      {
        issuer,
        code,
      },
    );
  if (options.client?.dynamic === false || endpoint === undefined)
    throw registrationError(
      `This client is not registered at ${issuer}, the authorization server of ${server.host}.`,
    );
  context.report("register", issuer);
  const supported = as.token_endpoint_auth_methods_supported ?? ["none"];
  const methods = ["none", "client_secret_basic", "client_secret_post"];
  const url = redirectUri === undefined ? undefined : new URL(redirectUri);
  const isWeb = url?.protocol === "https:" && !isLoopback(url.hostname);
  const metadata = {
    client_name: options.client?.name ?? "MCP client",
    redirect_uris: url ? [redirectUri] : [],
    grant_types: [
      url ? "authorization_code" : deviceCode,
      ...((as.grant_types_supported?.includes("refresh_token") ?? true)
        ? ["refresh_token"]
        : []),
    ],
    response_types: url ? ["code"] : [],
    token_endpoint_auth_method:
      methods.find((method) => supported.includes(method)) ?? "none",
    application_type: isWeb ? "web" : "native",
    scope,
  };
  const response = await authFetch(context, endpoint, "a registration", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(metadata),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const body = isObject(answer) ? answer : {};
  const {
    client_id: clientId,
    client_secret: secret,
    client_secret_expires_at: until,
  } = body;
  if (!response.ok || typeof clientId !== "string") {
    const { error, error_description: detail } = body;
    if (error === "invalid_client_metadata" && scope !== undefined)
      return register(context, as, redirectUri, undefined);
    const details = [error, detail]
      .filter((one) => typeof one === "string")
      .map(quote)
      .join(", ");
    // The error shows the redirect URI and the reason of the server, so that a
    // person can register the client (AUTH-25).
    throw registrationError(
      `${issuer} answers ${response.status} to the registration of this client${details && `: ${details}`}.`,
      typeof error === "string" ? error : undefined,
    );
  }
  const method = body["token_endpoint_auth_method"];
  return {
    kind: "registration",
    issuer,
    clientId,
    ...(redirectUri !== undefined && { redirectUri }),
    ...(typeof secret === "string" &&
      secret !== "" && { clientSecret: secret }),
    ...(typeof method === "string" && { method }),
    ...(typeof until === "number" && until > 0 && { expires: until * 1000 }),
  };
}
