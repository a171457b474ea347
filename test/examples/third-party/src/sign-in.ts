import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AuthorizationResponseError } from "oauth4webapi";
import { errors, type InteractionResults, type Provider } from "oidc-provider";
import type { Question } from "./consent.js";
import { cookieOf, redirect, setCookie } from "./pages.js";
import type { Sessions } from "./sessions.js";
import { type PendingSignIn, report, type ThirdParty } from "./third-party.js";
import type { Vault } from "./vault.js";

/** What the pages of this server work with. */
export interface Parts {
  /** The URL of the MCP server. */
  readonly resource: string;
  readonly provider: Provider;
  readonly vault: Vault;
  readonly thirdParty: ThirdParty;
  readonly sessions: Sessions;
}

/** What is remembered until the third party answers. */
interface Waiting extends PendingSignIn {
  readonly uid: string;
  readonly clientId: string;
  readonly scope: string;
}

/** Seconds for which a person may be at the third party. */
const stateTime = 600;
/** Two sign-ins of one browser do not disturb each other. */
const cookieName = (vault: Vault, state: string): string =>
  `state-${vault.sign("name", state).slice(0, 16)}`;

/**
 * Sends the browser to the third party. Only now, after the consent, there is a
 * `state`, and a cookie that binds it to this browser.
 */
export async function askThirdParty(
  parts: Parts,
  response: ServerResponse,
  question: Question,
): Promise<void> {
  const { vault, thirdParty } = parts;
  const { uid, scope, client } = question;
  const state = randomBytes(32).toString("base64url");
  const asked = await thirdParty.signInUrl(state).catch(report);
  if (!asked) return finish(parts, response, uid, unavailable);
  const waiting: Waiting = {
    ...asked.pending,
    uid,
    scope,
    clientId: client.clientId,
  };
  vault.set("State", state, waiting, stateTime);
  setCookie(
    response,
    cookieName(vault, state),
    vault.sign("state", state),
    stateTime,
  );
  redirect(response, asked.url);
}

/**
 * The page to which the third party sends the browser back. A `state` counts
 * once, and only in the browser that it was made for.
 */
export async function callback(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { vault } = parts;
  const answer = new URL(request.url ?? "", parts.resource).searchParams;
  const state = answer.get("state") ?? "";
  const cookie = cookieName(vault, state);
  const isOurs = vault.isSigned(cookieOf(request, cookie), "state", state);
  const waiting = isOurs ? vault.take<Waiting>("State", state) : undefined;
  if (!waiting)
    throw new errors.InvalidRequest(
      "this sign-in is not known, or it has taken too long",
    );
  setCookie(response, cookie, "", 0);
  const result = await signIn(parts, answer, state, waiting).catch(failure);
  return finish(parts, response, waiting.uid, result);
}

/** Binds a new grant of ours to the tokens of the third party. */
async function signIn(
  { resource, provider, thirdParty, sessions }: Parts,
  answer: URLSearchParams,
  state: string,
  waiting: Waiting,
): Promise<InteractionResults> {
  const tokens = await thirdParty.exchange(answer, state, waiting);
  const { clientId, scope } = waiting;
  const grant = new provider.Grant({ accountId: tokens.subject, clientId });
  grant.addOIDCScope(`openid ${scope}`);
  grant.addResourceScope(resource, scope);
  const grantId = await grant.save();
  sessions.open(grantId, tokens);
  return {
    login: { accountId: tokens.subject, remember: false },
    consent: { grantId },
  };
}

/**
 * Goes on with an authorization request: the client gets a code, or an OAuth
 * error.
 */
export async function finish(
  { provider }: Parts,
  response: ServerResponse,
  uid: string,
  result: InteractionResults,
): Promise<void> {
  const interaction = await provider.Interaction.find(uid);
  if (!interaction)
    throw new errors.InvalidRequest("this sign-in has taken too long");
  // Whoever was here before with this browser is not the one who comes back.
  const before =
    interaction.session &&
    (await provider.Session.findByUid(interaction.session.uid));
  await before?.destroy();
  delete interaction.session;
  interaction.result = result;
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
  redirect(response, interaction.returnTo);
}

const unavailable = {
  error: "temporarily_unavailable",
  error_description: "the third party does not answer",
};

/**
 * What the client is told: that the person said no, or that the sign-in failed.
 */
function failure(error: unknown): InteractionResults {
  if (
    error instanceof AuthorizationResponseError &&
    error.error === "access_denied"
  )
    return {
      error: "access_denied",
      error_description: "the person did not sign in",
    };
  report(error);
  return unavailable;
}
