import {
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from "oauth4webapi";
import { libraryClient } from "./client-auth.js";
import { AuthorizationError, adviceOn, quote } from "./error.js";
import { adviceFor, isAnswerOf } from "./issuers.js";
import type {
  AuthorizationMetadata,
  IssuerFacts,
  KnownClient,
  Tokens,
} from "./model.js";
import type { Context, TokenRequest } from "./options.js";
import { hide } from "./secrets.js";
import { requestTokens } from "./tokens.js";
import { checkUrl } from "./urls.js";
import { isLoopback } from "../../common/addresses.js";

/** The values that one sign-in sends, and that its answer must match. */
interface CodeRequest {
  readonly redirectUri: string;
  readonly state: string;
  /** The secret of this client that the code is bound to (PKCE, RFC 7636). */
  readonly verifier: string;
}

/** Creates the secrets of a new sign-in. `state` ends with `stateSuffix`. */
export const newCodeRequest = (
  redirectUri: string,
  stateSuffix = "",
): CodeRequest => ({
  redirectUri,
  state: generateRandomState() + stateSuffix,
  verifier: generateRandomCodeVerifier(),
});

/**
 * Checks that the authorization code flow can be used at an authorization
 * server with this redirect URI: on this machine, at an https URL, or with a
 * scheme of the application (AUTH-31, AUTH-37).
 *
 * @throws AuthorizationError with the reason `metadata` or `unsafe-url`.
 */
export function checkCodeFlow(
  { server, report }: Context,
  as: AuthorizationMetadata,
  redirectUri: string,
): void {
  const { issuer, authorization_endpoint: endpoint, hasPkce } = as;
  const metadataError = (
    why: string,
    facts?: IssuerFacts,
  ): AuthorizationError =>
    new AuthorizationError(
      "metadata",
      `The authorization server ${issuer} of ${server.host} ${why}.`,
      server,
      { issuer, issuers: facts && { [issuer]: facts } },
    );
  if (endpoint === undefined)
    throw metadataError(
      "has no authorization endpoint: use a grant that needs no person, such as clientCredentials",
    );
  if (!hasPkce) {
    const why =
      'which the specification forbids clients to accept ("Authorization Code Protection"): without PKCE, a stolen code can be used';
    const isSilent = as.code_challenge_methods_supported === undefined;
    throw metadataError(
      isSilent
        ? `does not publish \`code_challenge_methods_supported\`, ${why}. If the documentation of its provider promises PKCE with S256, add issuers: { ${quote(issuer)}: { pkce: "S256" } }`
        : `publishes no "S256" in \`code_challenge_methods_supported\`, ${why}. Its operator must support PKCE with S256`,
      isSilent ? { pkce: "S256" } : undefined,
    );
  }
  if (hasPkce === "assumed") report("assume-pkce", issuer);
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isSafe =
    url?.protocol === "https:" ||
    (url?.protocol === "http:" && isLoopback(url.hostname)) ||
    (url && /^[a-z][a-z0-9+-]*\./.test(url.protocol));
  if (isSafe) return;
  const message = `The redirect URI ${quote(redirectUri)} is neither an https URL nor on this machine.`;
  throw new AuthorizationError("unsafe-url", message, server);
}

/** The URL of the page where a person signs in. */
export async function signInUrl(
  { context, as, params }: TokenRequest,
  client: KnownClient,
  { redirectUri, state, verifier }: CodeRequest,
): Promise<string> {
  const url = checkUrl(
    as.authorization_endpoint,
    "its page to sign in",
    context,
  );
  const query = {
    ...params,
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    // Without it, OpenID Connect servers leave out the refresh token.
    ...(params["scope"]?.split(" ").includes("offline_access") && {
      prompt: params["prompt"] ?? "consent",
    }),
  };
  for (const [name, value] of Object.entries(query))
    url.searchParams.set(name, value);
  return url.href;
}

/**
 * Checks the answer to a sign-in, and exchanges its code for tokens.
 *
 * @throws AuthorizationError with the reason `denied`, `scope` or `grant` if
 *   the authorization server rejects the sign-in. The reason is `issuer` if the
 *   answer does not belong to it, and `grant` unless the answer has exactly one
 *   code.
 */
export async function exchangeCode(
  { context, as, params }: TokenRequest,
  client: KnownClient,
  { redirectUri, state, verifier }: CodeRequest,
  answer: URLSearchParams,
): Promise<Tokens> {
  const { server, options } = context;
  const { issuer } = as;
  let response: URLSearchParams;
  try {
    // If the user accepts two names of an issuer (option `issuers`), its answer
    // may have either.
    const iss = answer.get("iss");
    const metadata =
      iss !== null && isAnswerOf(options, issuer, iss)
        ? { ...as, issuer: iss }
        : as;
    response = validateAuthResponse(
      metadata,
      libraryClient(context, as, client.id),
      answer,
      state,
    );
  } catch (error) {
    // An answer whose `state` or `iss` does not match belongs to another
    // sign-in; its texts are not shown (AUTH-34, AUTH-36).
    if (!(error instanceof AuthorizationResponseError)) {
      const iss = answer.get("state") === state && answer.get("iss");
      const advice = iss && iss !== issuer ? adviceFor(issuer, iss) : undefined;
      const why = advice
        ? `it names another issuer, ${quote(iss)}. ${advice.text}`
        : quote((error as Error).message);
      const message = `The answer to the sign-in at ${issuer} is not used: ${why}.`;
      throw new AuthorizationError("issuer", message, server, {
        issuer,
        issuers: advice?.issuers,
      });
    }
    const [code, detail] = [error.error, error.error_description].map(
      (one) => one && hide(one, [state]),
    );
    const message = `${issuer} ended the sign-in for ${server.host}: ${quote(code)}${detail === undefined ? "" : `, ${quote(detail)}`}. ${adviceOn(code)}`;
    const reason =
      error.error === "access_denied"
        ? "denied"
        : error.error === "invalid_scope"
          ? "scope"
          : "grant";
    throw new AuthorizationError(reason, message, server, { issuer, code });
  }
  const [code = "", ...more] = response.getAll("code");
  if (code === "" || more.length > 0) {
    const message = `The answer to the sign-in at ${issuer} is not used: it has ${more.length > 0 ? "several codes" : "no code"} in place of one. Sign in again.`;
    throw new AuthorizationError("grant", message, server, { issuer });
  }
  const { resource } = params;
  return requestTokens(context, as, client, "authorization_code", {
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...(resource !== undefined && { resource }),
  });
}
