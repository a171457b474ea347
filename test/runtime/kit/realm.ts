import { runInNewContext } from "node:vm";

const resolve = runInNewContext("(value) => Promise.resolve(value)") as <T>(
  value: T,
) => Promise<T>;

/**
 * A promise of another realm, which is not an instance of this realm's
 * `Promise`.
 */
export const foreignPromise = <T>(value: T): Promise<T> => resolve(value);
