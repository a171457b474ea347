// Makes the declaration files of the packages.
import { spawn } from "node:child_process";
import { cpSync, existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Declarations alone: whether the program is well typed is for `npm run check`
 * to say, not for an installation.
 */
export function writeDeclarations(project, outDir) {
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const args = [
    tsc,
    "-p",
    fileURLToPath(new URL(project, import.meta.url)),
    "--noCheck",
    "--outDir",
    outDir,
  ];
  return new Promise((resolve, reject) => {
    const compiler = spawn(process.execPath, args, { stdio: "inherit" });
    compiler.once("error", reject);
    compiler.once("exit", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`tsc -p ${project}: exit ${code}`)),
    );
  });
}

/** Copies the declarations that an earlier build made. */
export async function keepDeclarations(from, to) {
  if (!existsSync(from)) return;
  const isWanted = (path) =>
    /\.d\.ts(\.map)?$/.test(path) || statSync(path).isDirectory();
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: isWanted,
  });
}
