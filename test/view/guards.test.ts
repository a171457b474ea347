import { Ajv } from "ajv";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { readLoaded } from "../../src/generator/read/index.js";
import {
  generated,
  type Validator,
  validator,
  validators,
} from "./generated.js";
import { runs } from "../whole.js";

interface Row {
  /** The type in TypeScript, and the same in JSON Schema. */
  readonly type: string;
  readonly schema: object;
  /** A line of the guard; null if the other tests are enough. */
  readonly line: string | null;
  /** A value that the guard rejects, and the message. */
  readonly rejects: readonly [value: unknown, message: string];
}

const object = (
  properties: object,
  required: readonly string[] = [],
): object => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };
const strings = { type: "array", items: text };

/** One row for each kind of check, in the forms that a member can have. */
const rows: Readonly<Record<string, Row>> = {
  "a required member is read once, in place": {
    type: "{ a: string }",
    schema: object({ a: text }, ["a"]),
    line: 'if (typeof value["a"] !== "string") return fail("a string", "a");',
    rejects: [{ a: 1 }, "a: expected a string, got 1"],
  },
  "an optional boolean is checked by a guard of all optional booleans": {
    type: "{ a?: boolean }",
    schema: object({ a: { type: "boolean" } }),
    line: 'if (!isOptionalBoolean(value["a"])) return fail("a boolean", "a");',
    rejects: [{ a: null }, "a: expected a boolean, got null"],
  },
  "an optional number is checked by a guard of all optional numbers": {
    type: "{ a?: number }",
    schema: object({ a: { type: "number" } }),
    line: 'if (!isOptionalNumber(value["a"])) return fail("a number", "a");',
    rejects: [{ a: "1" }, 'a: expected a number, got "1"'],
  },
  "an optional object is checked by a guard of all optional objects": {
    type: "{ a?: object }",
    schema: object({ a: { type: "object" } }),
    line: 'if (!isOptionalObject(value["a"])) return fail("an object", "a");',
    rejects: [{ a: [] }, "a: expected an object, got an array"],
  },
  "an optional string is checked by a guard of all optional strings": {
    type: "{ a?: string }",
    schema: object({ a: text }),
    line: 'if (!isOptionalString(value["a"])) return fail("a string", "a");',
    rejects: [{ a: 1 }, "a: expected a string, got 1"],
  },
  "an optional member with one check of another kind is checked in place": {
    type: "{ a?: null }",
    schema: object({ a: { type: "null" } }),
    line: 'if (value["a"] !== undefined && value["a"] !== null)',
    rejects: [{ a: 1 }, "a: expected null, got 1"],
  },
  "an optional member with several checks is read into a variable": {
    type: '{ a?: "x" | "y" }',
    schema: object({ a: { enum: ["x", "y"] } }),
    line: 'if (a !== undefined && a !== "x" && a !== "y")',
    rejects: [{ a: "z" }, 'a: expected "x" or "y", got "z"'],
  },
  "a member with a name of Object.prototype is read as an own member": {
    type: "{ constructor: string }",
    schema: object({ constructor: text }, ["constructor"]),
    line: 'if (typeof getOwn(value, "constructor") !== "string")',
    rejects: [{}, "constructor: expected a string, got nothing"],
  },
  "a member of any type must be present": {
    type: "{ a: unknown }",
    schema: { type: "object", required: ["a"] },
    line: 'if (value["a"] === undefined) return fail("a value", "a");',
    rejects: [{}, "a: expected a value, got nothing"],
  },
  "the items of an array are checked by index": {
    type: "{ a: boolean[] }",
    schema: object({ a: { type: "array", items: { type: "boolean" } } }, ["a"]),
    line: 'if (typeof a[i] !== "boolean") return fail("a boolean", "a", i);',
    rejects: [{ a: [true, 1] }, "a[1]: expected a boolean, got 1"],
  },
  "the members of a record are checked by key": {
    type: "{ [key: string]: string[] }",
    schema: { type: "object", additionalProperties: strings },
    line: "for (const key in value) {",
    rejects: [{ x: ["y", null] }, "x[1]: expected a string, got null"],
  },
  "an index signature does not apply to named members": {
    type: "{ a: number; [key: string]: number }",
    schema: {
      type: "object",
      required: ["a"],
      additionalProperties: { type: "number" },
    },
    line: 'if (key === "a") continue;',
    rejects: [{ a: 1, b: "2" }, 'b: expected a number, got "2"'],
  },
  "a path of up to four keys is one call": {
    type: "{ a: { b: { c: { d: string } } } }",
    schema: object(
      {
        a: object({ b: object({ c: object({ d: text }, ["d"]) }, ["c"]) }, [
          "b",
        ]),
      },
      ["a"],
    ),
    line: 'return fail("a string", "a", "b", "c", "d");',
    rejects: [
      { a: { b: { c: { d: 0 } } } },
      "a.b.c.d: expected a string, got 0",
    ],
  },
  "a longer path needs two calls": {
    type: "{ a: { b: { c: { d: { k: string } } } } }",
    schema: object(
      {
        a: object(
          {
            b: object({ c: object({ d: object({ k: text }, ["k"]) }, ["d"]) }, [
              "c",
            ]),
          },
          ["b"],
        ),
      },
      ["a"],
    ),
    line: 'return fail("a string", "b", "c", "d", "k") || inside("a");',
    rejects: [
      { a: { b: { c: { d: { k: 0 } } } } },
      "a.b.c.d.k: expected a string, got 0",
    ],
  },
  "a union with a tag is checked by the tag": {
    type: '{ k: "x"; v: string } | { k: "y"; v: number }',
    schema: {
      type: "object",
      oneOf: [
        object({ k: { const: "x" }, v: text }, ["k", "v"]),
        object({ k: { const: "y" }, v: { type: "number" } }, ["k", "v"]),
      ],
    },
    line: 'switch (value["k"]) {',
    rejects: [{ k: "y", v: "1" }, 'v: expected a number, got "1"'],
  },
  "a tag may have a name that every object inherits": {
    type: '{ constructor: "x"; v: string } | { constructor: "y"; v: number }',
    schema: {
      type: "object",
      oneOf: [
        object({ constructor: { const: "x" }, v: text }, ["constructor", "v"]),
        object({ constructor: { const: "y" }, v: { type: "number" } }, [
          "constructor",
          "v",
        ]),
      ],
    },
    line: 'switch (getOwn(value, "constructor")) {',
    rejects: [{ constructor: "y", v: "1" }, 'v: expected a number, got "1"'],
  },
  "a union of an object with an inherited name and a scalar is checked": {
    type: '{ constructor: "x"; v: string } | { constructor: "y"; v: number } | null',
    schema: {
      anyOf: [
        object({ constructor: { const: "x" }, v: text }, ["constructor", "v"]),
        object({ constructor: { const: "y" }, v: { type: "number" } }, [
          "constructor",
          "v",
        ]),
        { type: "null" },
      ],
    },
    line: null,
    rejects: [{ constructor: "y", v: "1" }, 'v: expected a number, got "1"'],
  },
  "a member beside the tag is checked, even if it has the value of the tag": {
    type: '{ k: "x"; v: "x" } | { k: "y"; v: number }',
    schema: {
      type: "object",
      oneOf: [
        object({ k: { const: "x" }, v: { const: "x" } }, ["k", "v"]),
        object({ k: { const: "y" }, v: { type: "number" } }, ["k", "v"]),
      ],
    },
    line: 'if (value["v"] !== "x") return fail(\'"x"\', "v");',
    rejects: [{ k: "x", v: "y" }, 'v: expected "x", got "y"'],
  },
  "a union of scalars and an array is checked by the type of the value": {
    type: "string | string[]",
    schema: { anyOf: [text, strings] },
    line: 'if (typeof value === "string") return true;',
    rejects: [[1], "[0]: expected a string, got 1"],
  },
  "an array that is checked in several places has a helper": {
    type: "{ a?: string[] }",
    schema: object({ a: strings }),
    line: 'if (value["a"] !== undefined && !isStringArray(value["a"]))',
    rejects: [{ a: [null] }, "a[0]: expected a string, got null"],
  },
  "a named object among others is expected by its name, and other named types by what they are":
    {
      type: "{ k: NamedObject | NamedNullable | NamedString }",
      schema: object(
        {
          k: {
            anyOf: [
              object({ a: text }, ["a"]),
              { type: ["object", "null"], required: ["b"] },
              text,
            ],
          },
        },
        ["k"],
      ),
      line: null,
      rejects: [
        { k: 1 },
        "k: expected NamedObject, an object, null or a string, got 1",
      ],
    },
  "a named union is expected by its alternatives": {
    type: "{ k: NamedUnion }",
    schema: object(
      { k: { anyOf: [object({ a: text }, ["a"]), strings, { const: "y" }] } },
      ["k"],
    ),
    line: null,
    rejects: [{ k: 1 }, 'k: expected NamedObject, an array or "y", got 1'],
  },
  "an intersection of objects is checked as one object": {
    type: "{ a: string } & { b?: string[] }",
    schema: { allOf: [object({ a: text }, ["a"]), object({ b: strings })] },
    line: 'if (typeof value["a"] !== "string") return fail("a string", "a");',
    rejects: [{ a: "x", b: [2] }, "b[0]: expected a string, got 2"],
  },
};

/** What the types of the rows name. */
const beside = `
export interface NamedObject { a: string }
export type NamedNullable = { b: unknown } | null;
export type NamedUnion = NamedObject | string[] | "y";
export type NamedString = string;`;

const names = Object.keys(rows);
const typeName = (title: string): string => `Row${names.indexOf(title)}`;

async function protocolOf(): Promise<Protocol> {
  const source = names
    .map((title) => `export type ${typeName(title)} = ${rows[title]?.type};`)
    .concat(beside)
    .join("\n");
  const diagnostics = new Diagnostics();
  const loaded = { file: "schema.ts", text: source, sha256: "" };
  const protocol = await readLoaded(loaded, { revision: "rows" }, diagnostics);
  if (protocol === null) throw new Error(JSON.stringify(diagnostics.list));
  return protocol;
}

/** JSON values with the names and scalars of the rows. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>("x", "y", "", 1, 0.5, true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom("a", "b", "c", "d", "k", "v", "constructor", "__proto__"),
      tie("value"),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value;

describe("the guard of a type of the protocol", () => {
  let guards: ReadonlyMap<string, Validator>;
  let source: string;
  beforeAll(async () => {
    const protocol = await protocolOf();
    guards = await validators(protocol);
    source =
      generated([protocol], { emit: ["types", "validators"] }).files.get(
        "validators.ts",
      ) ?? "";
  });

  it.each(Object.entries(rows))(
    "has the expected code: %s",
    (_title, { line }) => {
      if (line !== null) expect(source).toContain(line);
    },
  );

  it.each(Object.entries(rows))(
    "reports the path and the expected value: %s",
    (title, { rejects }) => {
      const [value, message] = rejects;
      const parsed = validator(guards, typeName(title)).schema.safeParse(value);
      expect(parsed.success ? null : parsed.error.message).toBe(message);
    },
  );

  it.each(Object.entries(rows))(
    "accepts exactly the values that Ajv accepts: %s",
    (title, { schema }) => {
      const oracle = new Ajv({ strict: false, ownProperties: true }).compile(
        schema,
      );
      const { guard } = validator(guards, typeName(title));
      fc.assert(
        fc.property(values, (value) => {
          expect(guard(value)).toBe(oracle(value));
        }),
        { numRuns: runs(500) },
      );
    },
  );

  it("reports only the last rejected value, even after one with a longer path", () => {
    const deep = validator(guards, typeName("a longer path needs two calls"));
    const shallow = validator(
      guards,
      typeName("a required member is read once, in place"),
    );
    deep.guard({ a: { b: { c: { d: 0 } } } });
    const parsed = shallow.schema.safeParse(7);
    expect(parsed.success ? null : parsed.error.issues).toEqual([
      { message: "expected an object, got 7", path: [] },
    ]);
  });
});
