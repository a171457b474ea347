import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readSchema } from "../../src/api.js";
import {
  accepts,
  validationOf,
} from "../../src/generator/ir/constraint/accepts.js";
import { reference } from "../../src/generator/ir/constraint/form.js";
import { definitionsOf } from "../../src/generator/ir/definitions.js";
import { exampleOf } from "../../src/generator/ir/example/example.js";
import type { Json } from "../../src/generator/ir/json.js";
import { index, namesIn, reachable } from "../../src/generator/ir/lookup.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { serialize } from "../../src/generator/ir/serialize.js";
import { runs, sampled } from "../whole.js";
import document from "../../src/generator/ir/schema.json" with { type: "json" };
import { read } from "../read/json/reading.js";
import { revisions } from "../read/typescript/reading.js";
import { samples } from "../stubs/schemas.js";
import { mutant } from "../vectors/mutate.js";
import { Random } from "../vectors/random.js";
import { protocolOf } from "./made.js";

const madeUp = [
  "test/fixtures/made-up/schema.ts",
  "test/fixtures/2024-10-07-alike/schema.ts",
  "test/made-up/schema/lantern-2.ts",
  "test/made-up/schema/outline-1.ts",
];

/**
 * The bundled revisions, those that nobody has released, and revisions with
 * extensions.
 */
let protocols: readonly Protocol[];

beforeAll(async () => {
  protocols = await Promise.all([
    ...(await revisions()),
    ...madeUp.map((path) => readSchema(path)),
    readSchema("2026-07-28", { extensions: ["tasks", "skills"] }),
    readSchema("2026-07-28", {
      extensions: ["./errands.ts", "./gallery.ts"],
      directory: "test/made-up/schema",
    }),
  ]);
});

/** The value as JSON can hold it. */
function jsonValue(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? "null") as Json;
}

/** Ajv over a file as it is. */
function validatorIn(text: string): (name: string, value: Json) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    validateFormats: false,
    ownProperties: true,
  });
  ajv.addSchema(JSON.parse(text) as object, "ir");
  return (name, value) => {
    const validate = ajv.getSchema(`ir#/$defs/${encodeURIComponent(name)}`);
    if (validate === undefined) throw new Error(`the file has no ${name}`);
    return validate(value) === true;
  };
}

describe("the file of a protocol", () => {
  it("has all that the protocol says beside its declarations", () => {
    expect(protocols.length).toBeGreaterThan(10);
    for (const { declarations, format, messages, ...facts } of protocols) {
      const file = JSON.parse(
        serialize({ declarations, format, messages, ...facts }),
      ) as typeof facts & {
        readonly messages: Protocol["messages"];
        readonly $defs: object;
      };
      expect(file).toMatchObject(facts);
      const withoutSchema = ({
        params,
        ...message
      }: Protocol["messages"][number]): object => ({
        ...message,
        params: { ...params, schema: params.schema === null },
      });
      expect(file.messages.map(withoutSchema)).toEqual(
        messages.map(withoutSchema),
      );
      expect(Object.keys(file.$defs).sort()).toEqual(
        declarations.map(({ name }) => name).sort(),
      );
    }
  });

  it("has its members in the order of the JSON Schema of the representation", () => {
    for (const protocol of protocols) {
      const members = Object.keys(JSON.parse(serialize(protocol)) as object);
      expect(members).toEqual(Object.keys(document.properties));
    }
  });

  it("is indented by two spaces, begins with the format and ends with a newline", () => {
    const [oldest] = protocols;
    const text = serialize(oldest as Protocol);
    expect(text).toMatch(
      /^\{\n {2}"\$schema": "https:\/\/json-schema.org\/draft\/2020-12\/schema",\n {2}"mcpgen:format": 2,\n {2}"revision": "2024-11-05",\n/,
    );
    expect(text.endsWith("\n}\n")).toBe(true);
  });

  it("has what JSON Schema does not express in keywords of mcpgen", async () => {
    const protocol = await protocolOf(`
      export const TOO_MANY = -32050;
      export interface Base { a: string; /** @minimum 1 */ b?: number }
      export interface Other { /** A place.
       * @format uri */ c: string }
      /** Both.
       * @deprecated
       */
      export interface Both extends Base, Omit<Other, "c"> { code: typeof TOO_MANY; none?: never }
      /**
       * @deprecated since ever
       * @internal
       */
      export type Mode = "fast" | string;`);
    const { $defs } = JSON.parse(serialize(protocol)) as {
      $defs: Record<string, unknown>;
    };
    expect($defs).toEqual({
      TOO_MANY: { "mcpgen:kind": "constant", const: -32050 },
      Base: {
        "mcpgen:kind": "interface",
        type: "object",
        required: ["a"],
        properties: {
          a: { type: "string" },
          b: {
            "mcpgen:tags": [{ name: "minimum", text: "1" }],
            type: "number",
            minimum: 1,
          },
        },
      },
      Other: {
        "mcpgen:kind": "interface",
        type: "object",
        required: ["c"],
        properties: {
          c: {
            description: "A place.",
            "mcpgen:tags": [{ name: "format", text: "uri" }],
            type: "string",
            format: "uri",
          },
        },
      },
      Both: {
        "mcpgen:kind": "interface",
        "mcpgen:bases": [
          { name: "Base", omit: [] },
          { name: "Other", omit: ["c"] },
        ],
        description: "Both.",
        deprecated: true,
        type: "object",
        required: ["code"],
        properties: {
          code: { const: -32050, "mcpgen:constant": "TOO_MANY" },
          none: false,
        },
        allOf: [{ $ref: "#/$defs/Base" }],
      },
      Mode: {
        "mcpgen:kind": "alias",
        deprecated: true,
        "mcpgen:tags": [
          { name: "deprecated", text: "since ever" },
          { name: "internal", text: "" },
        ],
        anyOf: [{ const: "fast" }, { type: "string" }],
      },
    });
  });
});

describe("the file of a protocol as JSON Schema", () => {
  it("accepts and rejects in Ajv the values that the protocol accepts and rejects", () => {
    const random = new Random(20_260_728);
    const [oldest, newest] = [protocols[0], protocols.at(-1)];
    for (const protocol of sampled(
      protocols,
      (one) => one === oldest || one === newest,
    )) {
      const declarations = index(protocol);
      const definitions = definitionsOf(declarations);
      const isValid = validatorIn(serialize(protocol));
      const counts = { valid: 0, invalid: 0 };
      const next = (name: string): string[] =>
        namesIn(declarations.get(name) ?? { schema: reference(name) });
      for (const [name, { schema }] of definitions) {
        // JSON Schema has no means to leave out members.
        const isLooser = [...reachable([name], next)].some((each) =>
          declarations.get(each)?.bases.some(({ omit }) => omit.length > 0),
        );
        const example = exampleOf(schema, {
          definitions,
          name,
          includes: (_, depth) => depth < 3,
        });
        if (example === undefined) throw new Error(`no example of ${name}`);
        const words = [name, "complete", "text", "_meta"];
        const mutants = Array.from({ length: runs(8) }, () =>
          jsonValue(mutant(example, random, words)),
        );
        for (const value of [example, {}, null, ...mutants]) {
          // The limits of `accepts` are lower than those of Ajv.
          if (/(\[|\{"value":){20}/.test(JSON.stringify(value))) continue;
          const isAccepted = accepts(
            validationOf(definitions, 100_000),
            schema,
            value,
          );
          const inFile = isValid(name, value);
          if (isLooser && inFile) continue;
          expect(
            inFile,
            `${protocol.revision} ${name} ${JSON.stringify(value)}`,
          ).toBe(isAccepted);
          counts[isAccepted ? "valid" : "invalid"] += 1;
        }
      }
      expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(50);
    }
  });
});

describe("the file of a revision that was read from schema.json", () => {
  const inner: readonly Json[] = [
    null,
    1,
    3,
    "x",
    "abc",
    ["x"],
    { x: "x" },
    { x: "y", b: "b" },
  ];
  const objects = inner.flatMap((value) => [
    { a: value },
    { b: value },
    { a: value, b: 1 },
    { x: value, y: 2 },
  ]);
  const values: readonly Json[] = [
    true,
    -1,
    0.5,
    2,
    "",
    "y",
    [],
    [1, 1],
    ["x", 2, null],
    {},
    ...inner,
    ...objects,
  ];
  const dialect = "https://json-schema.org/draft/2020-12/schema";

  /**
   * A revision with the schema as `Sample`; null if no revision can have it.
   */
  function protocolWith(schema: object): Protocol | null {
    const {
      $schema = dialect,
      $defs,
      definitions,
      ...own
    } = schema as Readonly<Record<string, object>>;
    return read(
      JSON.stringify({
        $schema,
        $defs: { ...$defs, Sample: own },
        definitions,
      }),
    ).protocol;
  }

  /** Compares what the protocol accepts with what Ajv accepts by its file. */
  function expectSameValues(protocol: Protocol): void {
    const isValid = validatorIn(serialize(protocol));
    const validation = validationOf(definitionsOf(index(protocol)), 100_000);
    const accepted = values.filter((value) =>
      accepts(validation, reference("Sample"), value),
    );
    expect(values.filter((value) => isValid("Sample", value))).toEqual(
      accepted,
    );
  }

  const ofRevisions = samples.filter(
    ({ schema }) => protocolWith(schema as object) !== null,
  );

  it("is tested with most constructs that schemas use", () => {
    expect(ofRevisions.length).toBeGreaterThan(60);
  });

  it.each(ofRevisions)(
    "has all that the schema says and no more: $name",
    ({ schema }) => {
      expectSameValues(protocolWith(schema as object) as Protocol);
    },
  );

  it("has the conditions of random schemas", () => {
    const some = fc.subarray(
      ofRevisions.map(({ schema }) => schema as object),
      { minLength: 1, maxLength: 3 },
    );
    const schemas = fc.tuple(
      some,
      some,
      fc.constantFrom("properties", "anyOf", "allOf", "items"),
    );
    let count = 0;
    fc.assert(
      fc.property(schemas, ([outer, inner, keyword]) => {
        const { $defs, ...part } = Object.assign({}, ...inner) as {
          $defs?: object;
        };
        const place = {
          properties: { a: part, b: true },
          anyOf: [part, { maxProperties: 1 }],
          allOf: [part],
          items: part,
        };
        const own = Object.assign({}, ...outer, {
          [keyword]: place[keyword],
        }) as { $defs?: object };
        const protocol = protocolWith({
          ...own,
          $schema: dialect,
          $defs: { ...$defs, ...own.$defs },
        });
        if (protocol === null) return;
        count += 1;
        expectSameValues(protocol);
      }),
      { numRuns: runs(50) },
    );
    expect(count).toBeGreaterThan(runs(20));
  });

  it("has annotations as keywords, and conditions that are not checked in a list", () => {
    const annotations = {
      title: "A sample.",
      format: "uri",
      default: { a: [1] },
      "x-own": 7,
    };
    const schema = { type: "string", pattern: "^(x+)+$", ...annotations };
    const protocol = protocolWith(schema) as Protocol;
    const text = serialize(protocol);
    const { $defs } = JSON.parse(text) as { readonly $defs: object };
    const unchecked = [{ keyword: "pattern", value: "^(x+)+$" }];
    expect($defs).toEqual({
      Sample: {
        "mcpgen:kind": "alias",
        type: "string",
        ...annotations,
        "mcpgen:unchecked": unchecked,
      },
    });
  });

  it("has references to declarations with any name", () => {
    const names = [
      "a b",
      "a/b",
      "a~b",
      "50%",
      "%41",
      "é",
      "#",
      "?",
      "7",
      '"',
      "a<b>",
      "__proto__",
      "toString",
    ];
    const $defs = Object.fromEntries(
      names.map((name, i) => [name, { const: i }]),
    );
    const properties = Object.fromEntries(
      names.map((name) => [
        name,
        {
          $ref: `#/$defs/${encodeURIComponent(name.replace("~", "~0").replace("/", "~1"))}`,
        },
      ]),
    );
    const { protocol } = read(
      JSON.stringify({
        $defs: { ...$defs, Sample: { type: "object", properties } },
      }),
    );
    const text = serialize(protocol as Protocol);
    const isValid = validatorIn(text);
    for (const [i, name] of names.entries()) {
      // Ajv ignores a member with this name.
      if (name === "__proto__") continue;
      expect(isValid("Sample", Object.fromEntries([[name, i]])), name).toBe(
        true,
      );
      expect(
        isValid("Sample", Object.fromEntries([[name, "other"]])),
        name,
      ).toBe(false);
    }
  });
});
