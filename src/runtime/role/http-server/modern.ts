import { jsonRpcCodes } from "../../errors.js";
import { getOwn, isObject, type JsonObject, type WireRequest } from "../../message.js";
import { metaOf } from "../../session/meta.js";
import { named } from "../serve.js";
import type { ServerCore } from "../server.js";
import { decodeHeader, type Mirror, mirrored } from "../../transport/param-headers.js";
import { idOf } from "./carrier.js";
import { type HttpRequest, refuse } from "./exchange.js";
import type { Alone } from "./stateless.js";
import type { Visit } from "./admission.js";

/** HTTP-40: lets the server of a revision whose every request says all for itself answer one. */
export function postModern(
  visit: Visit,
  message: unknown,
  core: ServerCore,
  cores: readonly ServerCore[],
  alone: Alone,
): void {
  const { request, response, auth, caller } = visit;
  const { errors, idlessErrors } = core.side.revision;
  if (!isObject(message) || typeof message["method"] !== "string") {
    // HTTP-41
    const text = "A body is one request or one notification.";
    return refuse(response, 400, text, idlessErrors ? undefined : null);
  }
  const fault = headerFault(request, message as unknown as WireRequest, core, cores, alone.supported);
  if (fault) {
    // VERS-09: a client of an older era sends no such headers, and learns what is served here.
    const data = { supported: alone.supported };
    return refuse(response, 400, fault, idOf(message), errors["HEADER_MISMATCH"] ?? -32020, data);
  }
  const statusOf = (reply: JsonObject): number => statusIn(core, message, reply);
  const isListener = message["method"] === core.side.revision.wellKnown.listen;
  alone.post(core, message, response, { auth }, caller, statusOf, isListener);
}

/**
 * HDR-04, HDR-05, HDR-16: how the headers of a request differ from its body; undefined when they agree, or when the body
 * itself is what is wrong.
 */
function headerFault(
  request: HttpRequest,
  message: WireRequest,
  core: ServerCore,
  cores: readonly ServerCore[],
  supported: readonly string[],
): string | undefined {
  const { headers, meta } = core.side.revision;
  const check = (name: string, value: string, mirror?: Mirror): string | undefined => {
    const given = request.header(name.toLowerCase())?.trim();
    if (given === undefined) return `The header ${name} is missing; expected ${JSON.stringify(value)}.`;
    // HDR-17: bytes beyond ASCII are read as one encoding or another, and not alike by everybody.
    if (/[^\t -~]/.test(given)) return `The header ${name} has a character that no header may have.`;
    const said = decodeHeader(given);
    if (said === undefined) return `The header ${name} is not valid base64.`;
    // HDR-09
    const isSame =
      said === value || (mirror?.type === "integer" && said !== "" && Number(said) === Number(value));
    return isSame
      ? undefined
      : `The header ${name} says ${JSON.stringify(said)}, the body says ${JSON.stringify(value)}.`;
  };
  const version = headers.version ?? "";
  const stated = request.header(version.toLowerCase())?.trim();
  // COMPAT-15
  if (stated === undefined) {
    return `The header ${version} is missing; this server speaks ${supported.join(", ")}.`;
  }
  const claimed = getOwn(metaOf(message.params), meta.protocolVersion);
  if (typeof claimed !== "string") return undefined;
  if (stated !== claimed) return check(version, claimed);
  if (!named(cores, claimed)) return undefined;
  const { method, id } = message;
  // HDR-02 speaks of requests alone.
  if (id === undefined) return undefined;
  const params = isObject(message.params) ? message.params : {};
  const fault = headers.method && check(headers.method, method);
  if (fault) return fault;
  const subject = getOwn(params, getOwn(core.side.incomingRequests, method)?.facts.header);
  const wrong = headers.name && typeof subject === "string" ? check(headers.name, subject) : undefined;
  if (wrong) return wrong;
  // HDR-07, HDR-10
  for (const mirror of core.config.mirrors?.(method, params) ?? []) {
    const value = mirrored(mirror, params["arguments"]);
    const name = `${headers.param}${mirror.header}`;
    const missing = value === undefined && request.header(name.toLowerCase()) !== undefined;
    const differs = missing
      ? `The header ${name} repeats what the body does not have.`
      : value !== undefined && check(name, String(value), mirror);
    if (differs) return differs;
  }
  return undefined;
}

/** META-01, HTTP-48, HTTP-49: the status of an error that nothing came before. */
function statusIn({ side }: ServerCore, message: JsonObject, { error }: JsonObject): number {
  if (!isObject(error)) return 200;
  const { errors, meta } = side.revision;
  switch (error["code"]) {
    case jsonRpcCodes.METHOD_NOT_FOUND:
      return 404;
    case jsonRpcCodes.INTERNAL_ERROR:
      return 200;
    case jsonRpcCodes.INVALID_PARAMS: {
      const given = metaOf(message["params"]);
      const isWhole =
        typeof getOwn(given, meta.protocolVersion) === "string" &&
        isObject(getOwn(given, meta.clientCapabilities));
      return isWhole ? 200 : 400;
    }
    default:
      return Object.values(errors).includes(error["code"] as number) ? 400 : 200;
  }
}
