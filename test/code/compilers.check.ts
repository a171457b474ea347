import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import type { CodeResult } from "../../src/runtime/code.js";
import { root } from "../repository.js";
import { isExpected, servers, shownAnswer } from "./support.js";

const api = `
interface ToolOutput { readonly text: string; readonly parts: readonly object[] }
declare const files: { read(args: { path?: string }): Promise<ToolOutput> };
`;

/** A program, its answer with any compiler, and its answer without one. */
const programs: readonly (readonly [string, string, string])[] = [
  [
    "const got: { readonly text: string } = await files.read({ path: 'a' });\nreturn got.text;",
    'value:"some text"',
    'value:"some text"',
  ],
  [
    "return (await files.read({ pth: 'a' })).text;",
    "types:'pth' does not exist",
    'value:"some text"',
  ],
  [
    "const n = 1;\nreturn await files.raed({});",
    "types:2:20 Property 'raed' does not exist",
    "thrown:not a function",
  ],
  ["return process.env;", "types:Cannot find name 'process'", "thrown:process"],
  ["return (", "types:Expression expected", "types:|thrown:"],
  [
    "import fs from 'node:fs';",
    "types:nothing to import",
    "types:nothing to import",
  ],
  ["type F<T> = F<[T]>; const a: F<1> = 1; return a;", "types:", "value:1"],
  [`let x: ${"Array<".repeat(3000)}`, "types:", "types:|thrown:"],
  [
    `return ${"(".repeat(3000)}`,
    "types:brackets in brackets",
    "types:brackets",
  ],
];

interface Answers {
  readonly version: string;
  readonly results: readonly CodeResult[];
  readonly warnings: readonly string[];
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder whose programs would use this compiler. */
function folderWith(compiler: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-compiler-"));
  folders.push(folder);
  if (compiler === null) return folder;
  const target = join(root, "test/types/node_modules", compiler);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(target, join(folder, "node_modules/typescript"), "junction");
  return folder;
}

async function answersOn(node: string, directory: string): Promise<Answers> {
  const file = process.platform === "win32" ? "node.exe" : "node";
  const program = join(root, "test/node/node_modules", node, "bin", file);
  const job = { api, directory, programs: programs.map(([text]) => text) };
  const { stdout } = await promisify(execFile)(program, [
    join(root, "test/code/answer.mjs"),
    JSON.stringify({ ...job, servers }),
  ]);
  return JSON.parse(stdout) as Answers;
}

describe.each(["node22", "node24"])("the check of a program on %s", (node) => {
  it.concurrent.each([
    ["TypeScript 5.9", "typescript-5.9"],
    ["TypeScript 6", "typescript-6"],
    ["TypeScript 7", "typescript-7"],
    ["no compiler, as far as that is possible", null],
  ])(
    "finds what is wrong before anything runs, with %s",
    async (_, compiler) => {
      const { version, results, warnings } = await answersOn(
        node,
        folderWith(compiler),
      );
      expect(`node${version.split(".")[0] ?? ""}`).toBe(node);
      const expected = programs.map(([program, checked, unchecked]) => [
        program,
        compiler === null ? unchecked : checked,
      ]);
      expect(
        results.map((result, i) => {
          const [program = "", answers = ""] = expected[i] ?? [];
          const answer = shownAnswer(result);
          return [program, isExpected(answer, answers) ? answers : answer];
        }),
      ).toEqual(expected);
      // Some are refused before a compiler is asked for.
      expect(results[0]?.isChecked).toBe(compiler !== null);
      expect([...new Set(warnings)]).toEqual(
        compiler === null
          ? [
              "Programs are not checked before they run: install typescript beside them.",
            ]
          : [],
      );
    },
  );
});
