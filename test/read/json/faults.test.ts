import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatDiagnostic,
  type Diagnostic,
} from "../../../src/generator/diagnostics.js";
import { file, read } from "./reading.js";
import { isWhole, runs } from "../../whole.js";

/** A file that defines X, its schema starting at line 2, column 21. */
const defining = (
  schema: string,
): string => `{ "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$defs": { "X":   ${schema} } }`;

/** A schema and what is said of it, without the name of its file. */
const rows: readonly (readonly [given: string, said: string])[] = [
  // Values that no schema has.
  [
    "3",
    "2:21 MG203 expected a schema, got 3\n    in definition X\n    hint: a schema is an object",
  ],
  [
    '{ "type": "strnig" }',
    '2:31 MG203 "type": expected one of null, boolean, integer, number, string, array, object, or a list of them, got "strnig"\n    in definition X',
  ],
  [
    '{ "type": "strnig", "minimum": 1 }',
    '2:31 MG203 "type": expected one of null, boolean, integer, number, string, array, object, or a list of them, got "strnig"\n    in definition X',
  ],
  [
    '{ "type": [] }',
    '2:31 MG203 "type": expected one of null, boolean, integer, number, string, array, object, or a list of them, got []\n    in definition X',
  ],
  [
    '{ "type": "object", "properties": [] }',
    '2:55 MG203 "properties": expected an object of schemas by name, got []\n    in definition X',
  ],
  [
    '{ "type": "object", "properties": { "a": 1 } }',
    "2:62 MG203 expected a schema, got 1\n    in member a, in definition X\n    hint: a schema is an object",
  ],
  [
    '{ "type": "object", "required": "a" }',
    '2:53 MG203 "required": expected a list of names, got "a"\n    in definition X',
  ],
  [
    '{ "type": "string", "format": 1 }',
    '2:51 MG203 "format": expected a string, got 1\n    in definition X',
  ],
  [
    '{ "type": "number", "minimum": "0" }',
    '2:52 MG203 "minimum": expected a number, got "0"\n    in definition X',
  ],
  [
    '{ "type": "array", "maxItems": -1 }',
    '2:52 MG203 "maxItems": expected an integer of at least 0, got -1\n    in definition X',
  ],
  [
    '{ "enum": [] }',
    '2:31 MG203 "enum": expected a list of at least one value, got []\n    in definition X',
  ],
  [
    '{ "enum": ["a", 1], "type": "string" }',
    '2:37 MG203 "enum": expected a value of type "string", got 1\n    in definition X',
  ],
  [
    '{ "const": 1.5, "type": "integer" }',
    '2:32 MG203 "const": expected a value of type "integer", got 1.5\n    in definition X',
  ],
  [
    '{ "const": 1, "enum": [2] }',
    '2:32 MG203 "const": expected a value that the "enum" beside it lists, got 1\n    in definition X',
  ],
  [
    '{ "anyOf": [] }',
    '2:32 MG203 "anyOf": expected a list of at least one schema, got []\n    in definition X',
  ],
  [
    '{ "allOf": {} }',
    '2:32 MG203 "allOf": expected a list of at least one schema, got {}\n    in definition X',
  ],
  [
    '{ "minLength": -1 }',
    '2:36 MG203 "minLength": expected an integer of at least 0, got -1\n    in definition X',
  ],
  [
    '{ "type": "array", "items": [{}] }',
    '2:49 MG305 note: "items" is a list, as in draft-07, and is read as "prefixItems"\n    in definition X\n    hint: write "prefixItems", or the "$schema" of draft-07',
  ],
  [
    '{ "pattern": 1 }',
    '2:34 MG203 "pattern": expected a string, got 1\n    in definition X',
  ],
  [
    '{ "multipleOf": 0 }',
    '2:37 MG203 "multipleOf": expected a number greater than 0, got 0\n    in definition X',
  ],
  [
    '{ "uniqueItems": 1 }',
    '2:38 MG203 "uniqueItems": expected true or false, got 1\n    in definition X',
  ],
  [
    '{ "prefixItems": [] }',
    '2:38 MG203 "prefixItems": expected a list of at least one schema, got []\n    in definition X',
  ],
  [
    '{ "dependentRequired": { "a": "b" } }',
    '2:51 MG203 "dependentRequired": expected a list of names, got "b"\n    in definition X',
  ],
  [
    '{ "not": 1 }',
    "2:30 MG203 expected a schema, got 1\n    in not, in definition X\n    hint: a schema is an object",
  ],
  [
    '{ "description": 1 }',
    '2:38 MG203 "description": expected a string, got 1\n    in definition X',
  ],
  [
    '{ "type": "string", "nullable": 1 }',
    '2:53 MG203 "nullable": expected true or false, got 1\n    in definition X',
  ],
  // References.
  [
    '{ "$ref": 1 }',
    '2:31 MG203 "$ref": expected a string that starts with #, got 1\n    in definition X',
  ],
  [
    '{ "$ref": "https://example.com/a.json" }',
    '2:31 MG204 the reference is to another file, which is not fetched: "https://example.com/a.json"\n    in definition X\n    hint: copy the definition into this file',
  ],
  [
    '{ "$ref": "other.json#/$defs/X" }',
    '2:31 MG204 the reference is to another file, which is not fetched: "other.json#/$defs/X"\n    in definition X\n    hint: copy the definition into this file',
  ],
  [
    '{ "$ref": "#/$defs/Y" }',
    '2:31 MG204 the reference has no target: "#/$defs/Y"\n    in definition X\n    hint: define it, or correct the reference',
  ],
  [
    '{ "$ref": "#/$defs/X%" }',
    '2:31 MG204 the reference has no target: "#/$defs/X%"\n    in definition X\n    hint: define it, or correct the reference',
  ],
  [
    '{ "$ref": "#/$defs/~2" }',
    '2:31 MG204 the reference has no target: "#/$defs/~2"\n    in definition X\n    hint: define it, or correct the reference',
  ],
  [
    '{ "$ref": "#anchor" }',
    '2:31 MG204 the reference has no target: "#anchor"\n    in definition X\n    hint: define it, or correct the reference',
  ],
  [
    '{ "$ref": "#" }',
    '2:31 MG204 the reference is to the whole file, which is not a type: "#"\n    in definition X\n    hint: refer to one of its definitions',
  ],
  [
    '{ "anyOf": [{ "$ref": "#/$defs/X/anyOf/0" }] }',
    '2:43 MG204 the reference is circular: "#/$defs/X/anyOf/0"\n    in anyOf 0, in definition X\n    hint: give the schema a name among the definitions',
  ],
  [
    '{ "not": { "$ref": "#/$defs/X" } }',
    '2:21 MG503 "X" contains itself: X → X\n    in alias X\n    hint: break the cycle: a type may contain itself only inside a member, an array or a map',
  ],
  [
    '{ "type": "object", "dependentSchemas": { "a": { "$ref": "#/$defs/X" } } }',
    '2:21 MG503 "X" contains itself: X → X\n    in alias X\n    hint: break the cycle: a type may contain itself only inside a member, an array or a map',
  ],
  // Keywords that are read in another way, or not checked.
  [
    '{ "type": "string", "pattern": "(a+)+$" }',
    '2:52 MG307 warning: the pattern "(a+)+$" repeats, without a limit, a part that can match in several ways; it is not checked\n    in definition X\n    hint: simplify the pattern; until then, values that it rejects are accepted',
  ],
  [
    '{ "type": "string", "pattern": "(" }',
    '2:52 MG307 warning: the pattern "(" is not a valid regular expression with the flag u; it is not checked\n    in definition X\n    hint: simplify the pattern; until then, values that it rejects are accepted',
  ],
  [
    `{ "type": "string", "pattern": "${"(".repeat(60)}" }`,
    `2:52 MG307 warning: the pattern "${"(".repeat(60)}" is not a valid regular expression with the flag u; it is not checked\n    in definition X\n    hint: simplify the pattern; until then, values that it rejects are accepted`,
  ],
  [
    `{ "type": "string", "pattern": "${"(".repeat(61)}" }`,
    `2:52 MG307 warning: the pattern "${"(".repeat(60)}…" is not a valid regular expression with the flag u; it is not checked\n    in definition X\n    hint: simplify the pattern; until then, values that it rejects are accepted`,
  ],
  [
    '{ "unevaluatedProperties": false, "type": "object", "anyOf": [{ "required": ["a"] }] }',
    '2:48 MG308 warning: "unevaluatedProperties" is not checked, because it depends on the branch that an object matches\n    in definition X',
  ],
  [
    '{ "type": "array", "unevaluatedItems": false, "anyOf": [{ "prefixItems": [{}] }] }',
    '2:60 MG308 warning: "unevaluatedItems" is not checked, because it depends on the branch that an array matches\n    in definition X',
  ],
  [
    '{ "$dynamicRef": "#X" }',
    '2:38 MG308 warning: "$dynamicRef" is not checked\n    in definition X\n    hint: use "$ref"',
  ],
  [
    '{ "type": "object", "dependencies": { "a": ["b"] } }',
    '2:41 MG205 warning: the keyword "dependencies" is not checked; values that violate it are accepted\n    in definition X',
  ],
  [
    '{ "type": "object", "propertees": {} }',
    '2:41 MG205 warning: the keyword "propertees" is unknown and ignored\n    in definition X\n    hint: did you mean "properties"?',
  ],
  // A short name is a member that is in the wrong place.
  [
    '{ "type": "object", "content": {} }',
    '2:41 MG205 warning: the keyword "content" is unknown and ignored\n    in definition X\n    hint: put the members of an object into "properties"',
  ],
  [
    '{ "properties": {} }',
    '2:23 MG207 note: "properties" has no "type" next to it, so that values of other types than "object" are accepted\n    in definition X\n    hint: write "type": "object"',
  ],
  [
    '{ "type": "string", "nullable": true }',
    '2:53 MG314 note: "nullable" is a keyword of OpenAPI; "null" is added to "type"\n    in definition X\n    hint: add "null" to "type" instead',
  ],
  [
    '{ "type": "string", "minimum": 1 }',
    '2:41 MG208 warning: "minimum" applies to type "number", which this schema never accepts\n    in definition X\n    hint: remove it, or correct the type',
  ],
];

const saidOf = (reports: readonly Diagnostic[]): string =>
  reports.map(formatDiagnostic).join("\n").replaceAll("notes/schema.json:", "");

describe("the reader of JSON Schema", () => {
  it.each(rows)(
    "reports a construct that it cannot read at its location: %s",
    (given, want) => {
      const { protocol, reports } = read(defining(given));
      expect(saidOf(reports)).toBe(want);
      expect(protocol === null).toBe(
        reports.some(({ severity }) => severity === "error"),
      );
    },
  );
});

describe("a value that a schema lists beside its types", () => {
  const value = fc.constantFrom<unknown>(
    null,
    true,
    0,
    1.5,
    2,
    "",
    "a",
    [],
    ["a"],
    {},
    { a: 1 },
  );
  const name = fc.constantFrom(
    "null",
    "boolean",
    "integer",
    "number",
    "string",
    "array",
    "object",
  );
  const types = fc.oneof(
    name,
    fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
  );

  it("is reported if and only if Ajv finds that it has none of them", () => {
    const reported = (schema: object): number =>
      read(file({ X: schema })).reports.filter(({ code }) => code === "MG203")
        .length;
    const property = fc.property(
      fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
      types,
      (list, type) => {
        const accepts = new Ajv({ strict: false }).compile({ type });
        const wrong = list.filter((one) => !accepts(one));
        expect(reported({ type, enum: list })).toBe(wrong.length);
        const [only] = list;
        expect(reported({ type, const: only })).toBe(accepts(only) ? 0 : 1);
      },
    );
    fc.assert(property, { numRuns: runs(200) });
  });
});

describe("the reader of a schema.json", () => {
  it.each([
    [
      "[]",
      "1:1 MG203 expected an object with definitions, got []\n    hint: pass a schema file of the protocol",
    ],
    [
      "{}",
      '1:1 MG203 this file defines no types\n    hint: put the types under "definitions" or "$defs"',
    ],
    [
      '{"definitions": {}}',
      '1:1 MG117 the file has no declarations\n    hint: put the types under "definitions" or "$defs"',
    ],
    [
      '{"$defs": {}, "definitions": {}}',
      '1:1 MG117 the file has no declarations\n    hint: put the types under "definitions" or "$defs"',
    ],
    [
      '{"$defs": []}',
      '1:11 MG203 "$defs": expected an object of schemas by name, got []',
    ],
    [
      '{"$defs": {"A": {}}, "definitions": {"A": {}}}',
      '1:12 MG202 the type "A" is defined twice\n    hint: keep one of them',
    ],
    [
      '{"$defs": {"A": {}, "A": {}}}',
      '1:21 MG202 the member "A" is declared twice\n    hint: keep one of them',
    ],
    [
      '{"$defs": {"A": {}}, "$ref": "#/$defs/A"}',
      '1:22 MG205 warning: "$ref" at the root is ignored\n    hint: move it into a definition, because only definitions are read',
    ],
    [
      '{"$schema": "http://json-schema.org/draft-03/schema#", "$defs": {"A": {}}}',
      '1:13 MG208 warning: the dialect "http://json-schema.org/draft-03/schema#" is unknown; the schema is read as 2020-12\n    hint: use draft-07 or 2020-12',
    ],
  ])("reports an error of the whole file: %s", (given, want) => {
    expect(saidOf(read(given).reports)).toBe(want);
  });
});

it("the reader of a schema.json reports every error of a file in one run, each with the path to it", () => {
  const { protocol, reports } = read(
    JSON.stringify(
      {
        $defs: {
          A: {
            type: "object",
            properties: { a: { type: "strin" }, b: { $ref: "#/$defs/Nope" } },
          },
          B: { type: "array", items: { type: "string", patern: "x" } },
        },
      },
      null,
      1,
    ),
  );
  expect(protocol).toBeNull();
  expect(
    reports.map(({ code, location, within }) => [
      code,
      location?.line,
      within.join(" > "),
    ]),
  ).toEqual([
    ["MG203", 7, "definition A > member a"],
    ["MG204", 10, "definition A > member b"],
    ["MG205", 18, "definition B > items"],
  ]);
});

it.each([
  [{ $ref: "#/$defs/Resouce" }, 'did you mean "Resource"?'],
  [{ $ref: "#/$defs/Tol" }, 'did you mean "Tool"?'],
  [{ $ref: "#/components/schemas/Tol" }, 'did you mean "Tool"?'],
  [{ $ref: "#/$defs/Ol" }, "define it, or correct the reference"],
  [{ $ref: "#" }, "refer to one of its definitions"],
  [{ $ref: "other.json#/$defs/Tol" }, "copy the definition into this file"],
  [{ requird: [] }, 'did you mean "required"?'],
])(
  "the reader of a schema.json suggests what to write instead of %j",
  (given, hint) => {
    const { reports } = read(file({ Resource: {}, Tool: {}, A: given }));
    expect(reports.map((report) => report.hint)).toEqual([hint]);
  },
);

it("the reader of a schema.json returns a protocol if there are only warnings", () => {
  const { protocol, reports } = read(
    defining('{ "type": "string", "minimum": 1 }'),
  );
  expect(protocol?.declarations.map(({ name }) => name)).toEqual(["X"]);
  expect(reports.map(({ severity }) => severity)).toEqual(["warning"]);
});

describe("the revision of a schema.json", () => {
  it.each([
    [
      "the one in the options",
      "schema/2031-01-01/schema.json",
      "chosen",
      "chosen",
    ],
    [
      "the name of the folder if that is a date",
      "schema/2031-01-01/schema.json",
      undefined,
      "2031-01-01",
    ],
    [
      "the name of the file if the folder is not a date",
      "notes/draft-7.json",
      undefined,
      "draft-7",
    ],
  ])("is %s", (_, file, revision, want) => {
    const { protocol } = read('{"$defs": {"A": {}}}', {
      file,
      ...(revision === undefined ? {} : { revision }),
    });
    expect(protocol?.revision).toBe(want);
  });
});

describe("references to parts of a schema", () => {
  const steps = (count: number, next: (step: number) => object): string => {
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_, step) => [`p${step}`, next(step)]),
    );
    return JSON.stringify({ $defs: { X: { type: "object", properties } } });
  };
  const to = (step: number): object => ({
    $ref: `#/$defs/X/properties/p${step}`,
  });

  it("are followed within a budget if each target has two more", () => {
    const text = steps(19, (step) =>
      step === 18
        ? { type: "string" }
        : { type: "object", properties: { a: to(step + 1), b: to(step + 1) } },
    );
    const { protocol, reports } = read(text);
    expect(protocol).toBeNull();
    expect(reports[0]).toMatchObject({
      message:
        'too many references to schemas without a name: "#/$defs/X/properties/p18"',
      hint: "give the target a name among the definitions",
    });
  });

  it("are followed within a budget if ten thousand form a chain", () => {
    const { protocol, reports } = read(
      steps(10_000, (step) => (step === 9_999 ? {} : to(step + 1))),
    );
    expect(protocol).toBeNull();
    expect(reports.every(({ code }) => code === "MG204")).toBe(true);
  });
});

it("the reader of a schema.json refuses schemas that nest too deep, also by references to parts of a schema", () => {
  const nested = (depth: number, inner: object): object =>
    depth === 0 ? inner : { not: nested(depth - 1, inner) };
  const parts = Array.from({ length: 15 }, (_, step) => [
    `p${step}`,
    nested(8, step === 14 ? {} : { $ref: `#/$defs/X/properties/p${step + 1}` }),
  ]);
  for (const X of [
    nested(120, {}),
    { type: "object", properties: Object.fromEntries(parts) as object },
  ]) {
    const { protocol, reports } = read(JSON.stringify({ $defs: { X } }));
    expect(protocol).toBeNull();
    expect(reports.map(({ code }) => code)).toEqual(["MG504"]);
  }
});

it.runIf(isWhole)(
  "the reader of a schema.json reads tens of thousands of values, alternatives and conditions",
  () => {
    const many = Array.from({ length: 30_000 }, (_, index) => index);
    const text = JSON.stringify({
      $defs: {
        Values: { enum: many.map((index) => `value ${index}`) },
        Either: {
          anyOf: many.map((index) => ({ $ref: `#/$defs/T${index % 1_000}` })),
        },
        All: {
          allOf: many
            .slice(0, 20_000)
            .map((index) => ({ $ref: `#/$defs/T${index % 1_000}` })),
        },
        ...Object.fromEntries(
          many
            .slice(0, 1_000)
            .map((index) => [`T${index}`, { type: "object" }]),
        ),
      },
    });
    expect(read(text).protocol?.declarations).toHaveLength(1_003);
  },
);
