/** Identifies a request and its response. A number is an integer. */
export type RequestId = string | number;

/** A request as it stands on the wire. */
export interface WireRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A notification as it stands on the wire. */
export interface WireNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: unknown;
}

/** Any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The params of a message, which may have none. */
export type Params = JsonObject | undefined;

/** Is it an object in the sense of JSON? */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JRPC-02: ids are strings or integers, never null. */
export function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isInteger(value);
}

/** The own member of a table; a wire name such as `constructor` finds nothing. */
export function getOwn<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
