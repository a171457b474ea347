import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { shortLived } from "../engine.js";
import { put } from "../files.js";
import { program, root } from "../repository.js";

/** A project outside the repository with the runtime in its node_modules. */
export interface Project {
  readonly folder: string;
  /** Runs mcpgen in the folder; rejects if it fails. */
  generate(out: string, ...args: string[]): Promise<void>;
  /** Runs mcpgen once for the jobs of a configuration; rejects if it fails. */
  generateAll(jobs: readonly object[]): Promise<void>;
  write(path: string, text: string): void;
  remove(): void;
}

export async function makeProject(): Promise<Project> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-types-")));
  const write = (path: string, text: string): void => put(join(folder, path), text);
  write("package.json", '{ "type": "module" }\n');
  const runtime = join(folder, "node_modules/@mcpgen/runtime");
  mkdirSync(runtime, { recursive: true });
  cpSync(join(root, "src/runtime/package.json"), join(runtime, "package.json"));
  const declarations = ["-p", join(root, ".ci/tsconfig.runtime.json"), "--noCheck"];
  await run([compilerOf("typescript"), ...declarations, "--outDir", join(runtime, "dist/types")], root);
  const mcpgen = async (...args: string[]): Promise<void> => {
    const { code, output } = await run([program, ...args, "--quiet"], folder);
    if (code !== 0) throw new Error(`mcpgen ${args.join(" ")}: exit ${code}\n${output}`);
  };
  return {
    folder,
    write,
    generate: (out, ...args) => mcpgen(...args, "--out", out),
    generateAll: async (generate) => {
      write("mcpgen.config.json", JSON.stringify({ generate }));
      await mcpgen();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The path of a compiler: of the repository's own, or of one that this folder installs. */
export function compilerOf(name: string): string {
  const folder = name === "typescript" ? root : fileURLToPath(new URL(".", import.meta.url));
  return join(folder, "node_modules", name, "bin/tsc");
}

/** The errors that a compiler reports for a project, one per line. */
export async function faultsOf(project: Project, compiler: string, config: object): Promise<string[]> {
  const file = `tsconfig.${JSON.stringify(config).length}.${(count += 1)}.json`;
  project.write(file, JSON.stringify(config));
  const { code, output } = await run([compilerOf(compiler), "-p", file, "--pretty", "false"], project.folder);
  const lines = output.split(/\r?\n/).filter((line) => line !== "");
  if ((code === 0) !== (lines.length === 0)) lines.push(`exit ${code}`);
  return lines;
}
let count = 0;

/** The errors of a folder that is built with those that it references, one per line. */
export async function referencesOf(project: Project, compiler: string, folder: string): Promise<string[]> {
  const { output } = await run([compilerOf(compiler), "-b", folder, "--pretty", "false"], project.folder);
  return output.split(/\r?\n/).filter((line) => line !== "");
}

interface Ended {
  readonly code: number | string | null;
  readonly output: string;
}

function run(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...shortLived, ...args],
      { cwd, maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? null), output: stdout + stderr });
      },
    );
  });
}
