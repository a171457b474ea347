/** A schema, its dialect, and the codes of its diagnostics. */
export interface Sample {
  readonly name: string;
  readonly schema: unknown;
  readonly isOld?: true;
  /** Whether Ajv rejects more than the dialect does. */
  readonly isWider?: true;
  /**
   * The codes of the keywords that are not checked, so that the guard accepts
   * more; none by default.
   */
  readonly reports?: readonly string[];
}

const text = { type: "string" };
const number = { type: "number" };
const old = "http://json-schema.org/draft-07/schema#";

/** An object whose member `x` has one of the values. */
const tagged = (...values: readonly unknown[]): object => ({
  type: "object",
  properties: {
    x: values.length === 1 ? { const: values[0] } : { enum: values },
    a: number,
  },
  required: ["x"],
});

/** An object that may have the member `x`, with one value. */
const tagShared = { type: "object", properties: { x: { enum: ["x"] } } };

/** One construct each: those that tools use, and hostile ones. */
export const samples: readonly Sample[] = [
  { name: "nothing said", schema: {} },
  { name: "true", schema: { properties: { a: true, b: false } } },
  {
    name: "alternatives by reference, with and without a type",
    schema: {
      $defs: { low: { minimum: 1 }, one: tagged("a"), any: {} },
      properties: {
        a: { anyOf: [{ $ref: "#/$defs/low" }, text] },
        b: { anyOf: [{ $ref: "#/$defs/one" }, { $ref: "#/$defs/low" }] },
        c: { anyOf: [{ $ref: "#/$defs/one" }, { type: "null" }] },
      },
    },
  },
  {
    name: "type list",
    schema: { properties: { a: { type: ["string", "null", "integer"] } } },
  },
  {
    name: "nullable",
    schema: {
      properties: {
        a: { type: "string", nullable: true },
        b: { type: ["number", "boolean"], nullable: true },
        x: { type: "string", enum: ["x", "y"], nullable: true },
        y: { type: "string", nullable: false },
      },
    },
    reports: ["MG314", "MG314", "MG314"],
  },
  { name: "integer beside number", schema: { type: ["integer", "number"] } },
  {
    name: "each type",
    schema: {
      anyOf: ["null", "boolean", "array", "object"].map((type) => ({ type })),
    },
  },
  {
    name: "enum of anything",
    schema: {
      properties: {
        a: { enum: ["x", 1, null, true, { b: [1, "y"] }, [2], 1.5] },
      },
    },
  },
  {
    name: "enum against type",
    schema: { properties: { a: { type: "string", enum: ["x", 1, null] } } },
  },
  {
    name: "enum of many",
    schema: {
      properties: { a: { enum: "a b c d e f g h i j k x y".split(" ") } },
    },
  },
  {
    name: "enum and const",
    schema: {
      properties: {
        a: { enum: ["x", "y"], const: "x" },
        b: { enum: ["x"], const: "y" },
      },
    },
    reports: ["MG315"],
  },
  {
    name: "const of an object",
    schema: { properties: { a: { const: { x: { y: [1, null] } } } } },
  },
  {
    name: "bounds",
    schema: {
      properties: {
        a: { type: "integer", minimum: 1, maximum: 3 },
        b: { exclusiveMinimum: 0, exclusiveMaximum: 1.5 },
      },
    },
  },
  {
    name: "multiples",
    schema: {
      properties: {
        a: { multipleOf: 0.1 },
        b: { type: "integer", multipleOf: 3 },
      },
    },
  },
  {
    name: "lengths",
    schema: {
      properties: {
        a: { type: "string", minLength: 1, maxLength: 2 },
        b: { maxLength: 0 },
      },
    },
  },
  {
    name: "pattern",
    schema: {
      properties: {
        a: { type: "string", pattern: "^[a-c]+$" },
        b: { pattern: "x|y" },
      },
    },
  },
  {
    name: "pattern that is unsafe",
    schema: { properties: { a: { pattern: "^(x+)+$" } } },
    reports: ["MG307"],
  },
  {
    name: "pattern that is none",
    schema: { properties: { a: { pattern: "(" } } },
    reports: ["MG307"],
  },
  {
    name: "format",
    schema: { properties: { a: { type: "string", format: "email" } } },
  },
  {
    name: "items",
    schema: {
      properties: {
        a: { type: "array", items: text, minItems: 1, maxItems: 2 },
      },
    },
  },
  {
    name: "tuple",
    schema: {
      properties: {
        a: { prefixItems: [text, number], items: { type: "null" } },
      },
    },
  },
  {
    name: "tuple that is closed",
    schema: {
      properties: {
        a: {
          type: "array",
          prefixItems: [text, number],
          items: false,
          minItems: 1,
        },
      },
    },
  },
  { name: "unique", schema: { properties: { a: { uniqueItems: true } } } },
  {
    name: "contains",
    schema: { properties: { a: { contains: { type: "number", minimum: 1 } } } },
  },
  {
    name: "contains few",
    schema: {
      properties: { a: { contains: text, minContains: 0, maxContains: 1 } },
    },
  },
  {
    name: "contains some",
    schema: {
      properties: {
        a: { type: "array", contains: text, minContains: 2, maxContains: 3 },
      },
    },
  },
  {
    name: "closed object",
    schema: {
      type: "object",
      properties: { a: text },
      required: ["a"],
      additionalProperties: false,
    },
  },
  {
    name: "map",
    schema: { type: "object", additionalProperties: { type: "integer" } },
  },
  {
    name: "rest beside names",
    schema: {
      properties: { a: text, b: number },
      additionalProperties: { type: "boolean" },
    },
  },
  {
    name: "patterns of names",
    schema: {
      patternProperties: { "^x": number, y$: text },
      additionalProperties: false,
      properties: { a: {} },
    },
  },
  { name: "names", schema: { propertyNames: { maxLength: 1 } } },
  { name: "sizes", schema: { minProperties: 1, maxProperties: 2 } },
  { name: "required alone", schema: { required: ["a", "constructor"] } },
  {
    name: "magic names",
    schema: {
      properties: { __proto__: text, toString: number, a: text },
      required: ["toString"],
    },
  },
  {
    name: "dependent",
    schema: {
      dependentRequired: { a: ["b"] },
      dependentSchemas: { x: { required: ["y"], properties: { y: number } } },
    },
  },
  {
    name: "all",
    schema: {
      allOf: [
        { properties: { a: text } },
        { required: ["b"] },
        { properties: { b: { minimum: 1 } } },
      ],
    },
  },
  {
    name: "all against each other",
    schema: {
      properties: {
        a: { allOf: [text, { type: ["string", "number"] }, { minLength: 1 }] },
      },
    },
  },
  {
    name: "any of objects",
    schema: {
      anyOf: [
        { type: "object", properties: { a: { const: "x" } }, required: ["a"] },
        { type: "object", required: ["b"] },
      ],
    },
  },
  {
    name: "any of scalars",
    schema: {
      properties: { a: { anyOf: [text, { type: "null" }, { const: 1 }] } },
    },
  },
  {
    name: "objects with a tag",
    schema: {
      properties: {
        a: { anyOf: [tagged("x"), tagged("y", "b"), { type: "null" }, text] },
      },
    },
  },
  {
    name: "one of objects with a tag",
    schema: {
      properties: {
        a: {
          oneOf: [
            tagged("x"),
            tagged(1, true, null),
            { type: ["null", "string"] },
          ],
        },
      },
    },
  },
  {
    name: "one of objects that share a tag",
    schema: {
      properties: { a: { oneOf: [tagged("x", "y"), tagged("y", "b")] } },
    },
  },
  {
    name: "one of several that are no objects, beside objects with a tag",
    schema: {
      properties: {
        a: { oneOf: [tagged("x"), tagged("y"), text, { enum: ["x", 1] }] },
      },
    },
  },
  {
    name: "a tag that an alternative does not require",
    schema: {
      properties: {
        a: {
          anyOf: [
            tagged("x"),
            { type: "object", properties: { x: { const: "y" } } },
          ],
        },
      },
    },
  },
  {
    name: "objects behind references that share a tag",
    schema: {
      $defs: { t: tagShared, u: { ...tagShared, maxProperties: 1 } },
      anyOf: [{ $ref: "#/$defs/t" }, { $ref: "#/$defs/u" }],
    },
  },
  {
    name: "a reference to what accepts everything",
    schema: {
      $defs: { j: {}, k: { $ref: "#/$defs/j" } },
      properties: {
        a: { anyOf: [{ $ref: "#/$defs/k" }, { type: "null" }] },
        b: { $ref: "#/$defs/j" },
      },
      required: ["b"],
    },
  },
  {
    name: "a required member that accepts nothing",
    schema: {
      properties: { a: { properties: { b: false }, required: ["b"] } },
    },
  },
  {
    name: "types of a schema and of its only alternative",
    schema: {
      properties: {
        a: {
          type: ["string", "number"],
          anyOf: [{ type: ["integer", "null"] }],
        },
        b: { oneOf: [{ type: "object", anyOf: [text] }, { type: "null" }] },
      },
    },
    reports: ["MG315"],
  },
  {
    name: "a tag on what may not be an object",
    schema: {
      anyOf: ["x", "y"].map((x) => ({
        properties: { a: { const: x } },
        required: ["a", x],
      })),
    },
  },
  {
    name: "a tag beside other keywords",
    schema: {
      properties: {
        a: {
          type: ["object", "null"],
          anyOf: [tagged("x"), tagged("y"), { type: "null" }],
          maxProperties: 1,
        },
        b: {
          enum: [{ x: "x" }, { x: "y", a: 1 }, null, 1],
          anyOf: [tagged("x"), tagged("y"), number],
        },
        x: {
          anyOf: [tagged("x"), tagged("y")],
          oneOf: [tagged("y"), tagged("x", "b")],
        },
        y: {
          allOf: [{ anyOf: [tagged("x"), tagged("y")] }, { required: ["a"] }],
        },
      },
    },
  },
  {
    name: "a tag below a type",
    schema: {
      properties: {
        a: {
          type: "object",
          oneOf: ["x", "y"].map((x) => ({
            properties: { x: { const: x }, b: text },
            required: ["x"],
          })),
        },
        b: {
          type: "object",
          anyOf: [
            { properties: { x: { const: "x" } }, required: ["x"] },
            { required: ["a"] },
            true,
          ],
        },
        x: {
          type: "object",
          enum: [{ x: "x", b: "x" }, { x: "y" }, 1],
          oneOf: ["x", "y"].map((x) => ({
            properties: { x: { const: x } },
            required: ["x"],
          })),
        },
        y: {
          type: "object",
          anyOf: [
            { properties: { x: { const: "x" } }, required: ["x"] },
            { properties: { x: { const: 1 } }, required: ["x"] },
            { minProperties: 2 },
          ],
        },
      },
    },
  },
  {
    name: "a tag that every object inherits",
    schema: {
      properties: {
        a: {
          anyOf: ["x", "y"].map((x) => ({
            type: "object",
            properties: { constructor: { const: x } },
            required: ["constructor"],
          })),
        },
      },
    },
  },
  {
    name: "a tag and what contains itself",
    schema: {
      $defs: {
        leaf: tagged("x"),
        node: {
          ...tagged("y"),
          properties: { x: { const: "y" }, a: { $ref: "#/$defs/any" } },
        },
        any: { oneOf: [{ $ref: "#/$defs/leaf" }, { $ref: "#/$defs/node" }] },
      },
      properties: {
        a: { $ref: "#/$defs/any" },
        b: { not: { anyOf: [tagged("x"), tagged("y")] } },
      },
    },
  },
  {
    name: "alternatives without a tag that contain themselves",
    schema: {
      $defs: {
        l: {
          anyOf: [
            {
              type: "object",
              required: ["a"],
              properties: { a: { $ref: "#/$defs/l" } },
            },
            {
              type: "object",
              required: ["a", "b"],
              properties: { a: { type: "array" }, b: number },
            },
            {
              type: "array",
              items: { anyOf: [{ $ref: "#/$defs/l" }, { minimum: 1 }] },
            },
            text,
          ],
        },
      },
      properties: { x: { $ref: "#/$defs/l" } },
    },
  },
  {
    name: "one",
    schema: { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
  },
  {
    name: "not",
    schema: {
      not: { required: ["a"] },
      properties: { b: { not: { type: ["string", "number"] } } },
    },
  },
  {
    name: "if",
    // Parsed from text, because a linter reports an object with a member
    // "then".
    schema: JSON.parse(
      '{"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["b"]},"else":{"properties":{"b":{"type":"number"}}}}',
    ) as unknown,
  },
  {
    name: "if without then",
    schema: { if: { required: ["a"] }, else: { required: ["b"] } },
  },
  {
    name: "definitions",
    schema: {
      $defs: {
        "a/b": {
          type: "object",
          properties: { x: { $ref: "#/$defs/a~1b" } },
          required: ["y"],
        },
      },
      properties: { a: { $ref: "#/$defs/a~1b" } },
    },
  },
  {
    name: "the root again",
    schema: {
      type: "object",
      properties: {
        a: { $ref: "#" },
        b: { type: "array", items: { $ref: "#" } },
      },
    },
  },
  {
    name: "reference beside others",
    schema: {
      $defs: { t: text },
      properties: { a: { $ref: "#/$defs/t", minLength: 2 } },
    },
  },
  {
    name: "reference into the middle",
    schema: {
      properties: {
        a: { type: "object", properties: { x: text } },
        b: { $ref: "#/properties/a/properties/x" },
      },
    },
  },
  {
    name: "anchor",
    schema: {
      $defs: { t: { $anchor: "here", type: "number" } },
      properties: { a: { $ref: "#here" } },
    },
  },
  {
    name: "two that contain each other",
    schema: {
      $defs: {
        l: { anyOf: [text, { type: "array", items: { $ref: "#/$defs/r" } }] },
        r: { type: "object", additionalProperties: { $ref: "#/$defs/l" } },
      },
      properties: { a: { $ref: "#/$defs/l" }, b: { $ref: "#/$defs/r" } },
    },
  },
  {
    name: "a filter that contains itself",
    schema: {
      $defs: {
        f: {
          oneOf: [
            { type: "string" },
            {
              required: ["a"],
              properties: {
                a: { type: "array", items: { $ref: "#/$defs/f" } },
              },
            },
            { required: ["b"], properties: { b: { $ref: "#/$defs/f" } } },
          ],
        },
      },
      properties: { x: { $ref: "#/$defs/f" } },
    },
  },
  {
    name: "not, if and contains on what contains itself",
    // Parsed from text, as above.
    schema: JSON.parse(
      '{"properties":{"a":{"not":{"$ref":"#"}},"b":{"contains":{"$ref":"#"},"maxContains":1},"x":{"if":{"$ref":"#"},"then":{"maxProperties":1},"else":{"type":"string"}}},"required":["y"]}',
    ) as unknown,
  },
  {
    name: "conditions on what is left unchecked",
    schema: JSON.parse(
      '{"$defs":{"p":{"properties":{"b":{"pattern":"^(x+)+$"}}}},"properties":{"a":{"not":{"$ref":"#/$defs/p"}},"b":{"oneOf":[{"$ref":"#/$defs/p"},{"type":"number"},true]},"x":{"contains":{"$ref":"#/$defs/p"},"maxContains":1},"y":{"if":{"$ref":"#/$defs/p"},"then":false,"else":{"required":["a"]}}}}',
    ) as unknown,
    reports: ["MG307", "MG308", "MG308", "MG308", "MG308"],
  },
  {
    name: "unevaluated",
    schema: {
      allOf: [{ properties: { a: text } }],
      properties: { b: number },
      unevaluatedProperties: false,
    },
  },
  {
    name: "unevaluated items",
    schema: {
      properties: {
        a: { allOf: [{ prefixItems: [text] }], unevaluatedItems: number },
      },
    },
  },
  {
    name: "unevaluated that depends",
    schema: {
      anyOf: [{ properties: { a: text } }, { properties: { b: text } }],
      unevaluatedProperties: false,
    },
    reports: ["MG308"],
  },
  {
    name: "keywords of other types",
    schema: {
      properties: {
        a: { type: "string", minimum: 3, items: text, required: ["x"] },
      },
    },
  },
  {
    name: "keywords without a type",
    schema: {
      properties: {
        a: { minimum: 1, minLength: 2, minItems: 1, minProperties: 1 },
      },
    },
  },
  {
    name: "old tuple",
    isOld: true,
    schema: {
      $schema: old,
      properties: { a: { items: [text, number], additionalItems: false } },
    },
  },
  {
    name: "old dependencies",
    isOld: true,
    schema: {
      $schema: old,
      dependencies: { a: ["b"], x: { required: ["y"] } },
    },
  },
  {
    name: "old reference beside others",
    isOld: true,
    // Draft-07 ignores keywords beside $ref; Ajv does not.
    isWider: true,
    schema: {
      $schema: old,
      definitions: { t: text },
      properties: { a: { $ref: "#/definitions/t", minLength: 5 } },
    },
  },
];
