import { isObject, metaOf, own, type ServerCore, type WireRequest } from "../../index.js";
import { decodeHeader, type Mirror, mirrored } from "../../session/mirror.js";
import type { HttpRequest } from "./wire.js";

/**
 * HDR-04, HDR-05, HDR-16: how the headers of a request differ from its body; undefined when they agree, or when the body
 * itself is what is wrong.
 */
export function headerFault(
  request: HttpRequest,
  message: WireRequest,
  core: ServerCore,
  supported: readonly string[],
): string | undefined {
  const { headers, meta } = core.side.revision;
  const check = (name: string, value: string, mirror?: Mirror): string | undefined => {
    const given = request.header(name.toLowerCase())?.trim();
    if (given === undefined) return `The header ${name} is missing; expected ${JSON.stringify(value)}.`;
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
  if (stated === undefined) return `The header ${version} is missing.`;
  const claimed = own(metaOf(message.params), meta.protocolVersion);
  if (typeof claimed !== "string") return undefined;
  if (stated !== claimed) return check(version, claimed);
  if (!supported.includes(claimed)) return undefined;
  const { method, id } = message;
  // HDR-02 speaks of requests alone.
  if (id === undefined) return undefined;
  const params = isObject(message.params) ? message.params : {};
  const fault = headers.method && check(headers.method, method);
  if (fault) return fault;
  const subject = own(params, own(core.side.hears, method)?.facts.header);
  const wrong = headers.name && typeof subject === "string" ? check(headers.name, subject) : undefined;
  if (wrong) return wrong;
  // HDR-07, HDR-10
  for (const mirror of core.host.mirrors?.(method, params) ?? []) {
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
