import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Full, Quota, RateLimit } from "../../src/runtime/core/quota.js";
import { newTexts } from "../../src/runtime/core/report.js";
import { runs } from "../whole.js";

/** The same as a quota, without what makes it fast. */
class Plain {
  readonly #held: [caller: unknown, count: number][] = [];

  sizeOf(caller?: unknown): number {
    return this.#held
      .filter(([one]) => caller === undefined || one === caller)
      .reduce((sum, [, count]) => sum + count, 0);
  }

  add(caller: unknown, count: number): void {
    this.#held.push([caller, count]);
  }

  fullFor(
    caller: unknown,
    count: number,
    max: number,
    share: number,
  ): Full | undefined {
    const each = Math.ceil(max / share);
    if (caller !== undefined && this.sizeOf(caller) + count > each)
      return "caller";
    return this.sizeOf() + count > max ? "all" : undefined;
  }
}

describe("a quota", () => {
  it.each([0, 1001])(
    "allows each caller its part and all of them the whole, to the last one, after %i callers that have nothing",
    (idle) => {
      const caller = fc.constantFrom(undefined, "a", "b", "c");
      const steps = fc.array(fc.tuple(caller, fc.integer({ min: -2, max: 3 })));
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 7 }),
          fc.integer({ min: 1, max: 3 }),
          steps,
          (max, share, all) => {
            const [quota, plain] = [new Quota(max, share), new Plain()];
            for (let i = 0; i < idle; i++) {
              quota.add(`idle ${i}`, 1);
              quota.add(`idle ${i}`, -1);
            }
            for (const [who, count] of all) {
              const full = plain.fullFor(who, count, max, share);
              expect(quota.fullFor(who, count)).toBe(full);
              expect(quota.fullFor(who)).toBe(
                plain.fullFor(who, 1, max, share),
              );
              // What is given back was there before.
              if (full || plain.sizeOf(who) + count < 0) continue;
              quota.add(who, count);
              plain.add(who, count);
              expect(quota.size).toBe(plain.sizeOf());
            }
          },
        ),
        { numRuns: idle === 0 ? runs(300) : 20 },
      );
    },
  );
});

describe("a limit of a rate", () => {
  afterEach(() => void vi.useRealTimers());

  it.each([undefined, 60_000])(
    "allows each caller as many as it says in each period (%s), and no one more",
    (period) => {
      vi.useFakeTimers({ now: 3_600_000 });
      const limit = new RateLimit(2, period);
      const uses = (): boolean[] =>
        ["a", "b", "a", "a", "b", undefined, "b"].map((caller) =>
          limit.allows(caller),
        );
      const allowed = [true, true, true, false, true, true, false];
      expect(uses()).toEqual(allowed);
      vi.advanceTimersByTime((period ?? 1000) - 1);
      expect(["a", "b", undefined].map((one) => limit.allows(one))).toEqual([
        false,
        false,
        true,
      ]);
      vi.advanceTimersByTime(1);
      expect(uses()).toEqual(allowed);
    },
  );
});

it.each([undefined, 1, 3])(
  "texts are new once, and none is after as many as given (%s)",
  (maximum) => {
    const isNew = newTexts(maximum);
    const count = maximum ?? 1000;
    const texts = Array.from({ length: count }, (_, i) => `t${i}`);
    expect(texts.flatMap((text) => [isNew(text), isNew(text)])).toEqual(
      texts.flatMap(() => [true, false]),
    );
    expect([isNew("another"), isNew("t0")]).toEqual([false, false]);
  },
);
