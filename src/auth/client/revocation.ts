import {
  allowInsecureRequests,
  customFetch,
  processRevocationResponse,
  revocationRequest,
  ResponseBodyError,
} from "oauth4webapi";
import { clientAuth, libraryClient } from "./client-auth.js";
import { AuthorizationError, isAuthorizationError, quote } from "./error.js";
import { authFetch } from "./fetch.js";
import type { AuthorizationMetadata, KnownClient } from "./model.js";
import type { Context } from "./options.js";
import { hideInCode, secretsIn } from "./secrets.js";
import type { Grant } from "./store.js";
import { checkUrl } from "./urls.js";

/** What became of one token at a logout. */
export interface Revocation {
  readonly token: "refresh" | "access";
  /**
   * False if the authorization server does not revoke such tokens: it is valid
   * until it expires.
   */
  readonly isRevoked: boolean;
}

/**
 * Revokes the tokens of a grant (RFC 7009): each of them, because some servers
 * keep the access token when its refresh token is revoked.
 *
 * @throws AuthorizationError with the reason of the first token that could not
 *   be revoked. Its message names each token.
 */
export async function revokeGrant(
  context: Context,
  as: AuthorizationMetadata,
  client: KnownClient,
  { accessToken, refreshToken }: Grant,
): Promise<readonly Revocation[]> {
  const revocations: Revocation[] = [];
  const errors: AuthorizationError[] = [];
  const revoke = async (
    token: Revocation["token"],
    value: string,
  ): Promise<void> => {
    try {
      revocations.push({
        token,
        isRevoked: await revokeToken(context, as, client, token, value),
      });
    } catch (error) {
      errors.push(error as AuthorizationError);
    }
  };
  if (as.revocation_endpoint !== undefined) context.report("revoke", as.issuer);
  if (refreshToken !== undefined) await revoke("refresh", refreshToken);
  await revoke("access", accessToken);
  const [first] = errors;
  if (!first) return revocations;
  const others = revocations.filter(({ isRevoked }) => isRevoked);
  const texts = [
    ...errors.map(({ message }) => message),
    "Remove this client from the account there, or wait until the token expires.",
    ...others.map(({ token }) => `The ${token} token is revoked.`),
  ];
  const { reason, issuer, code } = first;
  throw new AuthorizationError(reason, texts.join(" "), context.server, {
    issuer,
    code,
  });
}

/**
 * Revokes one token. Resolves to false if the authorization server does not
 * revoke such tokens.
 *
 * @throws AuthorizationError, and no other error
 */
async function revokeToken(
  context: Context,
  as: AuthorizationMetadata,
  client: KnownClient,
  token: Revocation["token"],
  value: string,
): Promise<boolean> {
  const { issuer } = as;
  if (as.revocation_endpoint === undefined) return false;
  let status = 0;
  let secrets: readonly string[] = [];
  try {
    checkUrl(
      as.revocation_endpoint,
      "the revocation_endpoint of its authorization server",
      context,
    );
    const response = await revocationRequest(
      as,
      libraryClient(context, as, client.id),
      clientAuth(context, as, client),
      value,
      {
        additionalParameters: { token_type_hint: `${token}_token` },
        [allowInsecureRequests]: true,
        [customFetch]: async (url, init) => {
          secrets = secretsIn(init as RequestInit);
          const answer = await authFetch(
            context,
            url,
            "the revocation of a token",
            init as RequestInit,
          );
          ({ status } = answer);
          return answer;
        },
      },
    );
    await processRevocationResponse(response);
    return true;
  } catch (cause) {
    if (isAuthorizationError(cause)) throw cause;
    const code =
      cause instanceof ResponseBodyError
        ? hideInCode(cause.error, secrets)
        : undefined;
    if (code === "unsupported_token_type") return false;
    const why = code === undefined ? `it answers ${status}` : quote(code);
    const message = `${issuer} did not revoke the ${token} token for ${context.server.host}: ${why}.`;
    const reason =
      status >= 500 || status === 408 || status === 429 ? "network" : "grant";
    throw new AuthorizationError(reason, message, context.server, {
      issuer,
      code,
    });
  }
}
