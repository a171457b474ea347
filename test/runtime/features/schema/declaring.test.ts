import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tools } from "@mcpgen/runtime/features";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { checkOf } from "../../../../src/runtime/features/schema.js";
import { checkDocument } from "../../../../src/runtime/features/document.js";
import type { Json } from "../../kit/index.js";
import { define, object } from "./kit.js";
import { runs } from "../../../whole.js";

describe("a schema that is invalid in its dialect", () => {
  const draft07 = "http://json-schema.org/draft-07/schema#";
  /** The keywords that draft-07 does not have. */
  const newer = new Set(
    "prefixItems unevaluatedItems unevaluatedProperties dependentSchemas dependentRequired minContains maxContains $anchor $dynamicRef $dynamicAnchor $defs contentSchema deprecated".split(
      " ",
    ),
  );
  it.each([
    [
      "an unknown type",
      { properties: { a: { type: "strang" } } },
      "type: expected one of string,",
    ],
    [
      "required that is not a list",
      { required: 7 },
      "required: expected a list of distinct names, got 7.",
    ],
    [
      "an invalid pattern",
      { properties: { a: { pattern: "(" } } },
      "pattern: expected a regular expression",
    ],
    [
      "a schema that is text",
      { properties: { a: "string" } },
      "properties: expected an object of schemas",
    ],
    [
      "a list of types in items of 2020-12",
      { items: [{ type: "string" }] },
      "items: expected a schema",
    ],
    [
      "an empty anyOf",
      { $schema: draft07, anyOf: [] },
      "anyOf: expected a list of at least one schema, got [].",
    ],
    [
      "an empty enum",
      { properties: { a: { enum: [] } } },
      "enum: expected a list of at least one value, got [].",
    ],
  ])(
    "is rejected when the tool is declared, as an input and as an output schema: %s (SCHEMA-06)",
    (_, members, words) => {
      expect(define(object(members as never))).toThrow(
        `The tool "t": inputSchema: ${words}`,
      );
      const outputSchema = object(members as never);
      expect(() =>
        tools([{ name: "t", outputSchema, handler: () => ({}) }]),
      ).toThrow(`The tool "t": outputSchema: ${words}`);
    },
  );

  const expected = {
    type: "one of string, number, integer, boolean, array, object, null, or a list of them",
    schema: "a schema",
    schemas: "a list of at least one schema",
    table: "an object of schemas",
    lists: "an object of lists of names",
    mixed: "an object of schemas or lists of names",
    items: "a schema, or in draft-07 a list of them",
    names: "a list of distinct names",
    values: "a list of at least one value",
    count: "an integer of at least 0",
    flag: "true or false",
    text: "a string",
    name: "a name",
    id: "a URI without a fragment",
    pattern: "a regular expression",
  };
  /** Values of keywords, and what is expected instead; nothing for a good one. */
  const values: readonly (readonly [
    keyword: string,
    value: unknown,
    fault?: string | undefined,
    $schema?: string,
  ])[] = [
    ["type", [], expected.type],
    ["type", ["string", "string"], expected.type],
    ["type", ["string", "strang"], expected.type],
    ["type", ["strang", "string"], expected.type],
    ["type", ["string", "null"]],
    ["required", "a", expected.names],
    ["required", ["a", 1], expected.names],
    ["required", [1, "a"], expected.names],
    ["required", ["a", "b", "a"], expected.names],
    ["required", []],
    ["not", [], expected.schema],
    ["not", true],
    ["anyOf", {}, expected.schemas],
    ["anyOf", [], expected.schemas],
    ["anyOf", [{}, 7], expected.schemas],
    ["anyOf", [7, {}], expected.schemas],
    ["anyOf", [true]],
    ["properties", [], expected.table],
    ["properties", { a: {}, b: 7 }, expected.table],
    ["properties", { a: 7, b: {} }, expected.table],
    ["properties", {}],
    ["items", [{}], expected.items],
    ["items", true],
    ["items", [{}], undefined, draft07],
    ["items", [], expected.items, draft07],
    ["items", {}, undefined, draft07],
    ["dependencies", { a: {}, b: ["c"] }],
    ["dependencies", { a: {}, b: [1] }, expected.mixed],
    ["dependentRequired", { a: ["b"], c: {} }, expected.lists],
    ["dependentRequired", { a: ["b"], c: {} }, undefined, draft07],
    ["examples", {}, "a list"],
    ["examples", []],
    ["enum", 7, expected.values],
    ["enum", [], expected.values],
    ["enum", [1, 1]],
    [
      "enum",
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      expected.values,
      draft07,
    ],
    ["enum", [1, "1"], undefined, draft07],
    ["minimum", "1", "a number"],
    ["minimum", -1.5],
    ["multipleOf", 0, "a number above 0"],
    ["multipleOf", "1", "a number above 0"],
    ["multipleOf", 0.01],
    ["minLength", -1, expected.count],
    ["minLength", 1.5, expected.count],
    ["minLength", "1", expected.count],
    ["minLength", 0],
    ["uniqueItems", 1, expected.flag],
    ["uniqueItems", false],
    ["title", 7, expected.text],
    ["$id", 7, expected.id],
    ["$id", "a#b", expected.id],
    ["$id", "a#"],
    ["$id", "#b", undefined, draft07],
    ["$id", 7, expected.id, draft07],
    ["$anchor", true, expected.name],
    ["$anchor", "1a", expected.name],
    ["$anchor", "a b", expected.name],
    ["$anchor", "_a-1.b"],
    ["pattern", 7, expected.pattern],
    ["pattern", "[", expected.pattern],
    ["pattern", "\\-", expected.pattern],
    ["pattern", ""],
    ["additionalItems", 7],
    ["additionalItems", 7, expected.schema, draft07],
    ["contentSchema", 7, expected.schema],
    ["contentSchema", 7, undefined, draft07],
    ["x-own", 7],
  ];
  const cases = values.map(([keyword, value, fault, $schema]) => ({
    keyword,
    value,
    fault,
    $schema,
  }));
  it.each(cases)(
    "says what is expected, and nothing of a valid one: $keyword as $value",
    ({ keyword, value, fault, $schema }) => {
      const wanted =
        fault &&
        `it: ${keyword}: expected ${fault}, got ${JSON.stringify(value)}.`;
      const schema: Json = { [keyword]: value, ...($schema && { $schema }) };
      let message: string | undefined;
      try {
        checkDocument(schema, "it");
      } catch (error) {
        ({ message } = error as Error);
      }
      expect(message).toBe(wanted);
    },
  );

  it("is described by the first 100 characters of the value", () => {
    const long = { required: "x".repeat(200), type: "object" };
    expect(define(long)).toThrow(
      new TypeError(
        `The tool "t": inputSchema: required: expected a list of distinct names, got "${"x".repeat(99)}.`,
      ),
    );
  });

  it("is named by its pattern if one of several is not a regular expression", () => {
    const patternProperties = { a: {}, "(": {}, b: {} };
    expect(define(object({ patternProperties }))).toThrow(
      new TypeError(
        'The tool "t": inputSchema: patternProperties: "(" is not a regular expression.',
      ),
    );
  });

  it.each([
    [
      "items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else contentSchema",
      expected.schema,
    ],
    [
      "properties patternProperties $defs definitions dependentSchemas",
      expected.table,
    ],
    ["allOf anyOf oneOf prefixItems", expected.schemas],
    ["dependencies", expected.mixed],
    ["dependentRequired", expected.lists],
    ["type", expected.type],
    ["required", expected.names],
    ["examples", "a list"],
    ["enum", expected.values],
    ["minimum maximum exclusiveMinimum exclusiveMaximum", "a number"],
    ["multipleOf", "a number above 0"],
    [
      "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
      expected.count,
    ],
    ["uniqueItems deprecated readOnly writeOnly", expected.flag],
    [
      "$ref $dynamicRef $comment title description format contentEncoding contentMediaType",
      expected.text,
    ],
    ["$id", expected.id],
    ["$anchor $dynamicAnchor", expected.name],
    ["pattern", expected.pattern],
  ])("is one with null for any of the keywords %s: %s", (keywords, wanted) => {
    for (const keyword of keywords.split(" ")) {
      const check = (dialect: object): string => {
        try {
          checkDocument({ ...dialect, [keyword]: null }, "it");
          return "valid";
        } catch (error) {
          return (error as Error).message;
        }
      };
      const words = keyword === "items" ? expected.items : wanted;
      const message = `it: ${keyword}: expected ${words}, got null.`;
      expect(check({}), keyword).toBe(
        keyword === "additionalItems" ? "valid" : message,
      );
      expect(check({ $schema: draft07 }), keyword).toBe(
        newer.has(keyword) ? "valid" : message,
      );
    }
  });

  it("is also rejected beside a Standard Schema (SCHEMA-06)", () => {
    const inputSchema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) => ({ value }),
      },
    };
    const inputJsonSchema = object({ properties: { a: { type: "strang" } } });
    expect(() =>
      tools([{ name: "t", inputSchema, inputJsonSchema, handler: () => "" }]),
    ).toThrow('The tool "t": inputSchema: type');
  });

  it("is rejected exactly if Ajv rejects it, over random schemas in both dialects (SCHEMA-06)", () => {
    const names = [
      "type",
      "properties",
      "patternProperties",
      "required",
      "items",
      "prefixItems",
      "additionalItems",
      "anyOf",
      "not",
    ];
    const more = [
      "enum",
      "minimum",
      "multipleOf",
      "maxLength",
      "uniqueItems",
      "dependencies",
      "dependentRequired",
      "dependentSchemas",
    ];
    const rest = [
      "title",
      "$anchor",
      "$comment",
      "contains",
      "minContains",
      "const",
      "default",
      "x-own",
      "if",
      "deprecated",
      "contentSchema",
    ];
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(
          "string",
          "object",
          "a",
          true,
          false,
          0,
          -1,
          2,
          1.5,
          null,
          ["a"],
          ["a", "a"],
          ["string"],
          [],
          {},
        ),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(
          fc.constantFrom(...names, ...more, ...rest),
          tie("value"),
          { maxKeys: 3 },
        ),
      ),
    })).value;
    const schemas = fc.dictionary(
      fc.constantFrom(...names, ...more, ...rest),
      value,
      { maxKeys: 4 },
    );
    const options = {
      strict: false,
      validateFormats: false,
      logger: false,
    } as const;
    const [older, newer] = [new Ajv(options), new Ajv2020(options)];
    const counts = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(schemas, fc.boolean(), (members, isOld) => {
        const oracle = isOld ? older : newer;
        // The standard allows an empty enum, and Ajv compiles none.
        fc.pre(!JSON.stringify(members).includes('"enum":[]'));
        const schema = isOld ? { $schema: draft07, ...members } : members;
        let fault = "";
        try {
          checkDocument(schema, "it");
        } catch (error) {
          fault = (error as Error).message;
        }
        const isValid = oracle.validateSchema(members) === true;
        counts[isValid ? "valid" : "invalid"] += 1;
        expect(fault === "", `${JSON.stringify(schema)} ${fault}`).toBe(
          isValid,
        );
      }),
      { numRuns: runs(1500), seed: 7 },
    );
    expect(counts.valid).toBeGreaterThan(runs(100));
    expect(counts.invalid).toBeGreaterThan(runs(100));
  });
});

describe("a plain JSON Schema", () => {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-no-ajv-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const runtime = fileURLToPath(
    new URL("../../../../src/runtime/", import.meta.url),
  );

  /**
   * Runs a bundle that declares one tool. Packages in `external` are not in the
   * bundle.
   */
  const declare = async (
    inputSchema: string,
    external: readonly string[],
  ): Promise<{ out: string; errors: string }> => {
    const outfile = join(folder, "program.mjs");
    const contents = `import { tools } from "${runtime}features.ts";
      const standard = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } };
      tools([{ name: "t", inputSchema: ${inputSchema}, inputJsonSchema: { type: "object" }, handler: () => "" }]);
      console.log("declared");`;
    await build({
      stdin: { contents, resolveDir: runtime },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "error",
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
      external: [...external],
    });
    const { stdout, stderr } = spawnSync(process.execPath, [outfile], {
      encoding: "utf8",
      cwd: folder,
    });
    return { out: stdout, errors: stderr };
  };

  it("throws when the tool is declared if Ajv is not installed, with the name of the package", async () => {
    const { out, errors } = await declare('{ type: "object" }', [
      "ajv",
      "ajv/*",
    ]);
    expect(out).toBe("");
    expect(errors).toContain(
      'The tool "t": inputSchema: a plain JSON Schema needs the package ajv',
    );
    expect(errors).toContain("Install ajv@8, or use a Standard Schema");
  });

  it("works without an installed package if the bundle contains Ajv, as a Standard Schema does", async () => {
    expect(await declare('{ type: "object" }', [])).toEqual({
      out: "declared\n",
      errors: "",
    });
    expect(await declare("standard", ["ajv", "ajv/*"])).toEqual({
      out: "declared\n",
      errors: "",
    });
  });

  it("does not match a value that is too deep to be checked (SCHEMA-04)", async () => {
    const check = checkOf({ type: "array", items: { $ref: "#" } }, "it");
    const nested = (depth: number): unknown =>
      JSON.parse("[".repeat(depth) + "]".repeat(depth));
    expect(await check(nested(100))).toHaveProperty("value");
    expect(await check(nested(100_000))).toEqual({
      issues: ["the value is nested too deeply"],
    });
  });

  it("looks at each item of a list with uniqueItems a bounded number of times", async () => {
    let reads = 0;
    const items = Array.from({ length: 2000 }, (_, i) =>
      Object.defineProperty({}, "a", {
        enumerable: true,
        get: () => (reads++, { n: i }),
      }),
    );
    const check = checkOf({ type: "array", uniqueItems: true }, "it");
    expect((await check(items)).issues).toBeUndefined();
    expect(reads).toBeLessThan(items.length * 10);
    expect(await check([...items, items[7]])).toEqual({
      issues: ["must NOT have duplicate items"],
    });
  });

  it("compares items of a list with uniqueItems by their members in any order, and values by their type", async () => {
    const check = checkOf({ type: "array", uniqueItems: true }, "it");
    expect(
      await check([1, "1", [1], { a: 1, b: 2 }, null, false, 0]),
    ).toHaveProperty("value");
    const twice = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ];
    expect((await check(twice)).issues).toHaveLength(1);
  });
});
