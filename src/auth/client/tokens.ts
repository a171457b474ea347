import { getOwn, isObject, type JsonObject } from "../../common/object.js";
import { clientAuth, libraryClient, tokenEndpointOf } from "./client-auth.js";
import {
  AuthorizationError,
  adviceOn,
  type AuthorizationReason,
  quote,
} from "./error.js";
import { authFetch } from "./fetch.js";
import type { AuthorizationMetadata, KnownClient, Tokens } from "./model.js";
import type { Context } from "./options.js";
import { bindsTokens } from "./proofs.js";
import { hide, hideInCode, secretsIn } from "./secrets.js";

/** The answer of a token endpoint. */
interface Answer {
  readonly status: number;
  /** Undefined if it is not of OAuth. */
  readonly body: JsonObject | undefined;
  /** The secrets of the request, which an error may repeat. */
  readonly secrets: readonly string[];
}

/**
 * Requests tokens from a token endpoint. Without a client, the parameters alone
 * authenticate the request.
 *
 * @throws AuthorizationError with the reason `network` if the error may be
 *   temporary, for example a response of a proxy that is not OAuth; otherwise
 *   `scope` or `grant` with the `code` of the server. An `EndedGrantError` if
 *   it is never to be sent again.
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
  const auth = client && clientAuth(context, as, client);
  const tokenUrl = tokenEndpointOf(context, as);
  const proofs = bindsTokens(as) ? context.proofs : undefined;
  const errorOf: ErrorOf = (reason, why, isEnd = false, code?) =>
    new (isEnd ? EndedGrantError : AuthorizationError)(
      reason,
      `${issuer} issued no token for ${server.host}: ${why}. ${reason === "network" ? "Try again later." : adviceOn(code)}`,
      server,
      { issuer, code },
    );
  const send = async (): Promise<Answer> => {
    const form = new URLSearchParams({ ...params, grant_type: grantType });
    const headers = new Headers({ accept: "application/json" });
    if (proofs) headers.set("dpop", await proofs.make("POST", tokenUrl));
    if (client)
      await auth?.(as, libraryClient(context, as, client.id), form, headers);
    return post(context, tokenUrl, form, headers, proofs);
  };
  const sendSafely = (): Promise<Answer> =>
    send().catch((cause: unknown) => {
      // The cause is left out, since it may hold the secrets of the request.
      throw cause instanceof AuthorizationError
        ? cause
        : errorOf("grant", quote((cause as Error).message));
    });
  let answer = await sendSafely();
  // The server requires a nonce in the proof, and its response contains one.
  if (proofs && textIn(answer.body, "error") === "use_dpop_nonce")
    answer = await sendSafely();
  const { status, body } = answer;
  const isTemporary = status >= 500 || status === 408 || status === 429;
  if (!isTemporary) rejectRefusal(answer, errorOf);
  // A header can only contain these characters (RFC 6750, section 2.1).
  const [accessToken] =
    /^[!-~]+$/.exec(textIn(body, "access_token") ?? "") ?? [];
  const type = textIn(body, "token_type")?.toLowerCase() ?? "bearer";
  // The result of a token exchange need not be an access token; its
  // `token_type` is then `N_A` (RFC 8693, section 2.2.1).
  const types = [
    "bearer",
    "dpop",
    ...("requested_token_type" in params ? ["n_a"] : []),
  ];
  if (
    body &&
    status < 300 &&
    accessToken !== undefined &&
    types.includes(type)
  ) {
    const isBound = proofs !== undefined && type === "dpop";
    return tokensIn(body, accessToken, client?.id ?? "", isBound);
  }
  // An answer that is not of OAuth is about this request, except those of a
  // proxy or a firewall.
  const isEnd =
    status >= 400 && status < 500 && ![403, 407, 408, 429].includes(status);
  const why = isTemporary
    ? `it answers ${status}`
    : !body
      ? `its answer with the status ${status} is neither JSON nor a form`
      : accessToken === undefined
        ? `its answer with the status ${status} has no access token that fits in a header`
        : `its token is of the type ${quote(type)}, expected Bearer or DPoP`;
  throw errorOf(
    isEnd || (body && status < 400) ? "grant" : "network",
    why,
    isEnd,
  );
}

async function post(
  context: Context,
  url: URL,
  form: URLSearchParams,
  headers: Headers,
  proofs: Context["proofs"] | undefined,
): Promise<Answer> {
  headers.set(
    "content-type",
    "application/x-www-form-urlencoded;charset=UTF-8",
  );
  const init = {
    method: "POST",
    headers: Object.fromEntries(headers),
    body: form,
  };
  // The request is never cancelled, because its answer may contain the only
  // valid refresh token.
  const response = await authFetch(
    { ...context, signal: undefined },
    url.href,
    "a token",
    init,
  );
  proofs?.read(url.origin, response.headers.get("dpop-nonce"));
  return {
    status: response.status,
    body: parseBody(await response.text()),
    secrets: secretsIn(init),
  };
}

function tokensIn(
  body: JsonObject,
  accessToken: string,
  clientId: string,
  isBound: boolean,
): Tokens {
  const lifetime = Number(textIn(body, "expires_in") ?? body["expires_in"]);
  return {
    clientId,
    accessToken,
    refreshToken: textIn(body, "refresh_token"),
    // A token that was just issued has not expired.
    lifetime: lifetime > 0 ? Math.min(lifetime, maxLifetime) : undefined,
    isBound,
    type: textIn(body, "issued_token_type"),
  };
}

type ErrorOf = (
  reason: AuthorizationReason,
  why: string,
  isEnd?: boolean,
  code?: string,
) => Error;

/** Throws the error that an answer says, if it says one. */
function rejectRefusal({ body, secrets }: Answer, errorOf: ErrorOf): void {
  const code = textIn(body, "error");
  const detail = textIn(body, "error_description");
  if (code === undefined) return;
  const shownCode = hideInCode(code, secrets);
  const why =
    quote(shownCode) +
    (detail === undefined ? "" : `, ${quote(hide(detail, secrets))}`);
  const isEnd = code === "invalid_grant" || isUnknownClient({ code });
  const reason = code === "invalid_scope" ? "scope" : "grant";
  throw errorOf(reason, why, isEnd, shownCode);
}

/** The authorization server rejects a refresh token or a code for ever. */
export class EndedGrantError extends AuthorizationError {}

/** True if the authorization server does not know this client, or no longer. */
export const isUnknownClient = ({
  code,
}: Pick<AuthorizationError, "code">): boolean =>
  code !== undefined &&
  /^(invalid_client(_metadata)?|unauthorized_client)$/.test(code);

/**
 * The maximum lifetime of a token, in seconds; a longer one is shortened to it.
 */
const maxLifetime = 1e9;

/**
 * A text in an answer. Some servers send null or another type for a member that
 * is absent.
 */
const textIn = (
  body: JsonObject | undefined,
  name: string,
): string | undefined => {
  const value = body && getOwn(body, name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** Reads an answer; some servers send a form. An ID token is not used. */
function parseBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    const form = Object.fromEntries(new URLSearchParams(text));
    return "access_token" in form || "error" in form ? form : undefined;
  }
}
