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

/** Any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The params of a message; undefined if it has none. */
export type Params = JsonObject | undefined;

/** Tests for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tests for a request id: a string or an integer, never null (JRPC-02). */
export function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isInteger(value);
}

/** Returns an own property of a table. A name from a peer, such as `constructor`, must not return an inherited one. */
export function getOwn<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The `_meta` of params or of a result; an empty object if there is none. */
export function metaOf(params: unknown): JsonObject {
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) ? meta : {};
}
