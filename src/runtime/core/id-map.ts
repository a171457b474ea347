import type { RequestId } from "./message.js";

/**
 * Values by the id of a message, mostly one at a time: the first one needs no Map. Like a Map, but a removed value can be freed at once:
 * when a Map outgrows its table, the old table stays in V8's old generation for long, and keeps all values that it had.
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
    } else (this.#others ??= new Map<RequestId, { value: V | undefined }>()).set(id, { value });
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
