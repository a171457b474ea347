import { isObject, type JsonObject, type Params } from "../message.js";
import { asSent } from "./plain.js";

/** The `_meta` of params; an empty object if there is none. */
export function metaOf(params: unknown): JsonObject {
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) ? meta : {};
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
