import type { IncomingMessage, ServerResponse } from "node:http";
import { type Client, errors } from "oidc-provider";
import { scopes } from "./authorization-server.js";
import {
  cookieOf,
  escape,
  isLocal,
  readForm,
  sendPage,
  setCookie,
} from "./pages.js";
import { askThirdParty, finish, type Parts } from "./sign-in.js";
import type { Vault } from "./vault.js";

/** What a person is asked: whether a client may use this server. */
export interface Question {
  /** The authorization request that waits for the answer. */
  readonly uid: string;
  readonly client: Client;
  readonly redirectUri: string;
  readonly scope: string;
}

/** Seconds for which a browser remembers what a person approved. */
const approvalTime = 30 * 86_400;

/**
 * The consent page, and the form on it. The third party knows only this server,
 * so this page alone tells a person which client is asking ("Confused Deputy"
 * in the security best practices). oidc-provider has checked the client and its
 * redirect URI before.
 */
export async function consent(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { provider, vault, thirdParty } = parts;
  const { uid, params } = await provider.interactionDetails(request, response);
  const client = await provider.Client.find(String(params["client_id"]));
  if (!client)
    throw new errors.InvalidClient("the client is not registered any more");
  const asked = new Set(String(params["scope"] ?? "").split(" "));
  const scope = Object.keys(scopes).filter((one) => asked.has(one)).join(" "); // prettier-ignore
  const question: Question = {
    uid,
    client,
    redirectUri: String(params["redirect_uri"]),
    scope,
  };
  if (scope === "")
    return finish(parts, response, uid, { error: "invalid_scope" });
  if (request.method !== "POST") {
    // Any program on the person's computer could pretend to be this client, so
    // there is always a page (RFC 8252, section 8.6).
    const isKnown =
      !isLocal(question.redirectUri) &&
      approvals(vault, request, question).isApproved;
    if (isKnown) return askThirdParty(parts, response, question);
    return sendPage(
      response,
      200,
      "Allow access?",
      body(question, thirdParty.name, vault.sign("csrf", uid)),
    );
  }
  const form = await readForm(request);
  if (!vault.isSigned(form.get("csrf") ?? "", "csrf", uid))
    return sendPage(
      response,
      403,
      "Refused",
      "<p>This form was not sent by the page that asks for consent.</p>",
    );
  if (form.get("decision") !== "allow")
    return finish(parts, response, uid, { error: "access_denied" });
  setCookie(
    response,
    "approved",
    approvals(vault, request, question).next,
    approvalTime,
  );
  return askThirdParty(parts, response, question);
}

/**
 * The approvals in the cookie of this browser. Each one is signed and holds for
 * one client, redirect URI and set of scopes. `next` is the value of the cookie
 * once this question is approved.
 */
function approvals(
  vault: Vault,
  request: IncomingMessage,
  { client, redirectUri, scope }: Question,
) {
  const about = ["approved", client.clientId, redirectUri, scope];
  const now = Math.floor(Date.now() / 1000);
  const entries = cookieOf(request, "approved")
    .split("!")
    .map((one) => one.split("."));
  const live = entries.filter(([expires]) => Number(expires) > now);
  const isThis = ([expires, signature = ""]: string[]): boolean =>
    vault.isSigned(signature, expires, ...about);
  const expires = String(now + approvalTime);
  const added = [expires, vault.sign(expires, ...about)];
  const next = [added, ...live.filter((one) => !isThis(one))].slice(0, 20);
  return {
    isApproved: live.some(isThis),
    next: next.map((one) => one.join(".")).join("!"),
  };
}

/**
 * The text of the page. Whatever the client says about itself is escaped, and
 * the host that gets the code is shown.
 */
function body(
  { client, redirectUri, scope }: Question,
  thirdParty: string,
  csrf: string,
): string {
  const name = client.clientName ?? client.clientId;
  const origin = client.clientId.startsWith("https:")
    ? ` of <b>${escape(new URL(client.clientId).host)}</b>`
    : "";
  return [
    `<p><b>${escape(name)}</b>${origin} wants to use this server for you. That name is its own choice.</p>`,
    `<p>It may then:</p><ul>`,
    ...scope
      .split(" ")
      .map(
        (one) =>
          `<li>${escape(scopes[one] ?? "")} (<code>${escape(one)}</code>)</li>`,
      ),
    `</ul><p>The permission goes to <b>${escape(new URL(redirectUri).host)}</b>: <code>${escape(redirectUri)}</code></p>`,
    isLocal(redirectUri)
      ? `<p>That is a program on this computer. Go on only if you have just started it.</p>`
      : "",
    `<p>Next, you sign in at ${escape(thirdParty)}.</p>`,
    `<form method="post"><input type="hidden" name="csrf" value="${csrf}">`,
    `<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></form>`,
  ].join("");
}
