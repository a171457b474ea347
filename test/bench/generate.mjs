// Whole processes, cold and with nothing to do, beside json-schema-to-typescript's command line on the same schema (which
// makes types only). Run in turn, told as a ratio pair by pair, since a machine's speed drifts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { table } from "./measure.mjs";

const revision = "2025-11-25";
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mcpgen-bench-"));
const out = join(folder, "gen");

const mcpgen = [join(root, "dist", "cli.js"), "--version", revision, "--out", out, "--quiet"];
const json2ts = [
  fileURLToPath(import.meta.resolve("json-schema-to-typescript/dist/src/cli.js")),
  "--input",
  join(root, "test", "oracle", `${revision}.schema.json`),
  "--output",
  join(folder, "types.ts"),
  "--unreachableDefinitions",
];

function run(words) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

function pairs(prepare) {
  const times = Array.from({ length: 9 }, () => {
    prepare();
    return { ours: run(mcpgen), theirs: run(json2ts) };
  });
  return {
    ours: median(times.map(({ ours }) => ours)),
    theirs: median(times.map(({ theirs }) => theirs)),
    ratio: median(times.map(({ ours, theirs }) => ours / theirs)),
  };
}

run(mcpgen);
run(json2ts);
const cold = pairs(() => rmSync(out, { recursive: true, force: true }));
const unchanged = pairs(() => {});
rmSync(folder, { recursive: true });

console.log(`\nGeneration of ${revision}, whole processes, medians of nine pairs\n`);
table(
  ["run", "mcpgen", "json2ts", "ratio"],
  [
    ["cold", cold],
    ["nothing changed", unchanged],
  ].map(([label, { ours, theirs, ratio }]) => [
    label,
    `${ours.toFixed(0)} ms`,
    `${theirs.toFixed(0)} ms`,
    `${ratio.toFixed(2)} x`,
  ]),
);
