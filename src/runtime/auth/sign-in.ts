import {
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from "oauth4webapi";
import { libraryClient } from "./client-auth.js";
import { ownEntry } from "./discovery.js";
import { AuthorizationError, quoted } from "./error.js";
import type { AuthorizationMetadata, KnownClient, Tokens } from "./model.js";
import type { Context, Login, Redirect } from "./options.js";
import { readRegistration, register, registered, statedClient } from "./registration.js";
import { registrationKey, type TokenStore } from "./store.js";
import { requestTokens } from "./tokens.js";
import { checkUrl, isLoopback } from "./urls.js";

/** The longest time for a person to sign in, in milliseconds. */
const defaultTime = 300_000;

/** What a person is asked to agree to. */
export interface SignInRequest {
  readonly context: Context;
  readonly store: TokenStore;
  readonly as: AuthorizationMetadata;
  /** `resource` and `scope`, where they are known. */
  readonly params: Readonly<Record<string, string>>;
}

/** Lets a person sign in, by the authorization code flow with PKCE. */
export async function signIn(login: Login, request: SignInRequest): Promise<Tokens> {
  const { context, store, as } = request;
  const { server } = context;
  const { issuer, authorization_endpoint: endpoint, hasPkce } = as;
  const refuse = (why: string): AuthorizationError =>
    new AuthorizationError(
      "metadata",
      `The authorization server ${issuer} of ${server.host} ${why}.`,
      server,
      { issuer },
    );
  if (endpoint === undefined) throw refuse("has no page to sign in: use a grant without a person");
  if (!hasPkce) throw refuse("does not say that it supports PKCE with S256, which clients must insist on");
  const stated = statedClient(context, as);
  const before = stated ? undefined : await readRegistration(store, issuer);
  const redirect = await login.redirectUri(before?.redirectUri);
  try {
    checkRedirectUri(redirect.uri, context);
    let client = stated;
    if (!client) {
      const kept = before?.redirectUri === redirect.uri ? before : await register(context, as, redirect.uri);
      if (kept !== before) await store.set(registrationKey(issuer), kept);
      client = registered(kept);
    }
    return await exchange(request, endpoint, client, redirect);
  } catch (error) {
    // The registration may be gone, which the page of the authorization server tells nobody but the person.
    const isDead =
      error instanceof AuthorizationError && (error.reason === "timeout" || isUnknownClient(error));
    if (isDead && !stated) await store.set(registrationKey(issuer), undefined);
    throw error;
  } finally {
    // A login that answers after all must not end the process.
    redirect.answer.catch(() => {});
    redirect.close();
  }
}

/** Whether an authorization server says that it does not know this client (any more). */
export const isUnknownClient = ({ code }: AuthorizationError): boolean =>
  code === "invalid_client" || code === "unauthorized_client";

/** Where an answer with a code may go: this machine, an https URL, or a scheme of the application. AUTH-37 */
function checkRedirectUri(uri: string, { server }: Context): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isSafe =
    url?.protocol === "https:" ||
    (url?.protocol === "http:" && isLoopback(url.hostname)) ||
    (url && /^[a-z][a-z0-9+-]*\./.test(url.protocol));
  if (isSafe) return;
  const message = `The redirect URI ${quoted(uri)} is neither an https URL nor on this machine.`;
  throw new AuthorizationError("unsafe-url", message, server);
}

async function exchange(
  { context, as, params }: SignInRequest,
  endpoint: string,
  client: KnownClient,
  redirect: Redirect,
): Promise<Tokens> {
  const { server, options } = context;
  const { issuer } = as;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const url = checkUrl(endpoint, "its page to sign in", context);
  const query = {
    ...params,
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirect.uri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    // Without it, OpenID Connect servers leave out the refresh token.
    ...(params["scope"]?.split(" ").includes("offline_access") && { prompt: "consent" }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  context.tell("sign-in", issuer);
  await redirect.open(url.href);
  const answer = await inTime(redirect.answer, context, options.loginTimeout ?? defaultTime, issuer);
  let checked: URLSearchParams;
  try {
    // The metadata of a server whose issuer the user accepts under two names: its answer may have either.
    const accepted = ownEntry(options.issuers, issuer);
    const iss = answer.get("iss");
    const expected = accepted !== undefined && iss === accepted ? { ...as, issuer: accepted } : as;
    checked = validateAuthResponse(expected, libraryClient(context, as, client.id), answer, state);
  } catch (error) {
    // The answer is of this sign-in only if `state` and `iss` say so. Only then are its texts shown. AUTH-34, AUTH-36
    if (!(error instanceof AuthorizationResponseError)) {
      const message = `The answer to the sign-in at ${issuer} is not used: ${(error as Error).message}.`;
      throw new AuthorizationError("issuer", message, server, { issuer });
    }
    const detail = error.error_description === undefined ? "" : `, ${quoted(error.error_description)}`;
    const message = `${issuer} ended the sign-in for ${server.host}: ${quoted(error.error)}${detail}.`;
    const reason =
      error.error === "access_denied" ? "denied" : error.error === "invalid_scope" ? "scope" : "grant";
    throw new AuthorizationError(reason, message, server, { issuer, code: error.error });
  }
  const code = checked.get("code") ?? "";
  const { resource } = params;
  return requestTokens(context, as, client, "authorization_code", {
    code,
    redirect_uri: redirect.uri,
    code_verifier: verifier,
    ...(resource !== undefined && { resource }),
  });
}

/** Waits for the answer of a person, as long as somebody waits for it. */
async function inTime<T>(
  answer: Promise<T>,
  { server, signal }: Context,
  time: number,
  issuer: string,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `Nobody signed in at ${issuer} for ${server.host} within ${time} ms. Try again, or raise \`loginTimeout\`.`;
    timer = setTimeout(() => reject(new AuthorizationError("timeout", message, server, { issuer })), time);
    stop = () =>
      reject(
        new AuthorizationError("timeout", `The sign-in for ${server.host} was given up.`, server, { issuer }),
      );
    signal?.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    if (stop) signal?.removeEventListener("abort", stop);
  }
}
