// The first part of a rehearsal: a clean clone of the current commit. Needs
// nothing but Node, npm and git; the steps then run in the clone, with its
// packages, so that nothing of this folder but the commit can matter.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./program.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Rehearses a release, and resolves with the exit code. The packages and their
 * list of components are left in `folder`, if there is one.
 */
export async function rehearse(folder) {
  // Ctrl-C ends the step that runs; the rehearsal then removes its folder.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  const aside = mkdtempSync(join(tmpdir(), "mcpgen-rehearsal-"));
  const clone = join(aside, "mcpgen");
  const packages =
    folder === undefined ? join(aside, "packages") : resolve(folder);
  try {
    mkdirSync(packages, { recursive: true });
    const { stdout } = await run("git", ["rev-parse", "HEAD"], { cwd: root });
    const commit = stdout.trim();
    await run("git", ["clone", "--quiet", "--no-checkout", root, clone]);
    await run("git", ["checkout", "--quiet", "--detach", commit], {
      cwd: clone,
    });
    await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: clone });
    console.log(
      `A clean clone of ${commit.slice(0, 8)} is installed and built.`,
    );
    const steps = join(clone, ".ci/release/steps.mjs");
    const child = spawn(process.execPath, [steps, packages], {
      cwd: clone,
      stdio: "inherit",
    });
    const [code] = await once(child, "close");
    return code ?? 1;
  } catch (error) {
    console.error(`rehearsal: ${error.message}`);
    return 1;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
