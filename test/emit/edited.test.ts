import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as prettier from "prettier";
import { describe, expect, it, vi } from "vitest";
import { planFiles } from "../../src/emit/write.js";
import { provenance, temporary, write } from "./write-support.js";

vi.mock("prettier", async (original) => {
  const actual = await original<typeof import("prettier")>();
  return { ...actual, format: vi.fn(actual.format) };
});

const rules = { ...provenance, options: { ...provenance.options, formatting: "0".repeat(64) } };

/** The state of a file that was written as `old` and then changed to `now`, if a run generates `fresh`, and the number of calls of Prettier. */
async function stateAfter(
  path: string,
  { old, now, fresh = old }: { readonly old: string; readonly now: string; readonly fresh?: string },
  { config = null }: { readonly config?: object | null } = {},
): Promise<{ readonly state: string | undefined; readonly passes: number }> {
  const out = temporary();
  const by = config === null ? provenance : rules;
  await write(out, { [path]: old }, { provenance: by });
  writeFileSync(join(out, path), now);
  vi.mocked(prettier.format).mockClear();
  const format = async (filepath: string, text: string): Promise<string> =>
    filepath === path ? await prettier.format(text, { ...config, filepath }) : text;
  const request = { out, files: [{ path, text: fresh }], provenance: by, ...(config && { format }) };
  const plan = await planFiles(request);
  return { state: plan?.files[0]?.state, passes: vi.mocked(prettier.format).mock.calls.length };
}

describe("a generated module", () => {
  const old =
    'export const long = { alpha: "one", beta: ["two", "three"], gamma: (x: number) => x * (x + 1) };\n';
  const fresh = old.replace("two", "four");

  it("that was only reformatted is up to date", async () => {
    const now = await prettier.format(old, { parser: "typescript", printWidth: 40, semi: false });
    expect(await stateAfter("a.ts", { old, now })).toEqual({ state: "reformatted", passes: 2 });
  });

  it("that was edited is recognized without Prettier if the generated text is the same as in the last run", async () => {
    const now = await prettier.format(old.replace("two", "2"), { parser: "typescript", printWidth: 40 });
    expect(await stateAfter("a.ts", { old, now })).toEqual({ state: "edited", passes: 0 });
  });

  it("whose parentheses moved is edited", async () => {
    const now = old.replace("x * (x + 1)", "(x * x) + 1");
    expect(await stateAfter("a.ts", { old, now })).toMatchObject({ state: "edited" });
  });

  it("that was reformatted after the last run is outdated, not edited, with Prettier's defaults", async () => {
    const written = await prettier.format(old, { parser: "typescript" });
    const now = await prettier.format(written, { parser: "typescript", useTabs: true, semi: false });
    expect(await stateAfter("a.ts", { old: written, now, fresh })).toEqual({ state: "outdated", passes: 1 });
  });

  it("that was reformatted after the last run is outdated, not edited, with the project's Prettier configuration", async () => {
    const config = { printWidth: 50, singleQuote: true, semi: false };
    const written = await prettier.format(old, { ...config, parser: "typescript" });
    const now = await prettier.format(written, { parser: "typescript", printWidth: 50 });
    expect(await stateAfter("a.ts", { old: written, now, fresh }, { config })).toEqual({
      state: "outdated",
      passes: 1,
    });
  });
});
