import { describe, expect, it } from "vitest";
import {
  Diagnostics,
  formatDiagnostic,
} from "../../../src/generator/diagnostics.js";
import { readSnapshot } from "../../../src/generator/read/snapshot/index.js";

/**
 * The lines about a tool's schema, which is on the second line of the file,
 * without the names of the tool and of the member.
 */
function saidOf(schema: unknown, member = "inputSchema"): readonly string[] {
  const text = `{"server":{"name":"s","version":"1"},"tools":[{"name":"t","inputSchema":{},"${member}":
${JSON.stringify(schema)}}]}`;
  const diagnostics = new Diagnostics();
  const names = { file: "n.json", name: "n.json", newest: "2025-11-25" };
  const snapshot = readSnapshot(
    member === "inputSchema" ? text.replace('"inputSchema":{},', "") : text,
    names,
    diagnostics,
  );
  expect(snapshot).not.toBeNull();
  return diagnostics.list.flatMap((one) => {
    expect(one.within.slice(0, 2)).toEqual(['tool "t"', member]);
    return formatDiagnostic({ ...one, within: one.within.slice(2) }).split(
      "\n",
    );
  });
}

const type =
  "one of null, boolean, integer, number, string, array, object, or a list of them";
const count = "an integer of at least 0";
const names = "a list of names";
const byName = "an object of schemas by name";
const branches = "a list of at least one schema";

/** Values of keywords that are not allowed, by what is expected. */
const malformed: readonly (readonly [
  expected: string,
  keywords: readonly string[],
  values: readonly unknown[],
])[] = [
  [type, ["type"], [{}, 3, "strin", [], ["string", "x"], ["string", 3]]],
  ["a list of at least one value", ["enum"], [{}, [], "a"]],
  [branches, ["anyOf", "oneOf", "allOf", "prefixItems"], [{}, [], true]],
  [names, ["required"], [true, "a", ["a", 3], {}]],
  [byName, ["properties", "patternProperties", "dependentSchemas"], [[], 3]],
  [byName, ["dependentRequired"], [[], "a"]],
  [
    count,
    ["minLength", "maxLength", "minItems", "maxItems"],
    [-1, 1.5, "1", null],
  ],
  [count, ["minProperties", "maxProperties"], [-1, true]],
  [
    "a number",
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
    ["1", true, null],
  ],
  ["a number", ["multipleOf"], ["1"]],
  ["a number greater than 0", ["multipleOf"], [0, -1]],
  ["true or false", ["uniqueItems"], [1, "true", null]],
  ["a string", ["pattern"], [3, null]],
  ["a string that starts with #", ["$ref"], [3, {}]],
];

describe("a keyword of a tool's schema", () => {
  it.each(
    malformed.flatMap(([expected, keywords, values]) =>
      keywords.flatMap((keyword) =>
        values.map((value) => [keyword, value, expected] as const),
      ),
    ),
  )(
    "is not checked if its value has the wrong form: %s %j",
    (keyword, value, expected) => {
      expect(saidOf({ [keyword]: value })).toEqual([
        `n.json:2:${keyword.length + 5} MG305 warning: "${keyword}" is ${JSON.stringify(value)}, expected ${expected}; it is not checked`,
      ]);
    },
  );

  it.each(["minContains", "maxContains"])(
    "needs a count beside contains: %s",
    (keyword) => {
      expect(saidOf({ [keyword]: -1 })).toEqual([]);
      expect(saidOf({ [keyword]: -1, contains: {} })).toEqual([
        `n.json:2:${keyword.length + 5} MG305 warning: "${keyword}" is -1, expected ${count}; it is not checked`,
      ]);
    },
  );

  it.each<[schema: object, where: string, column: number]>([
    [{ properties: { a: 3 } }, "member a", 20],
    [{ patternProperties: { "^a": 3 } }, "members ^a", 28],
    [{ additionalProperties: 3 }, "additionalProperties", 25],
    [{ propertyNames: 3 }, "propertyNames", 18],
    [{ dependentSchemas: { a: 3 } }, "dependentSchemas a", 26],
    [{ unevaluatedProperties: 3 }, "unevaluatedProperties", 26],
    [{ items: 3 }, "items", 10],
    [{ prefixItems: [{}, 3] }, "prefixItems 1", 20],
    [{ contains: 3 }, "contains", 13],
    [{ unevaluatedItems: 3 }, "unevaluatedItems", 21],
    [{ not: 3 }, "not", 8],
    [{ if: 3, then: {} }, "if", 7],
    [{ if: {}, then: 3 }, "then", 17],
    [{ if: {}, else: 3 }, "else", 17],
    [{ allOf: [{}, 3] }, "allOf 1", 14],
    [{ anyOf: [3] }, "anyOf 0", 11],
    [{ oneOf: [3] }, "oneOf 0", 11],
  ])(
    "reports the place of a value that is not a schema: %j",
    (schema, where, column) => {
      expect(saidOf(schema).slice(0, 2)).toEqual([
        `n.json:2:${column} MG305 warning: "schema" is 3, expected an object, true or false; it is not checked`,
        `    in ${where}`,
      ]);
    },
  );

  it.each(
    "title description default format $anchor $id $vocabulary writeOnly x".split(
      " ",
    ),
  )("may have any value if it only describes: %s", (keyword) => {
    for (const value of [3, [], {}, null])
      expect(saidOf({ [keyword]: value })).toEqual([]);
  });

  it("is checked after one that is not, in the output of a tool, too", () => {
    expect(saidOf({ type: 3, minItems: -1, enum: [] }, "outputSchema")).toEqual(
      [
        `n.json:2:9 MG305 warning: "type" is 3, expected ${type}; it is not checked`,
        'n.json:2:32 MG305 warning: "enum" is [], expected a list of at least one value; it is not checked',
        `n.json:2:22 MG305 warning: "minItems" is -1, expected ${count}; it is not checked`,
      ],
    );
  });
});

const simplify =
  "    hint: simplify the pattern; until then, values that it rejects are accepted";
const prefix = [
  'note: "items" is a list, as in draft-07, and is read as "prefixItems"',
  '    hint: write "prefixItems", or the "$schema" of draft-07',
] as const;
const circular = "    hint: refer to a member or an item";

describe("a part of a tool's schema", () => {
  it.each<[schema: object, said: readonly string[]]>([
    // Patterns.
    [
      { pattern: "(" },
      [
        'n.json:2:12 MG307 warning: the pattern "(" is not a valid regular expression with the flag u; it is not checked',
        simplify,
      ],
    ],
    [
      { pattern: "^(x+)+$" },
      [
        'n.json:2:12 MG307 warning: the pattern "^(x+)+$" repeats, without a limit, a part that can match in several ways; it is not checked',
        simplify,
      ],
    ],
    [
      { pattern: `${"a".repeat(60)}(` },
      [
        `n.json:2:12 MG307 warning: the pattern "${"a".repeat(60)}…" is not a valid regular expression with the flag u; it is not checked`,
        simplify,
      ],
    ],
    [
      { pattern: "a+b" },
      [
        'n.json:2:12 MG307 note: the pattern "a+b" may be slow; it is only checked for strings of up to 3162 characters',
      ],
    ],
    [
      { patternProperties: { "^a": {}, "a+": 3 }, additionalProperties: false },
      [
        'n.json:2:36 MG307 note: the pattern "a+" may be slow; it is only checked for strings of up to 3162 characters',
        'n.json:2:36 MG305 warning: "schema" is 3, expected an object, true or false; it is not checked',
        "    in members a+",
        'n.json:2:62 MG308 warning: "additionalProperties" is not checked, because it depends on a pattern that is not checked',
      ],
    ],
    [
      { patternProperties: { "(": 3 }, additionalProperties: false },
      [
        'n.json:2:27 MG307 warning: the pattern "(" is not a valid regular expression with the flag u; it is not checked',
        simplify,
        'n.json:2:53 MG308 warning: "additionalProperties" is not checked, because it depends on a pattern that is not checked',
      ],
    ],
    // Keywords of other versions.
    [{ items: [{}, {}] }, [`n.json:2:10 MG305 ${prefix[0]}`, prefix[1]]],
    [
      { items: [{}], $schema: "https://json-schema.org/draft/2020-12/schema" },
      [
        'n.json:2:10 MG305 warning: "items" is [{}], expected one schema (use "prefixItems" for a list); it is not checked',
      ],
    ],
    [
      { items: [{}], additionalItems: 3 },
      [
        `n.json:2:10 MG305 ${prefix[0]}`,
        prefix[1],
        'n.json:2:33 MG305 warning: "schema" is 3, expected an object, true or false; it is not checked',
        "    in items",
      ],
    ],
    [
      { $dynamicRef: "#a" },
      [
        'n.json:2:16 MG308 warning: "$dynamicRef" is not checked',
        '    hint: use "$ref"',
      ],
    ],
    [
      { type: "string", nullable: true },
      [
        'n.json:2:29 MG314 note: "nullable" is a keyword of OpenAPI; "null" is added to "type"',
        '    hint: add "null" to "type" instead',
      ],
    ],
    [{ type: ["string", "null"], nullable: true }, []],
    [{ type: "string", nullable: false }, []],
    [{ nullable: true }, []],
    // References.
    [
      { $ref: "#/$defs/x" },
      [
        'n.json:2:9 MG306 warning: the reference "#/$defs/x" has no target; it is not checked',
      ],
    ],
    [
      { $ref: "#/$defs/ab", $defs: { abc: {} } },
      [
        'n.json:2:9 MG306 warning: the reference "#/$defs/ab" has no target; it is not checked',
        '    hint: did you mean "#/$defs/abc"?',
      ],
    ],
    [
      { $ref: "https://example.com/x" },
      [
        'n.json:2:9 MG306 warning: the reference "https://example.com/x" leads out of this schema; it is not checked, because its target is not fetched',
      ],
    ],
    [
      { $ref: "#" },
      [
        "MG308 warning: a reference in the schema is circular; it is not checked",
        circular,
      ],
    ],
    [
      {
        properties: { x: { $ref: "#/$defs/b" } },
        $defs: {
          a: { anyOf: [{ $ref: "#/$defs/b" }, { type: "string" }] },
          b: { allOf: [{ $ref: "#/$defs/a" }], required: ["x"] },
        },
      },
      [
        'MG308 warning: references in "#/$defs/a" are circular; they are not checked in the schemas that extend it',
        circular,
      ],
    ],
    [
      { properties: { a: { type: "string", enum: [1] } } },
      [
        "n.json:2:20 MG315 warning: no value matches the schema: its types and values exclude each other",
        "    in member a",
        "    hint: correct the schema",
      ],
    ],
  ])("is reported completely: %j", (schema, said) => {
    expect(saidOf(schema)).toEqual(said);
  });
});

/** A schema with so many schemas around it. */
const nested = (depth: number): unknown => {
  let schema: unknown = {};
  for (let i = 0; i < depth; i++) schema = { items: schema };
  return schema;
};

describe("the limit of a schema", () => {
  it("is 64 schemas around one", () => {
    expect(saidOf(nested(64))).toEqual([]);
    const [said, within, hint] = saidOf(nested(66));
    expect([said, hint]).toEqual([
      "n.json:2:586 MG308 warning: schemas are nested more than 64 levels deep; this one is not checked",
      "    hint: flatten the schema",
    ]);
    expect(within?.split(", ")).toHaveLength(65);
  });

  it.each(["inputSchema", "outputSchema"])(
    "is 400 levels of its text, the tool included: %s",
    (member) => {
      const text = (levels: number): unknown => ({
        default: JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown,
      });
      expect(saidOf(text(398), member)).toEqual([]);
      expect(saidOf(text(399), member)).toEqual([
        "n.json:2:1 MG304 warning: the schema is nested more than 400 levels deep; it is not checked, and its type is unknown",
        "    hint: use references for repeated parts",
      ]);
    },
  );

  it("is 500 levels of a file, and the first place that is deeper is reported", () => {
    const deep = (levels: number): string =>
      "[".repeat(levels) + "]".repeat(levels);
    const diagnostics = new Diagnostics();
    const names = { file: "n.json", name: "n.json", newest: "2025-11-25" };
    const text = `{"a":${deep(499)},"b":${deep(500)},"c":${deep(500)}}`;
    expect(readSnapshot(text, names, diagnostics)).toBeNull();
    expect(diagnostics.list.map(formatDiagnostic)).toEqual([
      `n.json:1:${text.indexOf('"b":') + 4 + 500} MG201 the text is nested more than 500 levels deep\n    hint: flatten it`,
    ]);
  });

  it("is 10,000 values", () => {
    const schema = (values: number): object => ({
      default: Array.from({ length: values - 2 }, () => 0),
    });
    expect(saidOf(schema(10_000))).toEqual([]);
    expect(saidOf(schema(10_001))).toEqual([
      "n.json:2:1 MG304 warning: the schema has more than 10000 values; it is not checked, and its type is unknown",
      "    hint: use references for repeated parts",
    ]);
  });
});
