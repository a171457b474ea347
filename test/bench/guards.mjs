// How long a guard takes to say yes or no, beside its peers: nanoseconds of CPU, and ratios to compiled Ajv.
import { messages, types } from "./messages.mjs";
import { ajvCompiled, ajvStandalone } from "./peers/ajv.mjs";
import { arktype } from "./peers/arktype.mjs";
import { byHand } from "./peers/hand.mjs";
import { ours } from "./peers/ours.mjs";
import { officialSdk } from "./peers/sdk.mjs";
import { typebox } from "./peers/typebox.mjs";
import { typia } from "./peers/typia.mjs";
import { below, geometricMean, inScratch, median, revision, table } from "./shared.mjs";

const peers = [
  ["ajv", ajvCompiled],
  ["ours", ours],
  ["by hand", byHand],
  ["typebox", typebox],
  ["typia", typia],
  ["arktype", arktype],
  ["ajv standalone", ajvStandalone],
  ["sdk (zod)", officialSdk],
];
/** How many times as fast as Ajv: over all messages, and with each of them. */
const budgets = { mean: 10, slowest: 1 };
const rounds = Number(process.env.ROUNDS ?? 9);
const window_ = Number(process.env.WINDOW ?? 15_000);

/** Microseconds that this process has computed, so that what else the machine does hardly counts. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

let loops = 0;

/** A loop of its own for every guard, so that none pays for the call sites that others have spoilt. */
async function ownLoop() {
  loops += 1;
  const text = `export default (guard, message, times) => {
    let yes = 0;
    for (let i = 0; i < times; i++) if (guard(message)) yes += 1;
    return yes;
  } // ${loops}`;
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
}

/** Nanoseconds of one call, from one window of time. */
function measure(entry) {
  const { run, guard, message, times } = entry;
  const start = cpu();
  run(guard, message, times);
  return ((cpu() - start) * 1000) / times;
}

/** How often a guard is called in one window. */
function calibrate(run, guard, message) {
  let times = 16;
  for (;;) {
    const start = cpu();
    run(guard, message, times);
    if (cpu() - start > window_) return times;
    times *= 2;
  }
}

await inScratch(async (scratch) => {
  const guards = new Map();
  for (const [name, load] of peers) guards.set(name, await load(types, scratch));
  // Every guard sees every message of its type before any is measured, as a program's would.
  for (const [name] of peers) {
    for (const { label, type, valid, message } of messages) {
      if (Boolean(guards.get(name).get(type)(message)) !== valid)
        throw new Error(`${name} is wrong about "${label}".`);
    }
  }
  const entries = [];
  for (const { label, type, message } of messages) {
    for (const [name] of peers) {
      const guard = guards.get(name).get(type);
      const run = await ownLoop();
      entries.push({ name, label, run, guard, message, times: calibrate(run, guard, message), found: [] });
    }
  }
  for (let round = 0; round < rounds; round++) for (const entry of entries) entry.found.push(measure(entry));

  const of = (name, label) =>
    median(entries.find((entry) => entry.name === name && entry.label === label).found);
  const names = peers.map(([name]) => name);
  const ratios = new Map(
    names.map((name) => [name, messages.map(({ label }) => of("ajv", label) / of(name, label))]),
  );
  const others = names.filter((name) => name !== "ajv");
  console.log(`Guards of ${revision}, Node ${process.versions.node}: × as fast as compiled Ajv\n`);
  table(
    ["message", "ajv ns", "ours ns", ...others],
    messages.map(({ label }, i) => [
      label,
      of("ajv", label).toFixed(0),
      of("ours", label).toFixed(0),
      ...others.map((name) => `${ratios.get(name)[i].toFixed(2)} ×`),
    ]),
  );
  const means = others.map((name) => `${geometricMean(ratios.get(name)).toFixed(2)} ×`);
  console.log("");
  table(["geometric mean", ...others], [["", ...means]]);
  const slowest = Math.min(...ratios.get("ours"));
  const missed = [below(geometricMean(ratios.get("ours")), budgets.mean), below(slowest, budgets.slowest)];
  if (missed.some(Boolean))
    console.log(`\nours: mean ${missed[0] || "reached"}, each message ${missed[1] || "reached"}`);
});
