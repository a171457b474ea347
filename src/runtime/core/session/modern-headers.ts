import { metaOf } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import { shown } from "../report.js";
import {
  decodeHeader,
  type ParamHeader,
  paramHeadersOf,
  paramValue,
} from "../transport/param-headers.js";
import type { HeaderSource, ServerSessionConfig } from "./config.js";

/** The maximum number of tools whose headers are kept. */
const maxTools = 10_000;

/**
 * The headers of arguments by tool, of servers whose list of tools comes from a
 * handler of the author.
 */
const learned = new WeakMap<
  ServerSessionConfig,
  Map<unknown, readonly ParamHeader[]>
>();

/**
 * Reads the headers that a list of tools requires (HDR-10). What another
 * process sent is not known.
 */
export function learnHeaders(
  config: ServerSessionConfig,
  tools: unknown,
): void {
  if (config.paramHeaders || config.side.revision.headers.param === undefined)
    return;
  const byTool =
    learned.get(config) ?? new Map<unknown, readonly ParamHeader[]>();
  learned.set(config, byTool);
  for (const tool of Array.isArray(tools) ? tools.filter(isObject) : []) {
    const { headers, error } = paramHeadersOf(tool["inputSchema"]);
    const { name } = tool;
    if (error)
      config.warnOnce(
        `${config.side.revision.wellKnown.listTools}: ${error} Clients leave out the tool ${String(name)}.`,
      );
    byTool.delete(name);
    if (headers.length > 0) byTool.set(name, headers);
    if (byTool.size > maxTools) byTool.delete(byTool.keys().next().value);
  }
}

/**
 * Compares the headers of a request with its body (HDR-04, HDR-05, HDR-16).
 * Returns a sentence about the first difference; undefined if there is none, or
 * if the body itself is invalid.
 */
export function headerMismatch(
  source: HeaderSource,
  { method, id, params: input }: JsonObject,
  config: ServerSessionConfig,
  supported: readonly string[],
): string | undefined {
  const { incomingRequests, revision: facts } = config.side;
  const { headers, meta, revision, wellKnown } = facts;
  const version = headers.version ?? "";
  const headerRevision = source.header(version.toLowerCase());
  // The error tells the client which revisions to use (COMPAT-15).
  if (headerRevision === undefined)
    return `The header ${version} is missing; this server supports ${supported.join(", ")}.`;
  const metaRevision = getOwn(metaOf(input), meta.protocolVersion);
  if (typeof metaRevision !== "string") return undefined;
  if (headerRevision !== metaRevision)
    return difference(source, version, metaRevision, false);
  // Notifications have no such headers (HDR-02).
  if (metaRevision !== revision || id === undefined) return undefined;
  const first =
    headers.method && difference(source, headers.method, method, false);
  if (first) return first;
  const params = isObject(input) ? input : {};
  const subject = getOwn(
    params,
    getOwn(incomingRequests, method as string)?.header,
  );
  const second =
    headers.name &&
    typeof subject === "string" &&
    difference(source, headers.name, subject, true);
  if (second) return second;
  // Headers of arguments repeat the body exactly (HDR-07, HDR-10).
  const known =
    method === wellKnown.callTool
      ? learned.get(config)?.get(params["name"])
      : undefined;
  for (const param of config.paramHeaders?.(method as string, params) ??
    known ??
    []) {
    const value = paramValue(param, params["arguments"]);
    const name = `${headers.param}${param.header}`;
    if (value === undefined && source.header(name.toLowerCase()) !== undefined)
      return `The header ${name} is set, but the body has no such argument.`;
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return `The header ${name} cannot be compared with the body: expected an integer within ±(2^53 − 1), got ${String(value)}.`;
    const other = value !== undefined && difference(source, name, value, true);
    if (other) return other;
  }
  return undefined;
}

/** A sentence if a header is not the value of the body. */
function difference(
  source: HeaderSource,
  name: string,
  value: unknown,
  maybeEncoded: boolean,
): string | undefined {
  const header = source.header(name.toLowerCase());
  if (header === undefined)
    return `The header ${name} is missing; expected ${shown(value)}.`;
  // Servers and proxies decode other bytes differently (HDR-17).
  if (/[^\t -~]/.test(header))
    return `The header ${name} has a character that is not ASCII.`;
  // Most values are sent as they are.
  const text =
    maybeEncoded && header.startsWith("=?") ? decodeHeader(header) : header;
  if (text === undefined) return `The header ${name} is not valid base64.`;
  if (text === String(value) || isSameInteger(text, value)) return undefined;
  return `The header ${name} says ${shown(text)}, the body says ${shown(value)}.`;
}

/**
 * True if the text is this integer in decimal notation, perhaps with a fraction
 * of zeros (HDR-09).
 */
function isSameInteger(text: string, value: unknown): boolean {
  const [, integer] = /^(-?\d+)(?:\.0+)?$/.exec(text) ?? [];
  return (
    integer !== undefined &&
    Number.isSafeInteger(value) &&
    BigInt(integer) === BigInt(value as number)
  );
}
