import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { McpError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import type { Protocol } from "../../../src/ir/model.js";
import { Random } from "../../vectors/random.js";
import { callOf, ready } from "../kit/calls.js";
import { type Revision, revisions } from "../kit/index.js";
import { callOnce } from "./kit/calling.js";
import { chanceOf } from "./kit/chance.js";
import { type Judge, judgeOf } from "./kit/judge.js";
import type { Fault, Outcome } from "./kit/outcome.js";
import { featureOnce, serveOnce } from "./kit/serving.js";

/*
 * `npm test` makes a sample. The full size is asked for by the number of runs, for each revision and each of the cases:
 *
 *   MCPGEN_OUTGOING=20000 MCPGEN_FIGURES=1 npx vitest run --config test/vitest.main.config.ts --root . \
 *     --testTimeout 3600000 test/runtime/outgoing/property
 *
 * MCPGEN_SEED sets the first seed, and a fault names its own. MCPGEN_FIGURES prints how many messages were judged.
 */
const runs = Number(process.env["MCPGEN_OUTGOING"] ?? 100);
const seed = Number(process.env["MCPGEN_SEED"] ?? 20_260_728);

/**
 * Faults of the runtime that are known and not mended yet: each is shown by a test below, which fails once it is mended, so
 * that the entry goes away.
 */
const known = {
  /** The data of an error that an author throws is not checked, where the schema ties it to the error's code. */
  errorData: {
    fault: /^no (MissingRequiredClientCapability|UnsupportedProtocolVersion|URLElicitationRequired)Error: /,
    codes: [-32021, -32022, -32042],
    shows: async (one: Revision, judge: Judge, code: number): Promise<string[]> => {
      const fail = (): never => {
        throw new McpError(code, "It failed.", { other: true });
      };
      const wire = await ready(one, { handlers: { "tools/call": fail }, onWarning: () => {} });
      const answer = await wire.ask(1, "tools/call", callOf(one));
      return judge.faultsOf(answer, "server", new Map([[1, { method: "tools/call" }]]));
    },
  },
};
const textOf = (fault: Fault): string => {
  return `${fault.fault}\n${inspect(fault, { depth: 12 })}`.slice(0, 3000);
};
const isKnown = ({ fault }: Fault): boolean => known.errorData.fault.test(fault);

const read = (revision: string): Protocol =>
  JSON.parse(readFileSync(new URL(`../../../dist/ir/${revision}.json`, import.meta.url), "utf8")) as Protocol;
const all = revisions.map(({ revision }) => read(revision));

describe.each(revisions)("whatever authors give a side of $revision", (one) => {
  const protocol = read(one.revision);
  const judge = judgeOf(protocol);
  const cases = [
    ["a server with handlers of its own", serveOnce],
    ["a server with tools, prompts, resources and tasks", featureOnce],
    ["a client", callOnce],
  ] as const;

  it.each(cases)(
    "VERS-05 %s sends only what the official schema allows, answers each request and reports what it changes",
    async (name, run) => {
      const faults: Fault[] = [];
      let judged = 0;
      for (let i = 0; i < runs && faults.length < 5; i++) {
        const outcome: Outcome = { faults: [], judged: 0 };
        await run(one, judge, chanceOf(protocol, all, new Random(seed + i)), outcome);
        judged += outcome.judged;
        faults.push(
          ...outcome.faults.filter((fault) => !isKnown(fault)).map((f) => ({ ...f, seed: seed + i })),
        );
      }
      if (process.env["MCPGEN_FIGURES"])
        console.log(`${one.revision}, ${name}: ${runs} runs, ${judged} messages judged`);
      expect(faults.map(textOf)).toEqual([]);
      expect(judged).toBeGreaterThan(runs);
    },
  );

  const codes = known.errorData.codes.filter((code) => Object.values(one.facts.errors).includes(code));
  it.each(codes)(
    "still sends the error %i with data that the schema does not allow (known)",
    async (code) => {
      const faults = await known.errorData.shows(one, judge, code);
      expect(faults.map((fault) => known.errorData.fault.test(fault))).toEqual([true]);
    },
  );
});
