import { afterAll, beforeAll, expect, it } from "vitest";

/** How large a run is; 1 is a hundredth of the full size. */
export const scale = Number(process.env["MCPGEN_SOAK"] ?? 1);
export const seed = Number(process.env["MCPGEN_SEED"] ?? 20251125);

/**
 * Adds a test to the end of a file that checks that its tests caused no
 * unhandled rejection or exception.
 */
export function nothingUnhandled(): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(
    () =>
      void process.on("unhandledRejection", note).on("uncaughtException", note),
  );
  afterAll(
    () =>
      void process
        .off("unhandledRejection", note)
        .off("uncaughtException", note),
  );

  it("the tests of this file cause no unhandled rejection or exception", () => {
    expect(unhandled).toEqual([]);
  });
}
