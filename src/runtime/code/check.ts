import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogServer } from "./catalog.js";
import { compile, findCompiler } from "./compiler.js";

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
): (program: string) => Promise<Checked> {
  const compiler = findCompiler(directory);
  return async (program) => {
    const message = faultBefore(program);
    if (message !== null) return failed(message);
    if (compiler === null) return withoutCompiler(program);
    const folder = await mkdtemp(join(tmpdir(), "mcpgen-code-"));
    try {
      return await compiled(compiler, folder, { api, servers, program });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

const failed = (message: string, isChecked = true): Checked => ({
  ok: false,
  message,
  isChecked,
});

const passed = (text: string, isChecked: boolean): Checked => ({
  ok: true,
  javaScript: `${text}\nreturn program();`,
  isChecked,
});

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
  // `<` is a comparison in most programs, and types in types take compilers
  // little time.
  for (const [bracket] of program.matchAll(/[()[\]{}]/g)) {
    depth = Math.max(0, depth + ("([{".includes(bracket) ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Removes the types of a program that nobody can check. */
function withoutCompiler(program: string): Checked {
  const { stripTypeScriptTypes: strip } = nodeModule as {
    stripTypeScriptTypes?: (code: string) => string;
  };
  // Alone, a program could not return.
  const text = `${head}${program}\n}`;
  try {
    return passed(strip?.(text) ?? text, false);
  } catch (error) {
    return failed((error as Error).message, false);
  }
}

interface Source {
  readonly api: string;
  readonly servers: readonly CatalogServer[];
  readonly program: string;
}

/** Compiles a program in a folder of its own. */
async function compiled(
  compiler: string,
  folder: string,
  source: Source,
): Promise<Checked> {
  const files = {
    "tsconfig.json": JSON.stringify(configuration),
    "api.d.ts": source.api,
    "globals.d.ts": globals,
    "program.ts": `${head}${source.program}\n}\n`,
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text);
  const output = await compile(compiler, folder);
  if (output === null)
    return failed("The program takes too long to check. Write simpler types.");
  const message = messageIn(output, source);
  if (message !== null) return failed(message);
  const path = join(folder, "out/program.js");
  const text = await readFile(path, "utf8").catch(() => null);
  // The compiler has failed, since its stack is full.
  return text === null
    ? failed("The program nests too deep to be checked. Write it simpler.")
    : passed(text, true);
}

/** The most issues that a message has. */
const maxIssues = 10;

/**
 * The errors of a compiler for a model, at their lines of the program, with the
 * signatures of the tools in these lines; null without an error.
 */
function messageIn(
  output: string,
  { program, servers }: Source,
): string | null {
  const pattern =
    /^(?:(.+?)\((\d+),(\d+)\): )?error TS\d+: (.*(?:\n[ \t]+.*)*)/gm;
  const issues = [...output.matchAll(pattern)];
  if (issues.length === 0) return null;
  const lines = program.split("\n");
  let code = "";
  const texts = issues
    .slice(0, maxIssues)
    .map(([, file = "", line = "1", column = "1", text = ""]) => {
      const at = file.endsWith("program.ts") ? Number(line) - 1 : 0;
      code += `${lines[at - 1] ?? ""}\n`;
      return `${at}:${column} ${text}`;
    });
  const rest = issues.length - texts.length;
  if (rest > 0) texts.push(`… and ${rest} more`);
  const meant = servers.flatMap(({ name, tools }) =>
    tools
      .filter((tool) => code.includes(`${name}.${tool.name}`))
      .map((tool) => tool.line),
  );
  return [...texts, ...meant].join("\n");
}
