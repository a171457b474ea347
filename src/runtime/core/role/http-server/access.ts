import type { ServerSessionConfig } from "../../session/config.js";
import { missingScopes, type ScopeError, type TokenError } from "../../errors.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import type { Protection } from "../../ports/protection.js";
import type { Auth } from "../../ports/transport.js";
import { type AdmittedRequest, type HttpResponse, replyError } from "./exchange.js";
import { idOf } from "../../message.js";

/** The scopes that a message requires, or all messages of a batch together (AUTH-56). `cores` are the servers that may answer it. */
function scopesFor(
  protection: Protection,
  cores: readonly ServerSessionConfig[],
  body: unknown,
): readonly string[] {
  const all = [body].flat().flatMap((message) => {
    const { method, params } = Object(message) as JsonObject;
    const name = typeof method === "string" ? method : "";
    const args = isObject(params) ? params : {};
    return [...protection.scopesOf(name), ...cores.flatMap(({ scopes }) => scopes?.(name, args) ?? [])];
  });
  return [...new Set(all)];
}

/** The error for a message, or a batch of messages, whose caller lacks a scope; undefined if the caller has them all. */
export function scopeErrorFor(
  protection: Protection,
  auth: Auth | undefined,
  cores: readonly ServerSessionConfig[],
  message: unknown,
): ScopeError | TokenError | undefined {
  const callerScopes = (auth?.["scopes"] ?? []) as readonly string[];
  const required = scopesFor(protection, cores, message);
  const hasAll = required.every((scope) => callerScopes.includes(scope));
  return hasAll ? undefined : missingScopes(auth, required);
}

/**
 * Ends a stream of notifications when the token of a request ends: of the request that opened it, or of a later one of the same session,
 * whose client may have refreshed the token.
 */
export function endWithToken(
  { response, auth, protection }: AdmittedRequest,
  stream: HttpResponse = response,
): void {
  if (!protection || !auth) return;
  // Stops waiting for the end of an earlier token.
  stream.onEnd?.();
  stream.onEnd = protection.whenEnded(auth, () => stream.disconnect());
}

/**
 * Refuses a request whose caller lacks a scope. Returns true if it did. If a handler finds later that the caller lacks
 * one, the challenge names the other scopes of the request too, because it is all that some clients ask for.
 */
export function rejectMissingScopes(
  { response, auth }: AdmittedRequest,
  protection: Protection,
  cores: readonly ServerSessionConfig[],
  message: unknown,
): boolean {
  const refuse: HttpResponse["refuse"] = ({ scopes, reason }) =>
    protection.refuse(auth, { scopes: [...scopesFor(protection, cores, message), ...scopes], reason });
  response.refuse = refuse;
  const error = scopeErrorFor(protection, auth, cores, message);
  if (!error) return false;
  const { code, message: text, data } = error;
  const { status, headers } = refuse({ scopes: [] });
  response.headers = { ...response.headers, ...headers };
  replyError(response, status, text, idOf(message), code, data);
  return true;
}
