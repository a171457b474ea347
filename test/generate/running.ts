import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { shortLived } from "../engine.js";
import { program } from "../repository.js";

const folders: string[] = [];
afterAll(() => {
  for (const path of folders.splice(0))
    rmSync(path, { recursive: true, force: true });
});

/**
 * A fresh folder outside the repository, removed after the tests of the file.
 */
export function folder(name = "mcpgen-generate-"): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), name)));
  folders.push(path);
  return path;
}

/** Runs mcpgen and returns its standard output. Rejects if it fails. */
export function mcpgen(
  args: readonly string[],
  {
    cwd,
    environment = {},
  }: {
    readonly cwd: string;
    readonly environment?: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...shortLived, program, ...args],
      { cwd, env: { PATH, HOME, ...environment }, maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(
            new Error(
              `mcpgen ${args.join(" ")}: ${String(error.code)}\n${stderr}`,
            ),
          );
      },
    );
  });
}

/** The paths at which two outputs differ, or which only one of them has. */
export function differing(
  a: Record<string, string>,
  b: Record<string, string>,
): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((path) => a[path] !== b[path])
    .sort();
}
