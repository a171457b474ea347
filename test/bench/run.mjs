// npm run bench [-- [--json <file>] <row> …]: runs each row in its own process
// and prints a table; it asserts nothing. If a figure of ours misses its
// budget, the budget is printed beside it. --json also writes the tables to a
// file, as `.ci/pictures` reads them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { here, root } from "./shared.mjs";

const what = {
  guards: "how soon a guard knows",
  validators: "how soon a validator of a tool's arguments knows",
  generate: "how long a run of mcpgen takes",
  impact:
    "how long mcpgen update takes to report on a program of 200,000 lines",
  types: "what a program costs the type checker",
  stubs:
    "how long the stubs of a project take, and what they cost the type checker",
  size: "what a bundle weighs",
  start: "how soon a server answers after its start",
  stdio: "what a call over stdio costs a server and a client",
  client: "what a call over HTTP costs a client",
  code: "what a call costs in a program of code mode, and what a run holds",
  http: "what a call over HTTP costs a server, and what it holds after many",
  cluster:
    "what a call costs in several processes, and what fails when one is killed; needs redis-server and haproxy",
  protected:
    "what access tokens cost a server over HTTP, and what 10,000 of them hold",
};
const all = Object.keys(what);
const args = process.argv.slice(2);
const [json] = args[0] === "--json" ? args.splice(0, 2).slice(1) : [];
const names = args;
const strange = names.find((name) => !all.includes(name));

if (strange !== undefined) {
  const known = all.map((name) => `  ${name.padEnd(10)}${what[name]}`);
  fail([`There is no row "${strange}"; there are:`, ...known].join("\n"));
}
if (!existsSync(join(root, "src/runtime/dist/types/runtime/index.d.ts")))
  fail("The packages are not built: run npm run build.");

const rows = names.length > 0 ? names : all;
const tables = json === undefined ? undefined : `${json}.tables`;
const written = {};
for (const name of rows) {
  const env = { ...process.env, ...(tables && { TABLES: tables }) };
  const { status } = spawnSync(process.execPath, [join(here, `${name}.mjs`)], {
    stdio: "inherit",
    env,
  });
  if (status !== 0) process.exitCode = 1;
  console.log("");
  if (tables === undefined || !existsSync(tables)) continue;
  written[name] = readFileSync(tables, "utf8")
    .trim()
    .split("\n")
    .map(JSON.parse);
  rmSync(tables);
}
if (json !== undefined) {
  const installed = join(root, "test/installed/package.json");
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(installed, "utf8"),
  );
  const figures = {
    date: new Date().toISOString().slice(0, 10),
    command: `npm run bench -- ${rows.join(" ")}`,
    machine: `Node.js ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    versions: { ...dependencies, ...devDependencies },
    tables: written,
  };
  writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}
