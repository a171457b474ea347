import {
  missingScopes,
  type ScopeError,
  type TokenError,
} from "../../errors.js";
import { idOf } from "../../message.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import type { Awaitable } from "../../../../common/timing.js";
import type {
  Admission,
  Protection,
  Rejection,
} from "../../ports/protection.js";
import type { Auth } from "../../ports/transport.js";
import type { ServerSessionConfig } from "../../session/config.js";
import type { ServerDefinition } from "../server.js";
import {
  type AdmittedRequest,
  type HttpRequest,
  type HttpResponse,
  replyError,
} from "./exchange.js";

/** Returns the caller, or the response that rejects the request. */
export type Authenticate = (request: Request) => Awaitable<Auth | Response>;

/**
 * Checks that a server has at most one of the options `authenticate` and
 * `protect`, and one if a tool, prompt or resource has scopes.
 *
 * @throws TypeError if it has both, or none although scopes are declared.
 */
export function checkAuthOptions(
  {
    authenticate,
    protect,
  }: { readonly authenticate?: unknown; readonly protect?: unknown },
  servers: readonly ServerDefinition[],
): void {
  const isOpen = authenticate === undefined && protect === undefined;
  const scoped = servers.map(({ core }) => core.scoped).find(Boolean);
  const found =
    authenticate !== undefined && protect !== undefined
      ? "got both"
      : isOpen &&
        scoped !== undefined &&
        `got none, although ${scoped} has scopes`;
  if (found)
    throw new TypeError(
      `The options of a server: expected protect or authenticate, ${found}.`,
    );
}

/**
 * Calls `authenticate`. A response is recognised by its shape, because
 * frameworks replace the global class; a caller is a plain object. Throws a
 * `TypeError` for anything else, so that a mistake in `authenticate` denies
 * access.
 */
export async function callAuthenticate(
  authenticate: Authenticate,
  request: Request,
): Promise<Admission | Rejection> {
  const result: unknown = await authenticate(request);
  if (isResponse(result)) {
    const headers = headersOf(result, framing);
    return { status: result.status, headers, text: await result.text() };
  }
  if (isCaller(result)) return { auth: result };
  throw new TypeError(
    `authenticate: expected a Response or a plain object such as { principal: "ada" }, got ${tagOf(result)}. The request was rejected.`,
  );
}

/**
 * Headers about the encoding of a body. A fetched response still has them,
 * although its text is decoded.
 */
const framing =
  /^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/i;

/**
 * The headers of a response without those whose names match. TypeScript before
 * 6 types no iterator of headers without `DOM.Iterable`.
 */
export function headersOf(
  { headers }: Response,
  except?: RegExp,
): Record<string, string> {
  const all: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (!except?.test(name)) all[name] = value;
  });
  return all;
}

function isResponse(value: unknown): value is Response {
  const { status, headers, text } = Object(value) as Partial<Response>;
  return (
    typeof status === "number" &&
    typeof headers?.get === "function" &&
    typeof headers.forEach === "function" &&
    typeof text === "function"
  );
}

/**
 * True for a plain object of any realm without members of a response:
 * `{ status: 401 }` is a mistake, not a caller.
 */
function isCaller(value: unknown): value is Auth {
  if (!isObject(value) || tagOf(value) !== "[object Object]") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain =
    prototype === null || Object.getPrototypeOf(prototype) === null;
  const { principal = "", status, headers } = value;
  return (
    isPlain &&
    typeof principal === "string" &&
    typeof status !== "number" &&
    headers === undefined
  );
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/**
 * The caller of an admitted request; undefined for one without credentials.
 * Throws a `TypeError` without one, so that a mistake in a user's own
 * protection denies access.
 */
export function authOf({ auth }: Admission): Auth | undefined {
  if (auth === "anonymous") return undefined;
  if (isObject(auth)) return auth;
  throw new TypeError(
    `protect: admit: expected { auth } with an object, or { status, headers, text }, got auth: ${tagOf(auth)}. The request was rejected.`,
  );
}

/**
 * Returns the key of the caller, by which sessions and limits are assigned: the
 * principal, or a digest of the Authorization header; undefined without either
 * (SESS-08).
 */
export function callerOf(
  auth: Auth | undefined,
  request: Pick<HttpRequest, "header">,
): Awaitable<string | undefined> {
  const principal = auth?.principal;
  // The second # distinguishes a principal from a digest.
  if (principal !== undefined)
    return principal.startsWith("#") ? `#${principal}` : principal;
  const authorization = request.header("authorization");
  return auth && authorization !== undefined
    ? digestOf(authorization)
    : undefined;
}

async function digestOf(authorization: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(authorization),
  );
  return `#authorization ${String.fromCharCode(...new Uint8Array(digest))}`;
}

/**
 * The scopes that a message requires, or all messages of a batch together
 * (AUTH-56). `cores` are the servers that may answer it.
 */
function scopesFor(
  protection: Protection,
  cores: readonly ServerSessionConfig[],
  body: unknown,
): readonly string[] {
  const all = [body].flat().flatMap((message) => {
    const { method, params } = Object(message) as JsonObject;
    const name = typeof method === "string" ? method : "";
    const args = isObject(params) ? params : {};
    return [
      ...protection.scopesOf(name),
      ...cores.flatMap(({ scopes }) => scopes?.(name, args) ?? []),
    ];
  });
  return [...new Set(all)];
}

/**
 * The error for a message, or a batch of messages, whose caller lacks a scope;
 * undefined if the caller has them all.
 */
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
 * Ends a stream of notifications when the token of a request ends: of the
 * request that opened it, or of a later one of the same session, whose client
 * may have refreshed the token.
 */
export function endWithToken(
  { response, auth, protection }: AdmittedRequest,
  stream: HttpResponse = response,
): void {
  if (!protection || !auth) return;
  // Stops waiting for the end of an earlier token.
  stream.onEnd?.();
  const stop = protection.whenEnded(auth, () => stream.disconnect());
  if (stream.hasEnded) stop();
  else stream.onEnd = stop;
}

/**
 * Refuses a request whose caller lacks a scope. Returns true if it did. If a
 * handler finds later that the caller lacks one, the challenge names the other
 * scopes of the request too, because it is all that some clients ask for.
 */
export function rejectMissingScopes(
  { response, auth }: AdmittedRequest,
  protection: Protection,
  cores: readonly ServerSessionConfig[],
  message: unknown,
): boolean {
  const refuse: HttpResponse["refuse"] = ({ scopes, reason }) =>
    protection.refuse(auth, {
      scopes: [...scopesFor(protection, cores, message), ...scopes],
      reason,
    });
  response.refuse = refuse;
  const error = scopeErrorFor(protection, auth, cores, message);
  if (!error) return false;
  const { code, message: text, data } = error;
  const { status, headers } = refuse({ scopes: [] });
  response.headers = { ...response.headers, ...headers };
  replyError(response, status, text, idOf(message), code, data);
  return true;
}
