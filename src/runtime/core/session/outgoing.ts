import { advise } from "../advice.js";
import { metaOf, type Params } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { ServerSessionConfig } from "./config.js";
import { downgrade } from "./downgrade.js";
import type { Session } from "./session.js";

/** Converts a result, or the params of a message of the server, to the revision of the session. Warns once of each change, and of what `advise` finds. */
export function outgoing(
  { config, connection }: Pick<Session<ServerSessionConfig>, "config" | "connection">,
  part: "results" | "params",
  method: string,
  input: unknown,
): unknown {
  const value = asSent(input);
  const { side, settings, warnOnce } = config;
  const { downgrades, revision } = side;
  const adviser = settings.onWarning ? advise : connection.transport.advise;
  adviser?.(config, method, value, warnOnce);
  return downgrade(value, getOwn(downgrades[part], method), downgrades.tag, (change) =>
    warnOnce(`${method}: ${change}, because revision ${revision.revision} does not have it.`),
  );
}

/** Maximum depth that is checked. A deeper value is serialized. */
const maxDepth = 100;

/**
 * The value as the peer receives it, so that the checked value is the sent one. Returns a plain JSON value unchanged. A value that
 * JSON changes, with `toJSON`, class instances or functions, is serialized and parsed.
 *
 * @throws TypeError for a value that cannot be serialized.
 */
export function asSent(value: unknown): unknown {
  if (typeof value !== "object" || isPlain(value, 0)) return value;
  // The text is undefined if `toJSON` returns undefined. No message accepts null instead of an object.
  return JSON.parse((JSON.stringify(value) as string | undefined) ?? "null");
}

/** Adds members to the `_meta` of params. Returns invalid params unchanged; the check before sending rejects them. */
export function withMeta(input: Params, more: JsonObject): Params {
  const params = asSent(input) as Params;
  return canHaveMeta(params) ? { ...params, _meta: { ...metaOf(params), ...more } } : params;
}

/** True if `_meta` can be added to these params: they are absent, or an object whose `_meta` is an object or absent. */
export function canHaveMeta(params: unknown): boolean {
  if (params === undefined) return true;
  return isObject(params) && (params["_meta"] === undefined || isObject(params["_meta"]));
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object") return typeof value !== "function" && typeof value !== "symbol";
  if (value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false;
  return true;
}
