import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { root } from "../repository.js";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<
    Record<string, string | { readonly types?: string }>
  >;
}

/** The source of each entry that has types, by the name that imports it. */
function entriesIn(folder: string): readonly (readonly [string, string])[] {
  const text = readFileSync(join(root, folder, "package.json"), "utf8");
  const { name, exports } = JSON.parse(text) as Manifest;
  return Object.entries(exports).flatMap(([path, entry]) => {
    if (typeof entry === "string" || entry.types === undefined) return [];
    const source = entry.types
      .replace(/^\.\/dist\/(?:types\/(?:runtime|auth)\/)?/, "")
      .replace(/\.d\.ts$/, ".ts");
    const base = folder === "." ? "src" : folder;
    return [[posix.join(name, path), join(root, base, source)]];
  });
}

describe("the names that a program can import", () => {
  it("are those of the list, for each entry of each package", async () => {
    const entries = [".", "src/runtime", "src/auth"].flatMap(entriesIn);
    const program = ts.createProgram(
      entries.map(([, source]) => source),
      {
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ESNext,
        resolveJsonModule: true,
        skipLibCheck: true,
        noEmit: true,
      },
    );
    const checker = program.getTypeChecker();
    const namesOf = (path: string): string[] => {
      const source = program.getSourceFile(path);
      const module = source && checker.getSymbolAtLocation(source);
      return module === undefined
        ? []
        : checker.getExportsOfModule(module).map((symbol) => symbol.name);
    };
    const lines = entries.map(
      ([entry, path]) => `${entry}: ${namesOf(path).sort().join(", ")}\n`,
    );
    await expect(lines.sort().join("")).toMatchFileSnapshot("entries.txt");
  });
});
