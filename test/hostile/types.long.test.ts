import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mcpgen-types-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const each = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const union = (name: string, count: number): string =>
  `(${Array.from({ length: count }, (_, i) => `{ ${name}${i}: 1 }`).join(" | ")})`;
const digit = "export type D = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;\n";

/** Files whose types cost the compiler more the longer they are. */
const files: Readonly<Record<string, string>> = {
  "conditional types in a chain": `export type C0<T> = T extends string ? 1 : [T];
${each(30, (i) => `export type C${i + 1}<T> = C${i}<T> extends infer U ? U | C${i}<[U, T]> : 0;`)}
export type X = C30<string>;`,
  "a generic alias that names itself":
    "export type R<T> = { a: R<[T, T]> };\nexport interface X { a: R<1> }",
  "a generic interface that grows with each step":
    "export interface R<T> { a: R<T[]>; b: R<[T]> }\nexport interface X { a: R<1> }",
  "aliases that name the one before twice": `export type A0<T> = { v: T };
${each(30, (i) => `export type A${i + 1}<T> = { [K in keyof (A${i}<T> & A${i}<[T]>)]: T };`)}
export interface X { a: A30<string> }`,
  "an intersection of unions": `export type X = Partial<${["a", "b", "c"].map((name) => union(name, 40)).join(" & ")}>;`,
  "many short unions": `export type X = Partial<${Array.from({ length: 12 }, (_, i) => union(`m${i}x`, 3)).join(" & ")}>;`,
  "tuples that double": `export type T0 = [1, 2];\n${each(30, (i) => `export type T${i + 1} = [...T${i}, ...T${i}];`)}`,
  "a template of templates": `${digit}export interface X { a: \`\${D}\${D}\${D}\${D}\${D}\${D}\` }`,
  "nested mapped types": `${digit}export type K = \`\${D}\${D}\${D}\`;
export type X = { [A in K]: { [B in K]: { [C in K]: \`\${A}\${B}\${C}\` } } };`,
};

describe("a schema.ts with types that cost the compiler too much", () => {
  it.each(Object.entries(files))(
    "is refused with a diagnostic and bounded memory: %s",
    async (_, text) => {
      const path = join(folder, "schema.ts");
      writeFileSync(path, text);
      const args = ["ir", path];
      const child = promisify(execFile)(process.execPath, [
        "--max-old-space-size=600",
        program,
        ...args,
      ]);
      const { code, stderr } = await child.then(
        () => ({ code: 0, stderr: "" }),
        (error: { code: number; stderr: string }) => error,
      );
      expect(stderr).toMatch(/MG(104|504) /);
      expect(code).toBe(2);
    },
    150_000,
  );
});
