import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { directory, mcpgen } from "../cli/support.js";

interface MigrateSettings {
  /** The version of zod that is installed. */
  readonly zod?: string;
  readonly flags?: readonly string[];
}

/**
 * The files after the command, each on one line, and its messages of what is
 * left, each with its hint. They are written although something is left.
 */
export async function migrated(
  files: Readonly<Record<string, string>>,
  { zod, flags = [] }: MigrateSettings = {},
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
    [
      "migrate",
      ...Object.keys(files),
      "--json",
      ...new Set(["--force", ...flags]),
    ],
    { directory: at },
  );
  expect(code, err).toBe(0);
  const { diagnostics } = JSON.parse(out) as {
    readonly diagnostics: readonly {
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    }[];
  };
  const left = diagnostics.filter(({ code }) => code === "MG953");
  return {
    places: left.map(({ message }) => message),
    hints: left.map(({ hint }) => hint),
    of: (name) =>
      readFileSync(join(at, name), "utf8").replaceAll(/\s+/g, " ").trim(),
  };
}
