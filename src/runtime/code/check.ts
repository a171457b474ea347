import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogServer } from "./catalog.js";
import { type Compiler, compile, findCompiler } from "./compiler.js";

/** What a check found. */
export type Checked =
  | {
      readonly ok: true;
      /** The program without types. */
      readonly javaScript: string;
      /** False if no compiler was there to check the program. */
      readonly isChecked: boolean;
    }
  | {
      readonly ok: false;
      /** Each issue with its line and column, and the signatures that are meant. */
      readonly message: string;
      readonly isChecked: boolean;
    };

/** Checks programs against the types of the tools. */
export interface Checker {
  check(program: string): Promise<Checked>;
}

/** The bytes of a program. */
const maxSize = 32_768;
/** The brackets in brackets of a program. */
const maxDepth = 100;

/** What programs have beside the tools. */
const globals = `
declare const console: {
  log(...values: unknown[]): void; info(...values: unknown[]): void;
  warn(...values: unknown[]): void; error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
};
`;

/** It reads no file but those that are named, whatever a program refers to. */
const configuration = {
  compilerOptions: {
    strict: true,
    useUnknownInCatchVariables: false,
    noEmitOnError: true,
    noResolve: true,
    target: "es2022",
    module: "es2022",
    lib: ["es2022"],
    types: [],
    outDir: "out",
  },
  files: ["api.d.ts", "globals.d.ts", "program.ts"],
};

const head = "async function program() {\n";

/**
 * Makes the checker of programs.
 *
 * @param api the text of `api.d.ts`
 * @param directory the folder whose TypeScript is used
 */
export function checkerOf(
  api: string,
  servers: readonly CatalogServer[],
  directory: string = process.cwd(),
): Checker {
  const compiler = findCompiler(directory);
  return {
    async check(program) {
      const message = faultBefore(program);
      if (message !== null) return { ok: false, message, isChecked: true };
      return compiler === null
        ? withoutCompiler(program)
        : compiled(compiler, api, servers, program);
    },
  };
}

/** What is refused before a compiler sees it; null if it may. */
function faultBefore(program: string): string | null {
  const size = Buffer.byteLength(program);
  if (size > maxSize)
    return `The program has ${size} bytes, and may have ${maxSize}. Do less in one program.`;
  if (depthOf(program) > maxDepth)
    return `The program has more than ${maxDepth} brackets in brackets.`;
  const [word] =
    /^[ \t]*(?:import|export)\b(?![ \t]*[.=:])|\bimport[ \t]*\(|\brequire[ \t]*\(|^[ \t]*\/\/\/[ \t]*<|@ts-(?:ignore|nocheck|expect-error)/m.exec(
      program,
    ) ?? [];
  if (word === undefined) return null;
  return word.startsWith("@")
    ? `The program has "${word}", but every line is checked.`
    : `The program has "${word.trim()}", but there is nothing to import: the tools and console are all that it can use.`;
}

/** How many brackets are open at once at most. */
function depthOf(program: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of program.matchAll(/[()[\]{}<>]/g)) {
    depth = Math.max(0, depth + ("([{<".includes(bracket) ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Removes the types of a program that nobody can check. */
function withoutCompiler(program: string): Checked {
  const { stripTypeScriptTypes: strip } = nodeModule as {
    stripTypeScriptTypes?: (code: string) => string;
  };
  try {
    // Alone, a program could not return.
    const text = strip ? strip(`${head}${program}\n}`) : `${head}${program}\n}`;
    return { ok: true, javaScript: callOf(text), isChecked: false };
  } catch (error) {
    const { message } = error as Error;
    return { ok: false, message, isChecked: false };
  }
}

const callOf = (text: string): string => `${text}\nreturn program();`;

/** Compiles a program in a folder of its own. */
async function compiled(
  compiler: Compiler,
  api: string,
  servers: readonly CatalogServer[],
  program: string,
): Promise<Checked> {
  const folder = await mkdtemp(join(tmpdir(), "mcpgen-code-"));
  try {
    const files = {
      "tsconfig.json": JSON.stringify(configuration),
      "api.d.ts": api,
      "globals.d.ts": globals,
      "program.ts": `${head}${program}\n}\n`,
    };
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text);
    const output = await compile(compiler, folder);
    if (output === null)
      return {
        ok: false,
        message: "The program takes too long to check. Write simpler types.",
        isChecked: true,
      };
    const issues = issuesIn(output);
    if (issues.length > 0) {
      const message = messageOf(issues, program, servers);
      return { ok: false, message, isChecked: true };
    }
    const path = join(folder, "out/program.js");
    const text = await readFile(path, "utf8").catch(() => null);
    // The compiler has failed, since its stack is full.
    if (text === null)
      return {
        ok: false,
        message: "The program nests too deep to be checked. Write it simpler.",
        isChecked: true,
      };
    return { ok: true, javaScript: callOf(text), isChecked: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Issue {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The errors of a compiler, at their lines of the program. */
function issuesIn(output: string): Issue[] {
  const pattern =
    /^(?:(.+?)\((\d+),(\d+)\): )?error TS\d+: (.*(?:\n[ \t]+.*)*)/gm;
  return [...output.matchAll(pattern)].map(
    ([, file = "", line = "1", column = "1", text = ""]) => ({
      line: file.endsWith("program.ts") ? Number(line) - 1 : 0,
      column: Number(column),
      text,
    }),
  );
}

/** The most issues that a message has. */
const maxIssues = 10;

/** The issues for a model, with the signatures of the tools in their lines. */
function messageOf(
  issues: readonly Issue[],
  program: string,
  servers: readonly CatalogServer[],
): string {
  const lines = program.split("\n");
  const shown = issues.slice(0, maxIssues);
  const texts = shown.map(
    ({ line, column, text }) => `${line}:${column} ${text}`,
  );
  const meant = new Set(
    shown.flatMap(({ line }) => signaturesIn(lines[line - 1] ?? "", servers)),
  );
  const rest = issues.length - shown.length;
  if (rest > 0) texts.push(`… and ${rest} more`);
  return [...texts, ...meant].join("\n");
}

/** The signatures of the tools that a line calls. */
function signaturesIn(
  line: string,
  servers: readonly CatalogServer[],
): string[] {
  return servers.flatMap(({ name, tools }) =>
    tools
      .filter((tool) => line.includes(`${name}.${tool.name}`))
      .map((tool) => tool.line),
  );
}
