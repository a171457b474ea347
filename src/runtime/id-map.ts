import type { RequestId } from "./message.js";

/**
 * Values by the id of a message. Like a Map, but a removed value can be freed at once: when a Map outgrows its table, the old table stays
 * in V8's old generation for long, and keeps all values that it had.
 */
export class IdMap<V> {
  readonly #slots = new Map<RequestId, { value: V | undefined }>();

  get size(): number {
    return this.#slots.size;
  }

  /** The ids in the order of insertion. */
  ids(): IterableIterator<RequestId> {
    return this.#slots.keys();
  }

  get(id: RequestId): V | undefined {
    return this.#slots.get(id)?.value;
  }

  set(id: RequestId, value: V): void {
    this.#slots.set(id, { value });
  }

  /** Removes the value of an id, and returns it. */
  take(id: RequestId): V | undefined {
    const slot = this.#slots.get(id);
    if (!slot) return undefined;
    const { value } = slot;
    slot.value = undefined;
    this.#slots.delete(id);
    return value;
  }
}
