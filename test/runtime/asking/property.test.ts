import fc from "fast-check";
import { isInputPending } from "@mcpgen/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AnyContext,
  join,
  type Json,
  legacy,
  makeServer,
  metaFor,
  modern,
  resultOf,
  serveWire,
  text,
  textOf,
} from "../kit/index.js";
import { runs } from "../../whole.js";

/**
 * What a handler does, as a tree. A question is known by its number; so is its
 * answer.
 */
type Step =
  | { readonly do: "ask"; readonly question: number; readonly named: boolean }
  | { readonly do: "sequence" | "together"; readonly steps: readonly Step[] }
  | {
      readonly do: "ifOdd";
      readonly test: Step;
      readonly odd: Step;
      readonly even: Step;
    }
  | { readonly do: "repeat"; readonly times: number; readonly step: Step }
  | { readonly do: "guarded"; readonly step: Step; readonly fails: boolean }
  | {
      readonly do: "pause";
      readonly microtasks: number;
      readonly macrotasks: number;
    }
  | { readonly do: "once"; readonly key: number };

const { program } = fc.letrec<{
  program: Step;
  step: Step;
  ask: Step;
  pause: Step;
}>((tie) => ({
  // Several strands at once, of different speed: whoever went by the order of
  // questions would mix them up.
  program: fc.record({
    do: fc.constant("together" as const),
    steps: fc.array(
      fc.record({
        do: fc.constant("sequence" as const),
        steps: fc.array(fc.oneof(tie("ask"), tie("pause"), tie("step")), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  pause: fc.record({
    do: fc.constant("pause" as const),
    microtasks: fc.integer({ min: 0, max: 12 }),
    macrotasks: fc.constantFrom(0, 0, 0, 1),
  }),
  ask: fc.record({
    do: fc.constant("ask" as const),
    question: fc.integer({ min: 0, max: 5 }),
    named: fc.boolean(),
  }),
  step: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie("ask"),
    tie("pause"),
    fc.record({
      do: fc.constant("once" as const),
      key: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({
      do: fc.constantFrom("sequence" as const, "together" as const),
      steps: fc.array(tie("step"), { maxLength: 4 }),
    }),
    fc.record({
      do: fc.constant("ifOdd" as const),
      test: tie("ask"),
      odd: tie("step"),
      even: tie("step"),
    }),
    fc.record({
      do: fc.constant("repeat" as const),
      times: fc.integer({ min: 0, max: 3 }),
      step: tie("step"),
    }),
    fc.record({
      do: fc.constant("guarded" as const),
      step: tie("step"),
      fails: fc.boolean(),
    }),
  ),
}));

/** What happened in all runs of one call. */
class Record {
  /** Blocks that were entered and not yet left. */
  entered = 0;
  mismatches: string[] = [];
  onces = new Map<number, number>();
}

const answerTo = (question: number): number => question * 7 + 3;

/** Does what the tree says, and returns what it learnt, in order. */
async function perform(
  step: Step,
  context: AnyContext,
  record: Record,
): Promise<unknown[]> {
  switch (step.do) {
    case "ask": {
      const { question, named } = step;
      const params = {
        message: `question ${question}`,
        requestedSchema: {
          type: "object",
          properties: { value: { type: "integer" }, of: { type: "integer" } },
        },
      };
      const { content } = await context.request(
        "elicitation/create",
        params,
        named ? { key: `q${question}` } : {},
      );
      const { value, of } = content as { value: number; of: number };
      if (of !== question)
        record.mismatches.push(`${question} got the answer of ${of}`);
      return [value];
    }
    case "sequence": {
      const values: unknown[] = [];
      for (const one of step.steps)
        values.push(...(await perform(one, context, record)));
      return values;
    }
    case "together":
      return (
        await Promise.all(
          step.steps.map((one) => perform(one, context, record)),
        )
      ).flat();
    case "ifOdd": {
      const [value] = await perform(step.test, context, record);
      return perform(
        (value as number) % 2 ? step.odd : step.even,
        context,
        record,
      );
    }
    case "repeat": {
      const values: unknown[] = [];
      for (let i = 0; i < step.times; i++)
        values.push(...(await perform(step.step, context, record)));
      return values;
    }
    case "guarded":
      record.entered++;
      try {
        const result = await perform(step.step, context, record);
        if (step.fails) throw new Error("by design");
        return result;
      } catch (error) {
        if (isInputPending(error)) throw error;
        return ["caught"];
      } finally {
        record.entered--;
      }
    case "pause":
      for (let i = 0; i < step.microtasks; i++) await Promise.resolve();
      for (let i = 0; i < step.macrotasks; i++)
        await new Promise((resolve) => setTimeout(resolve, 0));
      return [];
    case "once":
      return [
        await context.once(`once ${step.key}`, () => {
          record.onces.set(step.key, (record.onces.get(step.key) ?? 0) + 1);
          return step.key;
        }),
      ];
    default:
      return step satisfies never;
  }
}

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

const accepted = (message: unknown): Json => {
  const of = Number(/\d+/.exec(String(message))?.[0]);
  return { action: "accept", content: { value: answerTo(of), of } };
};

/** What the handler learns of a client that answers on the wire at once. */
async function inOneGo(tree: Step): Promise<string> {
  const record = new Record();
  const { client } = await join(legacy.protocol, {
    server: {
      handlers: {
        "tools/call": async (_, context) =>
          text(JSON.stringify(await perform(tree, context, record))),
      },
    },
    client: {
      handlers: { "elicitation/create": ({ message }) => accepted(message) },
    },
  });
  const outcome = textOf(await client.callTool({ name: "x" }));
  expect(record.mismatches).toEqual([]);
  expect(record.entered).toBe(0);
  await client.close();
  return outcome;
}

/**
 * The same in rounds; `which` decides which of the questions of a round are
 * answered, at least one always is.
 */
async function inRounds(
  tree: Step,
  which: () => boolean,
): Promise<{ outcome: string; record: Record }> {
  const record = new Record();
  const warnings: string[] = [];
  const server = makeServer(modern.protocol, {
    handlers: {
      "tools/call": async (_, context) =>
        text(JSON.stringify(await perform(tree, context, record))),
    },
    limits: { rounds: 10_000 },
    stateKeys: ["0123456789abcdef0123456789abcdef"],
    onWarning: (warning) => warnings.push(warning),
  });
  const wire = await serveWire(server);
  let more: Json = {};
  for (let id = 0; ; id++) {
    const params = {
      name: "x",
      _meta: metaFor(modern, { elicitation: {} }),
      ...more,
    };
    const result = resultOf(await wire.ask(id, "tools/call", params));
    if (result["resultType"] === "complete") {
      expect(record.mismatches).toEqual([]);
      expect(record.entered).toBe(0);
      // A run whose question went out ends in InputPending, and in nothing
      // else.
      expect(warnings).toEqual([]);
      return { outcome: textOf(result), record };
    }
    const questions = Object.entries(
      result["inputRequests"] as globalThis.Record<string, Json>,
    );
    const answers = questions
      .filter((_, i) => i === 0 || which())
      .map(([key, { params }]) => [key, accepted((params as Json)["message"])]);
    more = {
      requestState: result["requestState"],
      inputResponses: Object.fromEntries([
        ...answers.reverse(),
        ["unheard of", { action: "cancel" }],
      ]),
    };
  }
}

describe("asking the client", () => {
  it("in rounds gives any handler the same answers as without rounds, each to its own question", async () => {
    await fc.assert(
      fc.asyncProperty(
        program,
        fc.infiniteStream(fc.boolean()),
        async (tree, choices) => {
          const { outcome, record } = await inRounds(
            tree,
            () => choices.next().value,
          );
          expect(outcome).toBe(await inOneGo(tree));
          for (const [key, times] of record.onces)
            expect(times, `once ${key}`).toBe(1);
        },
      ),
      { numRuns: Number(process.env["ASKING_RUNS"] ?? runs(150)) },
    );
    expect(unhandled).toEqual([]);
  });
});
