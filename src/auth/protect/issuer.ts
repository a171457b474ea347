import { decodeJwt } from "jose";
import { quote } from "../client/error.js";
import { equalIssuers } from "../client/issuers.js";
import { failureOf } from "../client/secrets.js";
import type { Reporting } from "../../runtime/core/report.js";
import type { Claims, VerifierContext } from "./model.js";
import {
  boundedFetch,
  maxResponseBytes,
  objectIn,
} from "../../common/bounded-fetch.js";
import type { JsonObject } from "../../common/object.js";
import { isLoopback } from "../../common/addresses.js";

/**
 * Reads the metadata of an authorization server (RFC 8414, OpenID Connect
 * Discovery), whose issuer must be this one (AUTH-09).
 *
 * @throws Error if there is no such document, or the server cannot be reached.
 */
export async function readIssuerMetadata(
  issuer: string,
  fetch: typeof globalThis.fetch,
): Promise<JsonObject> {
  for (const address of metadataAddresses(issuer)) {
    const { status, document } = await fetchJson(address, fetch);
    if (status >= 500)
      throw new Error(`${address} answered with status ${status}.`);
    if (status !== 200 || !document) continue;
    if (equalIssuers(issuer).some((one) => one === document["issuer"]))
      return document;
    throw new Error(
      `${address} is the metadata of another issuer than ${issuer}.`,
    );
  }
  throw new Error(`The authorization server ${issuer} publishes no metadata.`);
}

/**
 * The accepted issuer that a token names, as the option `issuers` spells it;
 * undefined for any other one.
 */
export async function acceptedIssuer(
  { issuers, accepts }: Pick<VerifierContext, "issuers" | "accepts">,
  named: unknown,
): Promise<string | undefined> {
  if (typeof named !== "string") return undefined;
  if (!accepts) return equalIssuers(named).find((one) => issuers.includes(one));
  return named.length <= maxIssuer && (await accepts(named)) === true
    ? named
    : undefined;
}

/**
 * The claims of a JWT, which are not verified; undefined if a token is none.
 */
export function claimsOf(token: string): Claims | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/**
 * The maximum length of an issuer identifier that a function gets, in
 * characters.
 */
const maxIssuer = 1000;

/**
 * Creates a function that reports an issuer that is not accepted: once a
 * minute, and at most 20 of them, because anybody can invent tokens.
 */
export function unknownIssuers(): (
  named: unknown,
  reporting: Reporting,
) => void {
  const names = new Set<string>();
  let end = 0;
  return (named, { onError }) => {
    const now = Date.now();
    if (now >= end) names.clear();
    const name = quote(named);
    if (names.size === 0) end = now + 60_000;
    if (names.size >= 20 || names.size === names.add(name).size) return;
    const message = `A token is rejected: its issuer is not one of \`issuers\`. It says, and nobody has verified that, that it is of ${name}.`;
    onError?.(new Error(message), "protect");
  };
}

/**
 * The URLs where the metadata of an authorization server may be, in order
 * (AUTH-08).
 */
function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = checkedUrl(issuer, "an issuer");
  const path = pathname.replace(/\/$/, "");
  const [oauth, openid] = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
  ];
  const paths =
    path === ""
      ? [oauth, openid]
      : [oauth + path, openid + path, path + openid];
  return paths.map((one) => origin + one);
}

/**
 * Reads the JSON object at a URL. `document` is undefined if the body is
 * anything else. Follows no redirect.
 *
 * @throws Error if the server cannot be reached, takes too long, or sends too
 *   much.
 */
export async function fetchJson(
  address: string,
  fetch: typeof globalThis.fetch,
  init: RequestInit = {},
): Promise<{
  readonly status: number;
  readonly document: JsonObject | undefined;
}> {
  const url = checkedUrl(address, "an address of an authorization server");
  const headers = {
    accept: "application/json",
    ...(init.headers as Record<string, string>),
  };
  const { response, bytes } = await boundedFetch(
    url,
    { ...init, headers },
    { send: fetch },
  ).catch((error: unknown) => {
    throw unreachable(url, error, init);
  });
  if (!bytes)
    throw new Error(`${address} sent more than ${maxResponseBytes} bytes`);
  return { status: response.status, document: objectIn(bytes) };
}

function unreachable(
  { origin }: URL,
  error: unknown,
  init: RequestInit,
): Error {
  const { why, ...rest } = failureOf(error, init);
  return new Error(`${origin} could not be reached: ${why}`, rest);
}

/**
 * Parses the URL of a resource or of an authorization server: https, or http on
 * this machine. `what` describes the value in the error.
 *
 * @throws TypeError for any other value.
 */
export function checkedUrl(address: unknown, what: string): URL {
  const url =
    typeof address === "string" && URL.canParse(address)
      ? new URL(address)
      : undefined;
  const isSecure =
    url?.protocol === "https:" ||
    (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url && isSecure && url.username === "" && url.password === "") return url;
  throw new TypeError(
    `${what}: expected an https URL, or an http URL of this machine, without a user name; got ${quote(address)}.`,
  );
}
