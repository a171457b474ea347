import { jsonRpcCodes } from "../../errors.js";
import { getOwn, isObject, type JsonObject, type WireRequest } from "../../message.js";
import { metaOf } from "../../session/meta.js";
import { type ServersByEra, serverOf } from "../choose-server.js";
import type { ServerCore } from "../server.js";
import { decodeHeader, type ParamHeader, paramValue } from "../../transport/param-headers.js";
import { type AdmittedRequest, type HttpRequest, refuse } from "./exchange.js";
import { idOf } from "./post.js";
import type { StatelessRequests } from "./stateless.js";

/**
 * Checks the message of a POST for a modern server, whose headers repeat parts of the body, and has it answered. HTTP-40
 */
export function postModern(
  admitted: AdmittedRequest,
  message: unknown,
  core: ServerCore,
  { modern, supported }: ServersByEra,
  stateless: StatelessRequests,
): void {
  const { request, response } = admitted;
  const { errors, idlessErrors, wellKnown } = core.side.revision;
  if (!isObject(message) || typeof message["method"] !== "string") {
    // HTTP-41
    const text = "A body is one request or one notification.";
    return refuse(response, 400, text, idlessErrors ? undefined : null);
  }
  const fault = headerFault(request, message as unknown as WireRequest, core, modern, supported);
  if (fault) {
    // VERS-09: a client of an older revision sends no such headers. The error lists the revisions of this server.
    const code = errors["HEADER_MISMATCH"] ?? -32020;
    return refuse(response, 400, fault, idOf(message), code, { supported });
  }
  stateless.serve(core, message, admitted, {
    statusOf: (reply) => statusIn(core, message, reply),
    isListener: message["method"] === wellKnown.listen,
  });
}

/**
 * Compares the headers of a request with its body (HDR-04, HDR-05, HDR-16). Returns a sentence that names the first difference;
 * undefined if there is none, or if the body itself is invalid.
 */
function headerFault(
  request: HttpRequest,
  message: WireRequest,
  core: ServerCore,
  cores: readonly ServerCore[],
  supported: readonly string[],
): string | undefined {
  const { headers, meta } = core.side.revision;
  const check = (name: string, value: string, param?: ParamHeader): string | undefined => {
    const given = request.header(name.toLowerCase())?.trim();
    if (given === undefined) return `The header ${name} is missing; expected ${JSON.stringify(value)}.`;
    // HDR-17: servers and proxies decode bytes beyond ASCII differently.
    if (/[^\t -~]/.test(given)) return `The header ${name} has a character that no header may have.`;
    const text = decodeHeader(given);
    if (text === undefined) return `The header ${name} is not valid base64.`;
    // HDR-09
    const isSame =
      text === value || (param?.type === "integer" && text !== "" && Number(text) === Number(value));
    return isSame
      ? undefined
      : `The header ${name} says ${JSON.stringify(text)}, the body says ${JSON.stringify(value)}.`;
  };
  const version = headers.version ?? "";
  const stated = request.header(version.toLowerCase())?.trim();
  // COMPAT-15
  if (stated === undefined) {
    return `The header ${version} is missing; this server supports ${supported.join(", ")}.`;
  }
  const claimed = getOwn(metaOf(message.params), meta.protocolVersion);
  if (typeof claimed !== "string") return undefined;
  if (stated !== claimed) return check(version, claimed);
  if (!serverOf(cores, claimed)) return undefined;
  const { method, id } = message;
  // HDR-02 is about requests only.
  if (id === undefined) return undefined;
  const params = isObject(message.params) ? message.params : {};
  const fault = headers.method && check(headers.method, method);
  if (fault) return fault;
  const subject = getOwn(params, getOwn(core.side.incomingRequests, method)?.facts.header);
  const wrong = headers.name && typeof subject === "string" ? check(headers.name, subject) : undefined;
  if (wrong) return wrong;
  // HDR-07, HDR-10
  for (const param of core.config.paramHeaders?.(method, params) ?? []) {
    const value = paramValue(param, params["arguments"]);
    const name = `${headers.param}${param.header}`;
    const missing = value === undefined && request.header(name.toLowerCase()) !== undefined;
    const differs = missing
      ? `The header ${name} repeats what the body does not have.`
      : value !== undefined && check(name, String(value), param);
    if (differs) return differs;
  }
  return undefined;
}

/** The HTTP status of an answer that is sent as one JSON body. META-01, HTTP-48, HTTP-49 */
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
