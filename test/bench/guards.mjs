// The time of a guard compared with its peers: nanoseconds of CPU, and ratios
// to compiled Ajv.
import { messages, types } from "./messages.mjs";
import { ajvCompiled, ajvStandalone } from "./peers/ajv.mjs";
import { arktype } from "./peers/arktype.mjs";
import { byHand } from "./peers/hand.mjs";
import { ours } from "./peers/ours.mjs";
import { officialSdk } from "./peers/sdk.mjs";
import { typebox } from "./peers/typebox.mjs";
import { typia } from "./peers/typia.mjs";
import {
  below,
  geometricMean,
  inScratch,
  median,
  revision,
  table,
} from "./shared.mjs";
import { entryOf, measure } from "./timing.mjs";

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
/**
 * Budgets as speeds relative to Ajv: over all messages, and for each message.
 */
const budgets = { mean: 10, slowest: 1 };
const rounds = Number(process.env.ROUNDS ?? 9);
const window_ = Number(process.env.WINDOW ?? 15_000);

await inScratch(async (scratch) => {
  const guards = new Map();
  for (const [name, load] of peers)
    guards.set(name, await load(types, scratch));
  // Every guard checks every message of its type before the measurement, as in
  // a real program.
  for (const [name] of peers) {
    for (const { label, type, valid, message } of messages) {
      if (Boolean(guards.get(name).get(type)(message)) !== valid)
        throw new Error(`${name} is wrong about "${label}".`);
    }
  }
  const entries = [];
  for (const { label, type, message } of messages) {
    for (const [name] of peers) {
      entries.push({
        name,
        label,
        ...(await entryOf(guards.get(name).get(type), message, window_)),
      });
    }
  }
  for (let round = 0; round < rounds; round++)
    for (const entry of entries) entry.measurements.push(measure(entry));

  const of = (name, label) =>
    median(
      entries.find((entry) => entry.name === name && entry.label === label)
        .measurements,
    );
  const names = peers.map(([name]) => name);
  const ratios = new Map(
    names.map((name) => [
      name,
      messages.map(({ label }) => of("ajv", label) / of(name, label)),
    ]),
  );
  const others = names.filter((name) => name !== "ajv");
  console.log(
    `Guards of ${revision}, Node ${process.versions.node}: × as fast as compiled Ajv\n`,
  );
  table(
    ["message", "ajv ns", "ours ns", ...others],
    messages.map(({ label }, i) => [
      label,
      of("ajv", label).toFixed(0),
      of("ours", label).toFixed(0),
      ...others.map((name) => `${ratios.get(name)[i].toFixed(2)} ×`),
    ]),
  );
  const means = others.map(
    (name) => `${geometricMean(ratios.get(name)).toFixed(2)} ×`,
  );
  console.log("");
  table(["geometric mean", ...others], [["", ...means]]);
  const slowest = Math.min(...ratios.get("ours"));
  const missed = [
    below(geometricMean(ratios.get("ours")), budgets.mean),
    below(slowest, budgets.slowest),
  ];
  if (missed.some(Boolean))
    console.log(
      `\nours: mean ${missed[0] || "reached"}, each message ${missed[1] || "reached"}`,
    );
});
