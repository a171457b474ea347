import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { directory, mcpgen } from "../cli/support.js";

/**
 * The files after the command, each on one line, and its messages of what is
 * left, each with its hint.
 */
export async function migrated(
  files: Readonly<Record<string, string>>,
  { zod }: { readonly zod?: string } = {},
): Promise<{
  readonly places: readonly string[];
  readonly hints: readonly string[];
  of(name: string): string;
}> {
  const at = directory(files);
  if (zod !== undefined) {
    const path = join(at, "node_modules/zod/package.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ name: "zod", version: zod }));
  }
  const { code, out, err } = await mcpgen(
    ["migrate", ...Object.keys(files), "--json"],
    { directory: at },
  );
  expect(code, err).toBe(0);
  const { diagnostics } = JSON.parse(out) as {
    readonly diagnostics: readonly {
      readonly message: string;
      readonly hint: string;
    }[];
  };
  return {
    places: diagnostics.map(({ message }) => message),
    hints: diagnostics.map(({ hint }) => hint),
    of: (name) =>
      readFileSync(join(at, name), "utf8").replaceAll(/\s+/g, " ").trim(),
  };
}
