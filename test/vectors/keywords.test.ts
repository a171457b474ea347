import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import type { Protocol } from "../../src/generator/ir/model.js";
import { file, read } from "../read/json/reading.js";
import { compile } from "../view/compile.js";
import {
  generated,
  type Validator,
  validator,
  validators,
} from "../view/generated.js";
import { mutant } from "./mutate.js";
import { Random } from "./random.js";

type Row = readonly [
  name: string,
  schema: object,
  good: readonly unknown[],
  bad: readonly unknown[],
];

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });
const text = { type: "string" };

/**
 * Types with keywords that no bundled revision has, which refer to each other,
 * and values that they accept and reject. Each keyword alone is proven by the
 * public suite (test/keywords), and beside Ajv by test/stubs/oracle.test.ts.
 */
const rows: readonly Row[] = [
  [
    "Name",
    { ...text, minLength: 2, maxLength: 3 },
    ["ab", "abc", "😀😀😀"],
    ["a", "abcd", "😀", 2],
  ],
  [
    "Code",
    { ...text, pattern: "^[A-Z]{2}-\\d+$" },
    ["AB-1"],
    ["ab-1", "AB-", "xAB-1", 1],
  ],
  [
    "Step",
    {
      type: "number",
      multipleOf: 2.5,
      exclusiveMinimum: 0,
      exclusiveMaximum: 10,
    },
    [2.5, 5, 7.5],
    [0, 10, 1, -2.5, "5"],
  ],
  [
    "Tags",
    { type: "array", items: ref("Name"), uniqueItems: true, minItems: 1 },
    [["ab"], ["ab", "cd"]],
    [[], ["ab", "ab"], ["a"], "ab"],
  ],
  [
    "Pair",
    { type: "array", prefixItems: [text, { type: "integer" }], items: false },
    [[], ["a"], ["a", 1]],
    [["a", 1, 2], [1], ["a", "b"]],
  ],
  [
    "Closed",
    {
      type: "object",
      properties: { a: text, b: ref("Step") },
      required: ["a"],
      additionalProperties: false,
    },
    [{ a: "" }, { a: "", b: 5 }],
    [{}, { b: 5 }, { a: "", c: 1 }, { a: "", b: 1 }, []],
  ],
  [
    "Narrowed",
    { ...ref("Closed"), properties: { a: { minLength: 2 } } },
    [{ a: "ab" }],
    [{ a: "a" }, { a: "ab", c: 1 }],
  ],
  [
    "Together",
    {
      allOf: [
        ref("Closed"),
        { type: "object", properties: { b: {} }, required: ["b"] },
      ],
    },
    [{ a: "", b: 5 }],
    [{ a: "" }, { a: "", b: 5, c: 1 }, { a: "", b: 1 }],
  ],
  [
    "Unlike",
    {
      type: "object",
      properties: {
        a: { not: { const: { doc: 1 } } },
        b: { not: { const: { doc: 2 } } },
      },
    },
    [{ a: { doc: 2 }, b: { doc: 1 } }],
    [{ a: { doc: 1 } }, { b: { doc: 2 } }],
  ],
  [
    "Apart",
    { allOf: [ref("Closed"), { type: "object", properties: { c: text } }] },
    [{ a: "" }],
    [{ a: "", c: "" }],
  ],
  [
    "Both",
    {
      allOf: [
        {
          type: "object",
          properties: { a: ref("Name"), b: { ...text, pattern: "^b" } },
          required: ["b"],
        },
        {
          type: "object",
          properties: { a: text, b: { ...text, maxLength: 2 } },
        },
      ],
    },
    [{ b: "b" }, { a: "ab", b: "bb" }],
    [{ a: "a", b: "b" }, { b: "bbb" }, { b: "a" }, {}],
  ],
  [
    "Mapped",
    {
      allOf: [
        { type: "object", properties: { a: {} } },
        { type: "object", additionalProperties: text },
      ],
    },
    [{ a: "" }],
    [{ a: 1 }, { b: 1 }],
  ],
  ["Part", { $ref: "#/$defs/Closed/properties/b" }, [5], [1]],
  [
    "Tree",
    {
      type: "object",
      properties: {
        label: ref("Name"),
        children: { type: "array", items: ref("Tree"), maxItems: 2 },
      },
      required: ["label"],
      additionalProperties: false,
    },
    [{ label: "ab", children: [{ label: "cd", children: [] }] }],
    [
      { label: "ab", children: [{ label: "c" }] },
      { label: "ab", other: 1 },
    ],
  ],
  [
    "PutRequest",
    {
      type: "object",
      properties: {
        method: { const: "shelves/put" },
        params: ref("PutParams"),
      },
      required: ["method", "params"],
    },
    [{ method: "shelves/put", params: { code: "AB-1" } }],
    [{ method: "shelves/put", params: { code: "1" } }],
  ],
  [
    "PutParams",
    {
      type: "object",
      properties: { code: ref("Code"), tags: ref("Tags"), size: ref("Pair") },
      required: ["code"],
      additionalProperties: false,
    },
    [{ code: "AB-1", tags: ["ab"], size: ["a", 1] }],
    [
      { code: "AB-1", more: 1 },
      { code: "AB-1", tags: ["ab", "ab"] },
      { tags: ["ab"] },
    ],
  ],
  [
    "PutResult",
    { type: "object", maxProperties: 1 },
    [{}, { a: 1 }],
    [{ a: 1, b: 2 }],
  ],
  [
    "ClientRequest",
    { anyOf: [ref("PutRequest")] },
    [{ method: "shelves/put", params: { code: "AB-1" } }],
    [{}],
  ],
];

const seed = Number(process.env["MCPGEN_SEED"] ?? 20_260_728);
const schema = file(Object.fromEntries(rows.map(([name, own]) => [name, own])));

/** The made-up revision with these types. */
function revision(): Protocol {
  const { protocol, reports } = read(schema, { revision: "shelf-1" });
  if (protocol === null) throw new Error(JSON.stringify(reports));
  return protocol;
}

describe("the guards of a revision whose schema.json has any keyword", () => {
  let ours: ReadonlyMap<string, Validator>;
  const ajv = new Ajv2020({ strict: false, strictNumbers: true });
  ajv.addSchema(JSON.parse(schema) as object, "shelf");
  const values = rows.flatMap(([, , good, bad]) => [...good, ...bad]);

  beforeAll(async () => {
    ours = await validators(revision());
  });

  it.each(rows)(
    "accept the values that Ajv accepts, and no others: %s",
    (name, _, good, bad) => {
      const oracle = ajv.compile({ $ref: `shelf#/$defs/${name}` });
      expect(good.filter((value) => !oracle(value))).toEqual([]);
      expect(bad.filter((value) => oracle(value))).toEqual([]);
      const { guard, schema } = validator(ours, name);
      const random = new Random(seed);
      const mutants = Array.from({ length: 300 }, () =>
        mutant(random.pick(random.chance(0.8) ? good : values), random, [
          "a",
          "b",
          "c",
          "ab",
        ]),
      );
      // Ajv calls a member of this name.
      const comparable = mutants.filter(
        (value) => !JSON.stringify(value)?.includes('"toString"'),
      );
      const disagreements = [...values, ...comparable].flatMap((value) => {
        const opinions = [
          oracle(value),
          guard(value),
          schema.safeParse(value).success,
        ];
        return new Set(opinions).size === 1
          ? []
          : [`${opinions.join()} ${JSON.stringify(value)?.slice(0, 100)}`];
      });
      expect(disagreements.slice(0, 5)).toEqual([]);
    },
  );

  it("are reported for nothing, and compile together with all other files", () => {
    expect(read(schema).reports.filter(({ code }) => code !== "MG207")).toEqual(
      [],
    );
    const { files, reports } = generated([revision()]);
    expect(reports).toEqual([]);
    expect(compile(files)).toEqual([]);
  });
});
