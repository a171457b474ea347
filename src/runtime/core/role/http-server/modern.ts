import { shown } from "../../report.js";
import type { ServerSessionConfig } from "../../session/config.js";
import { type WireRequest, metaOf } from "../../message.js";
import { getOwn, isObject } from "../../../../common/object.js";
import { type ServersByEra, serverOf } from "../choose-server.js";
import { decodeHeader, paramValue } from "../../transport/param-headers.js";
import { type AdmittedRequest, type HttpRequest, replyError } from "./exchange.js";
import type { ReadBody } from "./body.js";
import { idOf } from "./post.js";
import type { StatelessRequests } from "./stateless.js";

/**
 * Answers the POST of a modern client, after a check that its headers match the body (HTTP-40).
 */
export function postModern(
  admitted: AdmittedRequest,
  body: ReadBody,
  core: ServerSessionConfig,
  { modern, supported }: ServersByEra,
  stateless: StatelessRequests,
): void {
  const { request, response } = admitted;
  const { message } = body;
  const { errors, idlessErrors, wellKnown } = core.side.revision;
  if (!isObject(message) || typeof message["method"] !== "string") {
    // The body is one message (HTTP-41).
    const text = "Expected a body of one request or one notification.";
    return replyError(response, 400, text, idlessErrors ? undefined : null);
  }
  const mismatch = headerMismatch(request, message as unknown as WireRequest, core, modern, supported);
  if (mismatch) {
    // A client of an older revision sends no such headers, so the error lists the revisions of this server (VERS-09).
    const code = errors["HEADER_MISMATCH"] ?? -32020;
    return replyError(response, 400, mismatch, idOf(message), code, { supported });
  }
  stateless.serve(core, body, admitted, message["method"] === wellKnown.listen);
}

/**
 * Compares the headers of a request with its body (HDR-04, HDR-05, HDR-16). Returns a sentence about the first difference;
 * undefined if there is none, or if the body itself is invalid.
 */
function headerMismatch(
  request: HttpRequest,
  message: WireRequest,
  core: ServerSessionConfig,
  cores: readonly ServerSessionConfig[],
  supported: readonly string[],
): string | undefined {
  const { headers, meta } = core.side.revision;
  const check = (name: string, value: unknown, maybeEncoded: boolean): string | undefined => {
    const header = request.header(name.toLowerCase())?.trim();
    if (header === undefined) return `The header ${name} is missing; expected ${shown(value)}.`;
    // Servers and proxies decode other bytes differently (HDR-17).
    if (/[^\t -~]/.test(header)) return `The header ${name} has a character that is not ASCII.`;
    const text = maybeEncoded ? decodeHeader(header) : header;
    if (text === undefined) return `The header ${name} is not valid base64.`;
    if (text === String(value) || isSameInteger(text, value)) return undefined;
    return `The header ${name} says ${shown(text)}, the body says ${shown(value)}.`;
  };
  const version = headers.version ?? "";
  const headerRevision = request.header(version.toLowerCase())?.trim();
  // The error tells the client which revisions to use (COMPAT-15).
  if (headerRevision === undefined) {
    return `The header ${version} is missing; this server supports ${supported.join(", ")}.`;
  }
  const metaRevision = getOwn(metaOf(message.params), meta.protocolVersion);
  if (typeof metaRevision !== "string") return undefined;
  if (headerRevision !== metaRevision) return check(version, metaRevision, false);
  if (!serverOf(cores, metaRevision)) return undefined;
  const { method, id } = message;
  // Notifications have no such headers (HDR-02).
  if (id === undefined) return undefined;
  const params = isObject(message.params) ? message.params : {};
  const mismatch = headers.method && check(headers.method, method, false);
  if (mismatch) return mismatch;
  const subject = getOwn(params, getOwn(core.side.incomingRequests, method)?.facts.header);
  const nameMismatch =
    headers.name && typeof subject === "string" ? check(headers.name, subject, true) : undefined;
  if (nameMismatch) return nameMismatch;
  // Headers of arguments repeat the body exactly (HDR-07, HDR-10).
  for (const param of core.paramHeaders?.(method, params) ?? []) {
    const value = paramValue(param, params["arguments"]);
    const name = `${headers.param}${param.header}`;
    const isUnexpected = value === undefined && request.header(name.toLowerCase()) !== undefined;
    const paramMismatch = isUnexpected
      ? `The header ${name} is set, but the body has no such argument.`
      : Number.isInteger(value) && !Number.isSafeInteger(value)
        ? `The header ${name} cannot be compared with the body: expected an integer within ±(2^53 − 1), got ${String(value)}.`
        : value !== undefined && check(name, value, true);
    if (paramMismatch) return paramMismatch;
  }
  return undefined;
}

/** True if the text is this integer in decimal notation, perhaps with a fraction of zeros (HDR-09). */
function isSameInteger(text: string, value: unknown): boolean {
  const [, integer] = /^(-?\d+)(?:\.0+)?$/.exec(text) ?? [];
  return integer !== undefined && Number.isSafeInteger(value) && BigInt(integer) === BigInt(value as number);
}
