import { sha256 } from "../../common/base64.js";
import {
  checkCodeFlow,
  exchangeCode,
  newCodeRequest,
  signInUrl,
} from "./authorization-code.js";
import { AuthorizationError } from "./error.js";
import type { AuthorizationMetadata, Tokens } from "./model.js";
import type { Context, SignInPage, TokenRequest } from "./options.js";
import { clientOf, knownClient, noteRefusedDocument } from "./registration.js";
import { scopesIn } from "./scopes.js";
import { defaultTime } from "./sign-in.js";
import { grantKey, type PendingSignIn, type TokenStore } from "./store.js";
import { isUnknownClient } from "./tokens.js";

/**
 * The id of the pending sign-in at a server, in 32 characters. Each `state`
 * ends with it, so that the answer identifies the sign-in.
 */
async function pendingIdOf({ server, options }: Context): Promise<string> {
  return (await sha256(grantKey(server, options.account))).slice(0, 32);
}

const pendingKey = (pendingId: string): string =>
  JSON.stringify(["sign-in", pendingId]);

/**
 * Begins a sign-in at a page of a web application, or continues the pending
 * one.
 *
 * @throws AuthorizationError, always: with the reason `login-required` and the
 *   `signInUrl`, unless an earlier step fails.
 */
export async function beginAtPage(
  { page }: SignInPage,
  request: TokenRequest,
  metadataUrl: string | undefined,
): Promise<never> {
  const { context, store, as, params } = request;
  const { server, options } = context;
  const { issuer } = as;
  checkCodeFlow(context, as, page);
  const client = await knownClient(request, page);
  const pendingId = await pendingIdOf(context);
  const { resource, scope } = params;
  const details = {
    server: server.href,
    account: options.account ?? "",
    issuer,
    clientId: client.id,
    resource,
    metadataUrl,
  };
  const previous = await readPending(store, pendingId);
  const isSame =
    previous?.redirectUri === page &&
    previous.scopes.join(" ") === (scope ?? "") &&
    Object.entries(details).every(
      ([name, value]) => previous[name as keyof PendingSignIn] === value,
    );
  const pending: PendingSignIn = isSame
    ? previous
    : {
        kind: "sign-in",
        ...details,
        ...newCodeRequest(page, pendingId),
        scopes: scopesIn(scope),
        expires: Date.now() + (options.loginTimeout ?? defaultTime),
      };
  if (!isSame) await store.set(pendingKey(pendingId), pending);
  context.report("sign-in", issuer);
  const message = `A person must sign in at ${issuer} for ${server.host}. Send the person to \`signInUrl\`.`;
  const url = await signInUrl(request, client, pending);
  throw new AuthorizationError("login-required", message, server, {
    issuer,
    signInUrl: url,
  });
}

/**
 * Removes and returns the pending sign-in that an answer belongs to, so that it
 * can be used once (AUTH-35).
 *
 * @throws TypeError if there is none.
 */
export async function takePending(
  store: TokenStore,
  answer: URLSearchParams,
  account = "",
): Promise<PendingSignIn> {
  const state = answer.get("state");
  const pendingId = state?.slice(-32) ?? "";
  const key = pendingKey(pendingId);
  const take = async (): Promise<PendingSignIn> => {
    const pending = await readPending(store, pendingId);
    if (pending?.state !== state || pending.account !== account)
      throw new TypeError(
        "This account has no pending sign-in for this answer.",
      );
    await store.set(key, undefined);
    return pending;
  };
  // A browser may send the answer twice at once. A code that is used twice can
  // end what was obtained with it.
  return store.lock ? store.lock(key, take) : take();
}

async function readPending(
  store: TokenStore,
  pendingId: string,
): Promise<PendingSignIn | undefined> {
  const value = await store.get(pendingKey(pendingId));
  return value?.kind === "sign-in" && Date.now() < value.expires
    ? value
    : undefined;
}

/** Exchanges the answer to a pending sign-in for tokens. */
export async function answerAtPage(
  context: Context,
  store: TokenStore,
  as: AuthorizationMetadata,
  pending: PendingSignIn,
  answer: URLSearchParams,
): Promise<Tokens> {
  const { resource, scopes, issuer, clientId } = pending;
  if (as.issuer !== issuer) {
    const message = `${context.server.host} has moved from ${issuer} to ${as.issuer} since the sign-in began. Begin again.`;
    throw new AuthorizationError("issuer", message, context.server, { issuer });
  }
  const client = await clientOf(context, store, as, clientId);
  const params = {
    ...(resource !== undefined && { resource }),
    scope: scopes.join(" "),
  };
  try {
    return await exchangeCode(
      { context, store, as, params },
      client,
      pending,
      answer,
    );
  } catch (error) {
    // The next sign-in registers this client.
    if (error instanceof AuthorizationError && isUnknownClient(error))
      noteRefusedDocument(context, as, clientId, error);
    throw error;
  }
}
