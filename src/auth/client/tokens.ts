import {
  allowInsecureRequests,
  customFetch,
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  ResponseBodyError,
} from "oauth4webapi";
import { isObject, type JsonObject } from "../../common/object.js";
import { clientAuth, libraryClient, tokenEndpointOf } from "./client-auth.js";
import { AuthorizationError, quote } from "./error.js";
import { authFetch } from "./fetch.js";
import type { AuthorizationMetadata, KnownClient, Tokens } from "./model.js";
import type { Context } from "./options.js";
import { bindsTokens } from "./proofs.js";
import { hide, hideInCode, secretsIn } from "./secrets.js";

/** The error of OAuth that a library found in an answer; undefined for any other error. */
export const oauthErrorOf = (error: unknown): ResponseBodyError | undefined =>
  error instanceof ResponseBodyError ? error : undefined;

/**
 * Requests tokens from a token endpoint. Without a client, the parameters alone authenticate the request.
 *
 * @throws AuthorizationError with the reason `network` if the error may be temporary, for example a response of a proxy that is not OAuth;
 * otherwise `scope` or `grant` with the `code` of the server. An `EndedGrantError` if it is never to be sent again.
 */
export async function requestTokens(
  context: Context,
  as: AuthorizationMetadata,
  client: KnownClient | undefined,
  grantType: string,
  params: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const { issuer } = as;
  const { server } = context;
  context.report(grantType === "refresh_token" ? "refresh" : "token", issuer);
  // The library requires an id; without a client, none is sent.
  const oauthClient = libraryClient(context, as, client?.id ?? "none");
  const auth = client ? clientAuth(context, as, client) : (): void => {};
  const tokenUrl = tokenEndpointOf(context, as);
  const proofs = bindsTokens(as) ? context.proofs : undefined;
  // A request for tokens is never cancelled, because its answer may contain the only valid refresh token.
  const uncancelledContext = { ...context, signal: undefined };
  let status = 0;
  let isOAuth = true;
  let isOAuthError = false;
  const send = async (): Promise<Response> => {
    const headers = proofs ? { dpop: await proofs.make("POST", tokenUrl) } : {};
    return genericTokenEndpointRequest(
      as,
      oauthClient,
      auth,
      grantType,
      { ...params },
      {
        headers,
        [allowInsecureRequests]: true,
        [customFetch]: async (url, init) => {
          const response = await authFetch(uncancelledContext, url, "a token", init as RequestInit);
          ({ status } = response);
          proofs?.read(new URL(url).origin, response.headers.get("dpop-nonce"));
          const text = await response.text();
          const body = parseBody(text);
          isOAuth = body !== undefined;
          isOAuthError = typeof body?.["error"] === "string";
          return body
            ? normalize(response, body, secretsIn(init as RequestInit))
            : new Response(text, { status });
        },
      },
    );
  };
  const read = async (response: Response): Promise<Tokens> => {
    // The result of a token exchange need not be an access token; its `token_type` is then `N_A` (RFC 8693, section 2.2.1).
    const recognizedTokenTypes = "requested_token_type" in params ? { n_a: () => {} } : {};
    const answer = await processGenericTokenEndpointResponse(as, oauthClient, response, {
      recognizedTokenTypes,
    });
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: lifetime,
      token_type,
    } = answer;
    const type = answer["issued_token_type"] as string | undefined;
    const isBound = proofs !== undefined && token_type === "dpop";
    return { clientId: client?.id ?? "", accessToken, refreshToken, lifetime, isBound, type };
  };
  try {
    return await read(await send()).catch(async (error: unknown) => {
      // The server requires a nonce in the proof, and its response contains one.
      const isNonce = proofs && oauthErrorOf(error)?.error === "use_dpop_nonce";
      if (!isNonce) throw error;
      return read(await send());
    });
  } catch (cause) {
    if (cause instanceof AuthorizationError) throw cause;
    const isTemporary = status >= 500 || status === 408 || status === 429;
    const answer = oauthErrorOf(cause);
    if (answer && !isTemporary) {
      const { error: code, error_description: detail } = answer;
      const message = `${issuer} issued no token for ${server.host}: ${quote(code)}${detail === undefined ? "" : `, ${quote(detail)}`}.`;
      const Kind =
        code === "invalid_grant" || isUnknownClient({ code }) ? EndedGrantError : AuthorizationError;
      throw new Kind(code === "invalid_scope" ? "scope" : "grant", message, server, { issuer, code });
    }
    // Such an answer is about this request, except those of a proxy or a firewall.
    const isEnd = status >= 400 && status < 500 && !isOAuthError && ![403, 407, 408, 429].includes(status);
    const isForbidden = status >= 400 && !isEnd;
    const reason = isEnd ? "grant" : isForbidden || !isOAuth ? "network" : "grant";
    const why = isTemporary
      ? `it answers ${status}`
      : isOAuth
        ? quote((cause as Error).message)
        : `its answer with the status ${status} is neither JSON nor a form`;
    // The cause is left out, since it may hold the answer with its tokens.
    throw new (isEnd ? EndedGrantError : AuthorizationError)(
      reason,
      `${issuer} issued no token for ${server.host}: ${why}.`,
      server,
      {
        issuer,
      },
    );
  }
}

/** The authorization server rejects a refresh token or a code for ever. */
export class EndedGrantError extends AuthorizationError {}

/** True if the authorization server does not know this client, or no longer. */
export const isUnknownClient = ({ code }: Pick<AuthorizationError, "code">): boolean =>
  code !== undefined && /^(invalid_client(_metadata)?|unauthorized_client)$/.test(code);

/** The maximum lifetime of a token, in seconds; a longer one is shortened to it. */
const maxLifetime = 1e9;

/**
 * Converts the answer of a token endpoint to the form of RFC 6749. Some servers send a form, an error with status 200, or members that are
 * null or of another type. An ID token is omitted, because it is not used. An error may repeat the `secrets` of the request.
 */
function normalize(response: Response, body: JsonObject, secrets: readonly string[]): Response {
  const isError = typeof body["error"] === "string";
  const [code, description] = [textIn(body, "error"), textIn(body, "error_description")];
  const status =
    isError && response.ok ? 400 : isError ? response.status : response.ok ? 200 : response.status;
  const { expires_in: lifetimeValue } = body;
  const lifetime =
    typeof lifetimeValue === "number" || typeof lifetimeValue === "string" ? Number(lifetimeValue) : 0;
  const json = JSON.stringify({
    error: code && hideInCode(code, secrets),
    error_description: description && hide(description, secrets),
    // A header can only contain these characters (RFC 6750, section 2.1).
    access_token: /^[!-~]+$/.exec(textIn(body, "access_token") ?? "")?.[0],
    refresh_token: textIn(body, "refresh_token"),
    token_type: textIn(body, "token_type") ?? "Bearer",
    issued_token_type: textIn(body, "issued_token_type"),
    // A token that was just issued has not expired.
    expires_in: lifetime > 0 ? Math.min(lifetime, maxLifetime) : undefined,
  });
  return new Response(json, { status, headers: { "content-type": "application/json" } });
}

const textIn = (body: JsonObject, name: string): string | undefined => {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
};

function parseBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    const form = Object.fromEntries(new URLSearchParams(text));
    return "access_token" in form || "error" in form ? form : undefined;
  }
}
