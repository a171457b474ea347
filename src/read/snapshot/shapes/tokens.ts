import type { Doc } from "../../../ir/model.js";
import type { JsonRecord } from "../../../ir/surface/model.js";

/** A member of an object as it stood in a schema. */
export interface Named {
  readonly name: string;
  readonly doc: Doc;
}

/**
 * Words that stand in for whatever a server has written while a library prints the types, so that none of its text ever
 * reaches that library, and none of the library's text ever depends on it.
 */
export class Tokens {
  readonly #members: Named[] = [];
  readonly #texts: string[] = [];
  readonly #keys: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #leaves = new Map<string, JsonRecord>();

  constructor(keys: readonly string[]) {
    this.#keys = keys;
    this.#places = new Map(keys.map((key, index) => [key, index]));
  }

  member(entry: Named): string {
    return `k${this.#members.push(entry) - 1}`;
  }

  text(value: string): string {
    return `s${this.#texts.push(value) - 1}`;
  }

  /** The name of a definition; a reference to one that is not there would be a bug of ours. */
  definition(key: string): string {
    return `D${this.#places.get(key) ?? "none"}`;
  }

  /** The schema of a type without parts. It is the same object each time, since the library reads each object once. */
  leaf(type: string): JsonRecord {
    const leaf = this.#leaves.get(type) ?? { type };
    this.#leaves.set(type, leaf);
    return leaf;
  }

  memberOf(token: string): Named | undefined {
    return /^k\d+$/.test(token) ? this.#members[Number(token.slice(1))] : undefined;
  }

  textOf(token: string): string | undefined {
    return /^s\d+$/.test(token) ? this.#texts[Number(token.slice(1))] : undefined;
  }

  keyOf(token: string): string | undefined {
    return /^D\d+$/.test(token) ? this.#keys[Number(token.slice(1))] : undefined;
  }
}

/** Stands for the type without values, which the library has no schema for. */
export const nothing = "n";
/** The members of a list whose places have types of their own: `t0`, `t1`. */
export const position = /^t(\d+)$/;
