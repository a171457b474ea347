// All benchmarks, one after the other, each in a process of its own.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

for (const name of ["guards", "generate", "types"]) {
  const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  const { status } = spawnSync(process.execPath, [file], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
