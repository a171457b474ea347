import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { project, type Project, snapshotOf } from "./project.js";
import { samples } from "./schemas.js";

const options = { strict: false, validateFormats: false, ownProperties: true } as const;
/** Values of each sample; more of them are tried by hand before a release. */
const runs = Number(process.env["MCPGEN_ORACLE_RUNS"] ?? 400);

const names = samples.map((_, i) => `s${String(i).padStart(3, "0")}`);

/** What a schema speaks of: its names and values, and what lies just beside them. */
function atomsOf(schema: unknown): readonly unknown[] {
  const found = new Set<unknown>([null, true, "", "x", 0, -0.5, 1, 1e6, "é", "😀😀"]);
  JSON.stringify(schema, (key, value: unknown) => {
    if (key !== "") found.add(key);
    if (typeof value === "string") found.add(value).add(`${value}a`);
    if (typeof value === "number")
      found
        .add(value)
        .add(value + 1)
        .add(value - 1)
        .add(value * 3);
    return value;
  });
  return [...found];
}

/** JSON values made of what a schema speaks of. */
function valuesFor(schema: unknown): fc.Arbitrary<unknown> {
  const atoms = atomsOf(schema);
  const words = [...atoms.filter((atom) => typeof atom === "string"), "__proto__", "constructor"];
  const keys = fc.oneof(fc.constantFrom("a", "b", "x", "y"), fc.constantFrom(...words));
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...atoms),
      fc.array(tie("value"), { maxLength: 4 }),
      // From text, as values come: a member called `__proto__` is a member like any other.
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
  let made: Project;
  let guards: Readonly<Record<string, (value: unknown) => boolean>>;
  beforeAll(async () => {
    const tools = samples.map(({ schema }, i) => ({ name: names[i], inputSchema: schema }));
    made = await project(snapshotOf({ tools }), { emit: ["client"] });
    guards = (await load(made.files, "validators.ts")) as typeof guards;
  });

  it("compile, all of them, with the types they guard", () => {
    expect(compile(made.files)).toEqual([]);
  });

  it.each(samples.map((sample, i) => ({ ...sample, i })))(
    "agree with Ajv on $name",
    ({ schema, isOld, isWider, reports = [], i }) => {
      const own = made.reports.filter(({ within }) => within.some((place) => place === `tool "${names[i]}"`));
      expect(own.map(({ code }) => code)).toEqual(reports);
      const guard = guards[`isS${names[i]?.slice(1)}Input`];
      if (guard === undefined) throw new Error("the guard is missing");
      const validate = compileAjv(schema, isOld === true, reports);
      let accepted = 0;
      fc.assert(
        fc.property(valuesFor(schema), (value) => {
          const [ours, theirs] = [guard(value), validate(value)];
          if (ours) accepted += 1;
          // Where something is left unchecked more may be accepted, and never less.
          const mayAccept = isWider === true || reports.length > 0;
          expect(mayAccept ? ours || !theirs : ours === theirs, JSON.stringify(value)).toBe(true);
        }),
        { numRuns: runs, seed: 1 },
      );
      expect(accepted).toBeGreaterThan(0);
    },
  );
});

describe("a multiple", () => {
  const rows: readonly (readonly [value: number, of: number, isOne: boolean])[] = [
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

  it.each(rows)("%d of %d is told as it is written: %s", async (value, of, isOne) => {
    const inputSchema = { properties: { a: { multipleOf: of } } };
    const { files } = await project(snapshotOf({ tools: [{ name: "x", inputSchema }] }), {
      emit: ["client"],
    });
    const { isXInput } = (await load(files, "validators.ts")) as Record<string, (value: unknown) => boolean>;
    expect(isXInput?.({ a: value })).toBe(isOne);
  });
});

/** Ajv cannot compile what is no regular expression; without it the schema says less. */
function compileAjv(
  schema: unknown,
  isOld: boolean,
  reports: readonly string[],
): (value: unknown) => boolean {
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  const text = JSON.stringify(schema);
  const sound = reports.includes("MG307") ? text.replace('"pattern":"("', '"title":""') : text;
  const validate = ajv.compile(JSON.parse(sound) as object);
  return (value) => validate(value) === true;
}
