import { isObject, type JsonObject, type Params } from "../message.js";
import { asSent } from "./plain.js";

/** The `_meta` of params, an empty object without one. */
export function metaOf(params: unknown): JsonObject {
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) ? meta : {};
}

/** Adds members to the `_meta` of params. A value that is not an object is returned as it is: the check before sending refuses it. */
export function withMeta(given: Params, more: JsonObject): Params {
  const params = asSent(given) as Params;
  return isMarkable(params) ? { ...params, _meta: { ...metaOf(params), ...more } } : params;
}

/** Can a `_meta` be added to these params? A copy of a value that is not an object would be a different value. */
export function isMarkable(params: unknown): boolean {
  if (params === undefined) return true;
  return isObject(params) && (params["_meta"] === undefined || isObject(params["_meta"]));
}
