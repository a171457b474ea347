// npm run bench [-- <row> …]: runs each row in its own process and prints a table; it asserts nothing. If a figure of ours
// misses its budget, the budget is printed beside it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { here, root } from "./shared.mjs";

const what = {
  guards: "how soon a guard knows",
  validators: "how soon a validator of a tool's arguments knows; needs npm ci --prefix test/interop",
  generate: "how long a run of mcpgen takes",
  impact: "how long mcpgen update takes to report on a program of 200,000 lines",
  types: "what a program costs the type checker",
  stubs: "how long the stubs of a project take, and what they cost the type checker",
  size: "what a bundle weighs",
  start: "how soon a server answers after its start",
  stdio: "what a call over stdio costs a server and a client",
  client: "what a call over HTTP costs a client",
  http: "what a call over HTTP costs a server, and what it holds after many",
  cluster:
    "what a call costs in several processes, and what fails when one is killed; needs redis-server and haproxy",
  protected: "what access tokens cost a server over HTTP, and what 10,000 of them hold",
};
const all = Object.keys(what);
const names = process.argv.slice(2);
const strange = names.find((name) => !all.includes(name));

if (strange !== undefined) {
  const known = all.map((name) => `  ${name.padEnd(10)}${what[name]}`);
  fail([`There is no row "${strange}"; there are:`, ...known].join("\n"));
}
if (!existsSync(join(root, "src/runtime/dist/types/runtime/index.d.ts")))
  fail("The packages are not built: run npm run build.");

for (const name of names.length > 0 ? names : all) {
  const { status } = spawnSync(process.execPath, [join(here, `${name}.mjs`)], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
  console.log("");
}

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}
