import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDiagnostic } from "../../../src/generator/diagnostics.js";
import { file, read } from "./reading.js";
import { isWhole, runs } from "../../whole.js";

/** A file that defines X, its schema starting at line 2, column 21. */
const defining = (
  schema: string,
): string => `{ "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$defs": { "X":   ${schema} } }`;

/**
 * A schema and its diagnostic with the location; "!" means an error, which
 * gives no protocol.
 */
const rows: readonly (readonly [string, string])[] = [
  // Values that no schema has.
  ["3", "! 2:21 MG203 expected a schema, got 3"],
  [
    '{ "type": "strnig" }',
    '! 2:31 MG203 "type": expected one of null, boolean, integer, number',
  ],
  [
    '{ "type": "strnig", "minimum": 1 }',
    '! 2:31 MG203 "type": expected one of null, boolean, integer, number',
  ],
  [
    '{ "type": [] }',
    '! 2:31 MG203 "type": expected one of null, boolean, integer, number',
  ],
  [
    '{ "type": "object", "properties": [] }',
    '! 2:55 MG203 "properties": expected an object of schemas by name, got []',
  ],
  [
    '{ "type": "object", "properties": { "a": 1 } }',
    "! 2:62 MG203 expected a schema, got 1",
  ],
  [
    '{ "type": "object", "required": "a" }',
    '! 2:53 MG203 "required": expected a list of names, got "a"',
  ],
  [
    '{ "type": "string", "format": 1 }',
    '! 2:51 MG203 "format": expected a string, got 1',
  ],
  [
    '{ "type": "number", "minimum": "0" }',
    '! 2:52 MG203 "minimum": expected a number, got "0"',
  ],
  [
    '{ "type": "array", "maxItems": -1 }',
    '! 2:52 MG203 "maxItems": expected an integer of at least 0, got -1',
  ],
  [
    '{ "enum": [] }',
    '! 2:31 MG203 "enum": expected a list of at least one value, got []',
  ],
  [
    '{ "enum": ["a", 1], "type": "string" }',
    '! 2:37 MG203 "enum": expected a value of type "string", got 1',
  ],
  [
    '{ "const": 1.5, "type": "integer" }',
    '! 2:32 MG203 "const": expected a value of type "integer", got 1.5',
  ],
  [
    '{ "const": 1, "enum": [2] }',
    '! 2:32 MG203 "const": expected a value that the "enum" beside it lists, got 1',
  ],
  [
    '{ "anyOf": [] }',
    '! 2:32 MG203 "anyOf": expected a list of at least one schema, got []',
  ],
  [
    '{ "allOf": {} }',
    '! 2:32 MG203 "allOf": expected a list of at least one schema, got {}',
  ],
  [
    '{ "minLength": -1 }',
    '! 2:36 MG203 "minLength": expected an integer of at least 0, got -1',
  ],
  ['{ "pattern": 1 }', '! 2:34 MG203 "pattern": expected a string, got 1'],
  [
    '{ "multipleOf": 0 }',
    '! 2:37 MG203 "multipleOf": expected a number greater than 0, got 0',
  ],
  [
    '{ "uniqueItems": 1 }',
    '! 2:38 MG203 "uniqueItems": expected true or false, got 1',
  ],
  [
    '{ "prefixItems": [] }',
    '! 2:38 MG203 "prefixItems": expected a list of at least one schema, got []',
  ],
  [
    '{ "dependentRequired": { "a": "b" } }',
    '! 2:51 MG203 "dependentRequired": expected a list of names, got "b"',
  ],
  ['{ "not": 1 }', "! 2:30 MG203 expected a schema, got 1"],
  [
    '{ "description": 1 }',
    '! 2:38 MG203 "description": expected a string, got 1',
  ],
  [
    '{ "type": "string", "nullable": 1 }',
    '! 2:53 MG203 "nullable": expected true or false, got 1',
  ],
  // References.
  [
    '{ "$ref": 1 }',
    '! 2:31 MG203 "$ref": expected a string that starts with #, got 1',
  ],
  [
    '{ "$ref": "https://example.com/a.json" }',
    '! 2:31 MG204 the reference is to another file, which is not fetched: "https://example.com/a.json"',
  ],
  [
    '{ "$ref": "other.json#/$defs/X" }',
    '! 2:31 MG204 the reference is to another file, which is not fetched: "other.json#/$defs/X"',
  ],
  [
    '{ "$ref": "#/$defs/Y" }',
    '! 2:31 MG204 the reference has no target: "#/$defs/Y"',
  ],
  [
    '{ "$ref": "#/$defs/X%" }',
    '! 2:31 MG204 the reference has no target: "#/$defs/X%"',
  ],
  [
    '{ "$ref": "#/$defs/~2" }',
    '! 2:31 MG204 the reference has no target: "#/$defs/~2"',
  ],
  [
    '{ "$ref": "#anchor" }',
    '! 2:31 MG204 the reference has no target: "#anchor"',
  ],
  [
    '{ "$ref": "#" }',
    '! 2:31 MG204 the reference is to the whole file, which is not a type: "#"',
  ],
  [
    '{ "anyOf": [{ "$ref": "#/$defs/X/anyOf/0" }] }',
    '! 2:43 MG204 the reference is circular: "#/$defs/X/anyOf/0"',
  ],
  [
    '{ "not": { "$ref": "#/$defs/X" } }',
    '! 2:21 MG503 "X" contains itself: X → X',
  ],
  [
    '{ "type": "object", "dependentSchemas": { "a": { "$ref": "#/$defs/X" } } }',
    '! 2:21 MG503 "X" contains itself: X → X',
  ],
  [
    '{ "not": { "$ref": "#/$defs/X" } }',
    '! 2:21 MG503 "X" contains itself: X → X',
  ],
  [
    '{ "type": "object", "dependentSchemas": { "a": { "$ref": "#/$defs/X" } } }',
    '! 2:21 MG503 "X" contains itself: X → X',
  ],
  // Keywords that are read in another way, or not checked.
  [
    '{ "type": "string", "pattern": "(a+)+$" }',
    '2:52 MG307 the pattern "(a+)+$"',
  ],
  ['{ "type": "string", "pattern": "(" }', '2:52 MG307 the pattern "("'],
  [
    `{ "type": "string", "pattern": "${"(".repeat(60)}" }`,
    `2:52 MG307 the pattern "${"(".repeat(60)}" is`,
  ],
  [
    `{ "type": "string", "pattern": "${"(".repeat(61)}" }`,
    `2:52 MG307 the pattern "${"(".repeat(60)}…" is`,
  ],
  [
    '{ "unevaluatedProperties": false, "type": "object", "anyOf": [{ "required": ["a"] }] }',
    '2:48 MG308 "unevaluatedProperties" is not checked',
  ],
  ['{ "$dynamicRef": "#X" }', '2:38 MG308 "$dynamicRef" is not checked'],
  [
    '{ "type": "object", "dependencies": { "a": ["b"] } }',
    '2:41 MG205 the keyword "dependencies" is not checked; values that violate it are accepted',
  ],
  [
    '{ "type": "object", "propertees": {} }',
    '2:41 MG205 the keyword "propertees" is unknown and ignored',
  ],
  [
    '{ "type": "object", "propertees": {} }',
    '2:41 MG205 hint: did you mean "properties"?',
  ],
  // A short name is a member that is in the wrong place.
  [
    '{ "type": "object", "content": {} }',
    '2:41 MG205 hint: put the members of an object into "properties"',
  ],
  [
    '{ "properties": {} }',
    '2:23 MG207 "properties" has no "type" next to it, so that values of other types than "object" are accepted',
  ],
  [
    '{ "type": "string", "nullable": true }',
    '2:53 MG314 "nullable" is a keyword of OpenAPI',
  ],
  [
    '{ "type": "string", "minimum": 1 }',
    '2:41 MG208 "minimum" applies to type "number"',
  ],
];

describe("the reader of JSON Schema", () => {
  it.each(rows)(
    "reports a construct that it cannot read at its location: %s",
    (given, want) => {
      const { protocol, reports } = read(defining(given));
      const fatal = want.startsWith("! ");
      const lines = reports.map(formatDiagnostic);
      const expected = want.replace("! ", "").split("|");
      expect(lines).toHaveLength(expected.length);
      expected.forEach((line, index) => {
        const [place = "", code = "", ...words] = line.split(" ");
        const severity = lines[index]?.split(" ")[2];
        expect(lines[index]).toContain(`notes/schema.json:${place} ${code} `);
        expect(lines[index]).toContain(words.join(" "));
        expect(["warning:", "note:"].includes(severity ?? "")).toBe(!fatal);
      });
      expect(protocol === null).toBe(fatal);
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
    ["[]", "1:1 MG203 expected an object with definitions, got []"],
    ["{}", "1:1 MG203 this file defines no types"],
    ['{"definitions": {}}', "1:1 MG117 the file has no declarations"],
    ['{"$defs": {}, "definitions": {}}', "1:1 MG117 the file has no"],
    [
      '{"$defs": []}',
      '1:11 MG203 "$defs": expected an object of schemas by name, got []',
    ],
    [
      '{"$defs": {"A": {}}, "definitions": {"A": {}}}',
      '1:12 MG202 the type "A" is defined twice',
    ],
    [
      '{"$defs": {"A": {}, "A": {}}}',
      '1:21 MG202 the member "A" is declared twice',
    ],
    [
      '{"$defs": {"A": {}}, "$ref": "#/$defs/A"}',
      '1:22 MG205 warning: "$ref" at the root is ignored',
    ],
    [
      '{"$schema": "http://json-schema.org/draft-03/schema#", "$defs": {"A": {}}}',
      '1:13 MG208 the dialect "http://json-schema.org/draft-03/schema#" is unknown',
    ],
  ])("reports an error of the whole file: %s", (given, want) => {
    const [place, code, ...words] = want.split(" ");
    const lines = read(given).reports.map(formatDiagnostic);
    expect(
      lines.some(
        (line) =>
          line.startsWith(`notes/schema.json:${place} ${code} `) &&
          line.includes(words.join(" ")),
      ),
    ).toBe(true);
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
    expect(reports[0]?.message).toContain("too many references");
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
