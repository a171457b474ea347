// How fast nine messages are checked, beside what else there is. Each peer is told as a multiple of compiled Ajv.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { geometricMean, measure, table } from "./measure.mjs";
import { messages } from "./messages.mjs";
import { ajv } from "./peers/ajv.mjs";
import { arktype } from "./peers/arktype.mjs";
import { hand } from "./peers/hand.mjs";
import { sdk } from "./peers/sdk.mjs";
import { typebox } from "./peers/typebox.mjs";

const revision = "2025-11-25";
const root = fileURLToPath(new URL("../../", import.meta.url));
const types = [...new Set(messages.map(({ type }) => type))];

async function generated() {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-bench-"));
  const outfile = join(folder, "validators.mjs");
  await build({
    entryPoints: [join(root, "generated", revision, "validators.ts")],
    outfile,
    bundle: true,
    format: "esm",
    logLevel: "silent",
  });
  const validators = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return Object.fromEntries(types.map((type) => [type, validators[`is${type}`]]));
}

const peers = {
  ajv: ajv(revision, types),
  mcpgen: await generated(),
  "by hand": hand,
  TypeBox: typebox,
  ArkType: arktype,
  "SDK (zod)": sdk,
};

for (const [name, guards] of Object.entries(peers)) {
  for (const { label, type, valid, value } of messages) {
    if (guards[type](value) !== valid) throw new Error(`${name} is wrong about "${label}".`);
  }
}

// Every guard sees every message it may see before any is timed, as in a program that has run for a while.
const nanoseconds = {};
for (let pass = 0; pass < 2; pass++) {
  for (const [name, guards] of Object.entries(peers)) {
    nanoseconds[name] = [];
    for (const { type, value } of messages) nanoseconds[name].push(await measure(guards[type], value));
  }
}

const names = Object.keys(peers);
const ratio = (name, i) => nanoseconds.ajv[i] / nanoseconds[name][i];
const rows = messages.map(({ label }, i) => [
  label,
  `${nanoseconds.ajv[i].toFixed(0)} ns`,
  ...names.slice(1).map((name) => `${ratio(name, i).toFixed(2)} x`),
]);
const means = names
  .slice(1)
  .map((name) => `${geometricMean(messages.map((_, i) => ratio(name, i))).toFixed(2)} x`);
console.log(`Guards, ${revision}, Node ${process.versions.node}: how many times as fast as compiled Ajv\n`);
table(["message", ...names], [...rows, ["geometric mean", "", ...means]]);
