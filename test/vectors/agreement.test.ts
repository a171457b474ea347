import { beforeAll, describe, expect, it } from "vitest";
import { reference } from "../../src/generator/ir/constraint/form.js";
import { type Index, index } from "../../src/generator/ir/lookup.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { planParams } from "../../src/generator/view/plan/params.js";
import { revisions } from "../oracle/index.js";
import { revision } from "../read/typescript/reading.js";
import { type Validator, validator, validators } from "../view/generated.js";
import { arbitraryOf } from "./arbitrary.js";
import { mutant, wordsOf } from "./mutate.js";
import { oracleOf } from "./oracle.js";
import { Random } from "./random.js";
import { sampled } from "../whole.js";
import { timeLimit } from "../time-limit.js";

/** Messages per revision; `npm run test:vectors` asks for more. */
const size = Number(process.env["MCPGEN_VECTORS"] ?? 6000);
const seed = Number(process.env["MCPGEN_SEED"] ?? 20_260_728);

/**
 * Values that are validated once as every type, so that each type rejects some.
 */
const roots: readonly unknown[] = [
  null,
  true,
  0,
  1.5,
  Infinity,
  "",
  "x",
  [],
  {},
  [{}],
  { a: 1 },
];

/** The verdict of each validator. */
interface Opinions {
  readonly ajv: boolean;
  readonly guard: boolean;
  readonly safeParse: boolean;
  readonly standard: boolean;
}

/** The newest revision of each era. */
const some = sampled(
  revisions,
  (name) => name === "2025-11-25" || name === "2026-07-28",
);

describe.each(some)("the validators of %s", (name) => {
  let protocol: Protocol;
  let types: readonly string[];
  let declarations: Index;
  let ours: ReadonlyMap<string, Validator>;
  let oracle: ReturnType<typeof oracleOf>;

  beforeAll(async () => {
    protocol = await revision(name);
    declarations = withParams(protocol);
    types = [...declarations.values()].flatMap((entry) =>
      entry.kind === "constant" ? [] : [entry.name],
    );
    ours = await validators(protocol);
    oracle = oracleOf(protocol);
  });

  it("exist for every type that the official schema names, and for the params it leaves unnamed", () => {
    expect([...ours.keys()].sort()).toEqual([...types].sort());
    expect([...oracle.keys()].sort()).toEqual([...types].sort());
  });

  it(
    `agree with Ajv, and with each other, on ${size} messages from seed ${seed}`,
    { timeout: timeLimit(600_000) },
    () => {
      const random = new Random(seed);
      const words = wordsOf([protocol]);
      const tally = new Map(
        types.map((type) => [type, { valid: 0, invalid: 0 }]),
      );
      const quarrels: unknown[] = [];
      let madeInvalid = 0;
      let mutants = 0;
      let invalidMutants = 0;

      const opine = (type: string, value: unknown): boolean => {
        const opinions = opinionsOf(
          validator(ours, type),
          oracle.get(type),
          value,
        );
        const { ajv } = opinions;
        if (Object.values(opinions).some((opinion) => opinion !== ajv)) {
          quarrels.push({
            type,
            ...opinions,
            value: JSON.stringify(value).slice(0, 500),
          });
        }
        const count = tally.get(type);
        if (count !== undefined) count[ajv ? "valid" : "invalid"] += 1;
        return ajv;
      };

      let messages = 0;
      for (const type of types) {
        for (const value of roots) {
          opine(type, value);
          messages += 1;
        }
      }
      while (messages < size) {
        for (const type of types) {
          const value = arbitraryOf(declarations, reference(type), random);
          if (!opine(type, value)) madeInvalid += 1;
          for (let i = 0; i < 2; i++) {
            mutants += 1;
            if (!opine(type, mutant(value, random, words))) invalidMutants += 1;
          }
          // A valid value of another type tests unions.
          opine(random.pick(types), value);
          messages += 4;
        }
      }

      expect(quarrels.slice(0, 5)).toEqual([]);
      expect(madeInvalid).toBe(0);
      const total = { valid: 0, invalid: 0 };
      for (const { valid, invalid } of tally.values()) {
        total.valid += valid;
        total.invalid += invalid;
      }
      console.info(
        `${name}: ${messages} messages over ${types.length} types, ${total.valid} valid, ${total.invalid} invalid; ` +
          `${invalidMutants} of ${mutants} mutants were invalid; seed ${seed}`,
      );
      expect(messages).toBeGreaterThanOrEqual(Math.min(size, 5000));
      expect(total.invalid / messages).toBeGreaterThan(0.3);
      expect(total.valid / messages).toBeGreaterThan(0.2);
      expect(invalidMutants / mutants).toBeGreaterThan(0.3);
      const onesided = [...tally].filter(
        ([, { valid, invalid }]) => valid === 0 || invalid === 0,
      );
      expect(onesided).toEqual([]);
    },
  );
});

function opinionsOf(
  { guard, schema }: Validator,
  ajv: ((value: unknown) => unknown) | undefined,
  value: unknown,
): Opinions {
  if (ajv === undefined)
    throw new Error("the official schema does not know the type");
  const parsed = schema.safeParse(value);
  const standard = schema["~standard"].validate(value);
  if (!parsed.success && parsed.error.issues.length === 0)
    throw new Error("a refusal without an issue");
  return {
    ajv: Boolean(ajv(value)),
    guard: guard(value),
    safeParse: parsed.success && parsed.data === value,
    standard: "value" in standard && standard.value === value,
  };
}

function withParams(protocol: Protocol): Index {
  return index([...protocol.declarations, ...planParams(protocol).synthesized]);
}
