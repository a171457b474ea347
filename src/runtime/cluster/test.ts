/**
 * Cases that show whether a `SharedStore` does what its interface says, for any
 * test runner: `for (const { name, run } of storeCases) test(name, () =>
 * run(setup))`.
 * @module
 */
import { benchOf, type StoreSetup } from "./cases/bench.js";
import { logCases } from "./cases/logs.js";
import { valueCases } from "./cases/values.js";

export type { StoreSetup };

/**
 * One case: a sentence about a store, and a function that rejects with an
 * `Error` if it is not true.
 */
export interface StoreCase {
  readonly name: string;
  /** Takes a few seconds at most. A case uses keys that no other one uses. */
  run(setup: StoreSetup): Promise<void>;
}

/** The cases, in the order of the interface. */
export const storeCases: readonly StoreCase[] = /* @__PURE__ */ Object.entries({
  ...valueCases,
  ...logCases,
}).map(([name, check]) => ({
  name,
  async run(setup) {
    const bench = await benchOf(setup);
    await check(bench).finally(bench.end);
  },
}));
