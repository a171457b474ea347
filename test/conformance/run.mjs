// Runs the public conformance suite against the server and the client of this
// folder, at every revision it knows and with its extensions, and fails on any
// scenario that is not listed in expected-failures.json, and on any that is
// listed and passes. With `--log FILE`, what the suite prints is written there,
// each run after its command line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.mjs";

const { log } = parseArgs({ options: { log: { type: "string" } } }).values;
let printed = "";
const here = dirname(fileURLToPath(import.meta.url));
const node = join(
  here,
  "node_modules/node/bin",
  process.platform === "win32" ? "node.exe" : "node",
);
const suite = join(
  here,
  "node_modules/@modelcontextprotocol/conformance/dist/index.js",
);
const expected = JSON.parse(
  readFileSync(join(here, "expected-failures.json"), "utf8"),
);

/**
 * The scenarios to run: those that a revision requires, or all that apply if
 * there is no such list.
 */
const runs = [
  ["server", "2025-03-26", ["--suite", "all", "--spec-version", "2025-03-26"]],
  ["server", "2025-06-18", ["--suite", "all", "--spec-version", "2025-06-18"]],
  ["server", "2025-11-25", ["--requirements", "2025-11-25"]],
  ["server", "2026-07-28", ["--requirements", "2026-07-28"]],
  ["client", "2025-03-26", ["--suite", "all", "--spec-version", "2025-03-26"]],
  ["client", "2025-06-18", ["--suite", "all", "--spec-version", "2025-06-18"]],
  ["client", "2025-11-25", ["--requirements", "2025-11-25"]],
  ["client", "2026-07-28", ["--requirements", "2026-07-28"]],
];

const [serverPath, clientPath] = await bundle("server", "client");
const server = spawn(process.execPath, [serverPath, "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [url] = await once(createInterface(server.stdout), "line");
const wrong = [];
for (const [side, revision, which] of runs) {
  const output = await run([side, ...targetOf(side), ...which]);
  const rows = [
    ...output.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gmu),
  ];
  if (rows.length === 0)
    wrong.push(`${side} at ${revision}: the suite ran nothing\n${output}`);
  // A check that only warns is a fault too.
  const warned = [...output.matchAll(/^.*\bWARNING\b.*$/gmu)].map(
    ([line]) => line,
  );
  wrong.push(...warned);
  // The suite starts all clients of a revision at once, which a busy machine
  // does not serve in time: what fails runs again, alone.
  const failing = [];
  for (const [, mark, name] of rows)
    if (mark === "✗" && !isPassing(await runAlone(side, revision, name)))
      failing.push(name);
  const listed = expected[side]?.[revision] ?? [];
  for (const name of failing)
    if (!listed.includes(name))
      wrong.push(`${side} at ${revision}: ${name} fails`);
  for (const name of listed)
    if (!failing.includes(name))
      wrong.push(
        `${side} at ${revision}: ${name} passes; take it off the list`,
      );
  process.stdout.write(
    `${side} at ${revision}: ${rows.length - failing.length} of ${rows.length} scenarios\n`,
  );
}
for (const [side, revision, name] of await extensionRuns()) {
  const output = await runAlone(side, revision, name);
  const passes = isPassing(output);
  const isListed = expected.extensions.includes(name);
  if (!passes && !isListed)
    wrong.push(`${side} at ${revision}: ${name} fails\n${output}`);
  if (passes && isListed)
    wrong.push(`${side} at ${revision}: ${name} passes; take it off the list`);
  process.stdout.write(
    `${side} at ${revision}: ${name} ${passes ? "passes" : "does not pass"}\n`,
  );
}
server.kill();
if (log !== undefined) writeFileSync(log, printed);
for (const line of wrong) process.stdout.write(`${line}\n`);
process.exit(wrong.length === 0 ? 0 : 1);

function runAlone(side, revision, name) {
  return run([
    side,
    ...targetOf(side),
    "--scenario",
    name,
    "--spec-version",
    revision,
    "--force",
  ]);
}

/** A scenario that checks nothing, as one that is skipped, does not pass. */
function isPassing(output) {
  return /^Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings$/mu.test(output);
}

function targetOf(side) {
  const timeout = ["--timeout", "300000"];
  return side === "server"
    ? ["--url", url]
    : ["--command", `${process.execPath} ${clientPath}`, ...timeout];
}

/**
 * The scenarios about extensions, which no revision requires. Skills also exist
 * in the revision before the newest.
 */
async function extensionRuns() {
  const list = await run(["list"]);
  const [, servers = "", clients = ""] = list.split(
    /^(?:Server|Client|Authorization server) scenarios.*$/mu,
  );
  const namesIn = (text) =>
    [...text.matchAll(/- (\S+) \[extension\]/g)].map(([, name]) => name);
  const runs = [
    ...namesIn(servers).map((name) => ["server", name]),
    ...namesIn(clients).map((name) => ["client", name]),
  ];
  return runs.flatMap(([side, name]) =>
    [...(name.startsWith("sep-2640-") ? ["2025-11-25"] : []), "2026-07-28"].map(
      (revision) => [side, revision, name],
    ),
  );
}

async function run(args) {
  const child = spawn(node, [suite, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (text += chunk));
  await once(child, "close");
  const plain = text.replace(/\u001b\[[0-9;]*m/g, "");
  printed += `${forReaders(`$ conformance ${args.map(quoted).join(" ")}\n\n${plain}`)}\n`;
  return plain;
}

/** A word of a command line. */
function quoted(word) {
  return /\s/.test(word) ? `"${word}"` : word;
}

/** Text without what differs from one machine and run to the next. */
function forReaders(text) {
  return text
    .replaceAll(url, "http://127.0.0.1:3000/mcp")
    .replaceAll(clientPath, "client.mjs")
    .replaceAll(process.execPath, "node")
    .replaceAll(join(here, "../.."), ".")
    .replaceAll(/\b(localhost|127\.0\.0\.1):\d+/g, "$1:3000")
    .trimEnd()
    .replace(/$/, "\n");
}
