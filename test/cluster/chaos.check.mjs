import { beforeAll, describe, expect, it } from "vitest";
import { isSample } from "../sample.ts";
import { oursLegacy, oursModern } from "./clients.ts";
import { faults } from "./faults.ts";
import { figuresOf, foundIn, invariants } from "./invariants.ts";
import { sdk1, sdk2Legacy, sdk2Modern } from "./peers.mjs";
import { runFaults } from "./run.ts";
import { Stage } from "./stage.ts";

/**
 * `MCPGEN_SEEDS` is the number of runs, by default three, or one in a sample, and
 * `MCPGEN_SEED` the first seed; `MCPGEN_FAULT` is a part of the names of the
 * faults.
 */
const {
  MCPGEN_SEEDS = isSample ? "1" : "3",
  MCPGEN_SEED = "1",
  MCPGEN_FAULT = "",
} = process.env;
const seeds = Array.from(
  { length: Number(MCPGEN_SEEDS) },
  (_, i) => Number(MCPGEN_SEED) + i,
);
const chosen = faults.filter(({ name }) => name.includes(MCPGEN_FAULT));

const withForms = oursLegacy.filter(({ name }) => name > "mcpgen 2025-06");
const cast = {
  callers: [...oursModern, ...oursLegacy, sdk1, sdk2Legacy, sdk2Modern],
  asked: [...oursModern, ...withForms, sdk1, sdk2Legacy],
  listeners: [...oursModern, ...withForms],
};
/** The libraries that talk to the engine, of which each run has one. */
const libraries = ["redis", "ioredis", "iovalkey"];

const runs = new Map();

async function runWith(seed) {
  const stage = new Stage();
  try {
    const run = await runFaults(
      stage,
      seed,
      cast,
      chosen,
      libraries[seed % libraries.length],
    );
    const { server, engine } = run.world;
    const records = server.records();
    const figures = figuresOf(run.evidence, records);
    console.log(`Run ${seed}: ${JSON.stringify(figures)}`);
    runs.set(seed, {
      found: foundIn(run.evidence, records),
      figures,
      written: engine.written(),
    });
  } finally {
    await stage.end();
  }
}

beforeAll(async () => {
  // A run mostly waits.
  for (let i = 0; i < seeds.length; i += 3) {
    const results = await Promise.allSettled(
      seeds.slice(i, i + 3).map(runWith),
    );
    for (const { reason } of results) if (reason) throw reason;
  }
});

describe.each(seeds)("three processes of the run %i", (seed) => {
  describe.each(chosen)("while $name", ({ name }) => {
    it.each(invariants.filter(({ except }) => !except?.[name]))(
      "$title",
      ({ check }) => {
        expect(check(runs.get(seed).found.get(name))).toEqual([]);
      },
    );
  });

  it("write nothing readable to the engine", () => {
    const { written } = runs.get(seed);
    expect(written.length).toBeGreaterThan(10_000);
    const marks = [
      "planted",
      ...[0, 1, 2].map((shift) => encoded("planted", shift)),
    ];
    expect(marks.filter((mark) => written.includes(mark))).toEqual([]);
  });
});

describe.each(MCPGEN_FAULT === "" ? ["all faults"] : [])(
  "three processes of the runs with %s",
  () => {
    it("run tasks again that one of them has left", () => {
      const counts = [...runs.values()].map(
        ({ figures }) => figures.tasksRunAgain,
      );
      expect(Math.max(...counts)).toBeGreaterThan(0);
    });
  },
);

/**
 * A text as it is in base64, if so many other bytes come before it. The
 * characters that depend on its neighbours are left out.
 */
function encoded(text, shift) {
  const bytes = Buffer.from("\0".repeat(shift) + text).toString("base64");
  return bytes.slice(
    Math.ceil((shift * 8) / 6),
    Math.floor(((shift + text.length) * 8) / 6),
  );
}
