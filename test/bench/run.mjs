// npm run bench [-- guards generate types stubs size start stdio client http]: each in a process of its own, printing a table and asserting nothing.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { here, root } from "./shared.mjs";

const all = ["guards", "generate", "types", "stubs", "size", "start", "stdio", "client", "http"];
const asked = process.argv.slice(2);
const strange = asked.find((name) => !all.includes(name));

if (strange !== undefined) fail(`There is no bench "${strange}"; there are ${all.join(", ")}.`);
if (!existsSync(join(root, "src/runtime/dist/index.d.ts")))
  fail("The packages are not built: run npm run build.");

for (const name of asked.length > 0 ? asked : all) {
  const { status } = spawnSync(process.execPath, [join(here, `${name}.mjs`)], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
  console.log("");
}

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}
