import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Protocol } from "../../../src/generator/ir/model.js";
import { Random } from "../../vectors/random.js";
import { revisions } from "../kit/index.js";
import { callOnce } from "./kit/calling.js";
import { chanceOf } from "./kit/chance.js";
import { judgeOf } from "./kit/judge.js";
import type { Fault, Outcome } from "./kit/outcome.js";
import { featureOnce } from "./kit/features.js";
import { inputOnce, serveOnce } from "./kit/serving.js";
import { isWhole } from "../../whole.js";

/*
 * `npm test` makes a sample. The full size is asked for by the number of runs, for each revision and each of the cases:
 *
 *   MCPGEN_OUTGOING=20000 MCPGEN_FIGURES=1 npx vitest run --config test/vitest.main.config.ts --root . \
 *     --testTimeout 3600000 test/runtime/outgoing/property
 *
 * MCPGEN_SEED sets the first seed, and a fault names its own. MCPGEN_FIGURES prints how many messages were judged.
 */
const runs = Number(process.env["MCPGEN_OUTGOING"] ?? (isWhole ? 100 : 20));
const seed = Number(process.env["MCPGEN_SEED"] ?? 20_260_728);

const textOf = (fault: Fault): string => {
  return `${fault.fault}\n${inspect(fault, { depth: 12 })}`.slice(0, 3000);
};
const read = (revision: string): Protocol =>
  JSON.parse(
    readFileSync(
      new URL(`../../../dist/ir/${revision}.json`, import.meta.url),
      "utf8",
    ),
  ) as Protocol;
const all = revisions.map(({ revision }) => read(revision));

describe.each(revisions)("random values of authors at $revision", (one) => {
  const protocol = read(one.revision);
  const judge = judgeOf(protocol);
  const cases = [
    ["a server with its own handlers", serveOnce],
    ["a server with tools, prompts, resources and tasks", featureOnce],
    ["a client", callOnce],
    ...(one.isModern
      ? ([["a server that returns InputRequiredResult", inputOnce]] as const)
      : []),
  ] as const;

  it.each(cases)(
    "VERS-05 for %s cause only messages of the official schema, a response to each request and a report of each change",
    async (name, run) => {
      const faults: Fault[] = [];
      let judged = 0;
      for (let i = 0; i < runs && faults.length < 5; i++) {
        const outcome: Outcome = { faults: [], judged: 0 };
        await run(
          one,
          judge,
          chanceOf(protocol, all, new Random(seed + i)),
          outcome,
        );
        judged += outcome.judged;
        faults.push(
          ...outcome.faults.map((fault) => ({ ...fault, seed: seed + i })),
        );
      }
      if (process.env["MCPGEN_FIGURES"])
        console.log(
          `${one.revision}, ${name}: ${runs} runs, ${judged} messages judged`,
        );
      expect(faults.map(textOf)).toEqual([]);
      expect(judged).toBeGreaterThan(runs);
    },
  );
});
