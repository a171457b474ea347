import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { project, type Project, snapshotOf } from "./project.js";
import { samples } from "./schemas.js";
import { isWhole } from "../whole.js";

const options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  // Ajv compiles the schema of schemas for each instance that checks schemas.
  validateSchema: false,
} as const;
/**
 * The number of values for each sample; set it higher by hand before a release.
 */
const runs = Number(process.env["MCPGEN_ORACLE_RUNS"] ?? 400);

/** The codes of reports about schemas that are checked completely. */
const isExact: ReadonlySet<string> = new Set(["MG314", "MG315"]);

const names = samples.map((_, i) => `s${String(i).padStart(3, "0")}`);

/** The names and values in a schema, and values close to them. */
function atomsOf(schema: unknown): readonly unknown[] {
  const results = new Set<unknown>([
    null,
    true,
    "",
    "x",
    0,
    -0.5,
    1,
    1e6,
    "é",
    "😀😀",
  ]);
  JSON.stringify(schema, (key, value: unknown) => {
    if (key !== "") results.add(key);
    if (typeof value === "string") results.add(value).add(`${value}a`);
    if (typeof value === "number")
      results
        .add(value)
        .add(value + 1)
        .add(value - 1)
        .add(value * 3);
    return value;
  });
  return [...results];
}

/** JSON values made of the names and values of a schema. */
function valuesFor(schema: unknown): fc.Arbitrary<unknown> {
  const atoms = atomsOf(schema);
  const words = [
    ...atoms.filter((atom) => typeof atom === "string"),
    "__proto__",
    "constructor",
  ];
  const keys = fc.oneof(
    fc.constantFrom("a", "b", "x", "y"),
    fc.constantFrom(...words),
  );
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...atoms),
      fc.array(tie("value"), { maxLength: 4 }),
      // `fromEntries` makes `__proto__` an ordinary member, as `JSON.parse`
      // does.
      fc
        .uniqueArray(fc.tuple(keys, tie("value")), {
          maxLength: 4,
          selector: ([key]) => key,
        })
        .map((entries) => Object.fromEntries(entries)),
    ),
  })).value;
}

describe("a project's validators", () => {
  let generated: Project;
  let guards: Readonly<Record<string, (value: unknown) => boolean>>;
  beforeAll(async () => {
    const tools = samples.map(({ schema }, i) => ({
      name: names[i],
      inputSchema: schema,
    }));
    generated = await project(snapshotOf({ tools }), { emit: ["client"] });
    guards = (await load(generated.files, "validators.ts")) as typeof guards;
  });

  it.runIf(isWhole)("compile together with their types", () => {
    expect(compile(generated.files)).toEqual([]);
  });

  it.each(samples.map((sample, i) => ({ ...sample, i })))(
    "accept the values that Ajv accepts: $name",
    ({ schema, isOld, isWider, reports = [], i }) => {
      const own = generated.reports.filter(({ within }) =>
        within.some((place) => place === `tool "${names[i]}"`),
      );
      expect(own.map(({ code }) => code)).toEqual(reports);
      const guard = guards[`isS${names[i]?.slice(1)}Input`];
      if (guard === undefined) throw new Error("the guard is missing");
      const validate = compileAjv(schema, isOld === true, reports);
      let accepted = 0;
      fc.assert(
        fc.property(valuesFor(schema), (value) => {
          const [ours, theirs] = [guard(value), validate(value)];
          if (ours) accepted += 1;
          // If a keyword is not checked, the guard may accept more values, but
          // never fewer.
          const mayAccept =
            isWider === true || reports.some((code) => !isExact.has(code));
          expect(
            mayAccept ? ours || !theirs : ours === theirs,
            JSON.stringify(value),
          ).toBe(true);
        }),
        { numRuns: runs, seed: 1 },
      );
      expect(accepted).toBeGreaterThan(0);
    },
  );
});

describe("a guard of multipleOf", () => {
  const rows: readonly (readonly [
    value: number,
    of: number,
    isOne: boolean,
  ])[] = [
    [0.3, 0.1, true],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [1e21, 0.1, true],
    [1e21, 3, false],
    [9007199254740993e3, 1000, true],
    [-4.5, 1.5, true],
    [5e-324, 1e-320, false],
    [1e308, 1e-300, true],
  ];

  it.each(rows)(
    "compares the decimal texts of the value %d and the divisor %d: %s",
    async (value, of, isOne) => {
      const inputSchema = { properties: { a: { multipleOf: of } } };
      const { files } = await project(
        snapshotOf({ tools: [{ name: "x", inputSchema }] }),
        {
          emit: ["client"],
        },
      );
      const { isXInput } = (await load(files, "validators.ts")) as Record<
        string,
        (value: unknown) => boolean
      >;
      expect(isXInput?.({ a: value })).toBe(isOne);
    },
  );
});

/**
 * Compiles a schema with Ajv, without the invalid pattern that Ajv cannot
 * compile.
 */
function compileAjv(
  schema: unknown,
  isOld: boolean,
  reports: readonly string[],
): (value: unknown) => boolean {
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  const text = JSON.stringify(schema);
  const sound = reports.includes("MG307")
    ? text.replace('"pattern":"("', '"title":""')
    : text;
  const validate = ajv.compile(JSON.parse(sound) as object);
  return (value) => validate(value) === true;
}
