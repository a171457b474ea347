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

/**
 * Tests for a request id: a string or an integer that JSON keeps exact, never
 * null (JRPC-02).
 */
export function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** The `_meta` of params or of a result; an empty object if there is none. */
export function metaOf(params: unknown): JsonObject {
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) ? meta : {};
}

/**
 * The `elicitationId` of params, which identifies a page that the client opens
 * in URL mode; undefined without one.
 */
export function elicitationIdOf(params: unknown): string | undefined {
  const id = isObject(params) ? params["elicitationId"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** The id of a message, if it has a valid one. */
export const idOf = (message: unknown): RequestId | undefined =>
  isObject(message) && isId(message["id"]) ? message["id"] : undefined;

/**
 * Values by the id of a message, mostly one at a time: the first one needs no
 * Map. Like a Map, but a removed value can be freed at once: when a Map
 * outgrows its table, the old table stays in V8's old generation for long, and
 * keeps all values that it had.
 */
export class IdMap<V> {
  #id: RequestId | undefined;
  #value: V | undefined;
  #others: Map<RequestId, { value: V | undefined }> | undefined;
  /** The number of values. Only the map changes it. */
  size = 0;

  /** The ids at this moment. */
  ids(): RequestId[] {
    const others = [...(this.#others?.keys() ?? [])];
    return this.#id === undefined ? others : [this.#id, ...others];
  }

  get(id: RequestId): V | undefined {
    return id === this.#id ? this.#value : this.#others?.get(id)?.value;
  }

  set(id: RequestId, value: V): void {
    if (this.get(id) === undefined) this.size++;
    if (id === this.#id || (this.#id === undefined && !this.#others?.has(id))) {
      this.#id = id;
      this.#value = value;
    } else
      (this.#others ??= new Map<RequestId, { value: V | undefined }>()).set(
        id,
        { value },
      );
  }

  /** Removes the value of an id, and returns it. */
  take(id: RequestId): V | undefined {
    const value = this.get(id);
    if (value === undefined) return undefined;
    this.size--;
    if (id === this.#id) this.#id = this.#value = undefined;
    else {
      const slot = this.#others?.get(id);
      if (slot) slot.value = undefined;
      this.#others?.delete(id);
    }
    return value;
  }
}
