import { isObject, type JsonObject } from "../../common/object.js";

/** Identifies a request and its response. A number is an integer. */
export type RequestId = string | number;

/** A JSON-RPC request. */
export interface WireRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A JSON-RPC notification. */
export interface WireNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: unknown;
}

/** The params of a message; undefined if it has none. */
export type Params = JsonObject | undefined;

/** Tests for a request id: a string or an integer that JSON keeps exact, never null (JRPC-02). */
export function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** The `_meta` of params or of a result; an empty object if there is none. */
export function metaOf(params: unknown): JsonObject {
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) ? meta : {};
}

/** The id of a message, if it has a valid one. */
export const idOf = (message: unknown): RequestId | undefined =>
  isObject(message) && isId(message["id"]) ? message["id"] : undefined;
