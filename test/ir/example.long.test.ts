import { Ajv, type AnySchemaObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../src/generator/ir/example/pattern.js";
import {
  exampleOf,
  exampleOfType,
} from "../../src/generator/ir/example/example.js";
import { index } from "../../src/generator/ir/lookup.js";
import {
  accepts,
  validationOf,
} from "../../src/generator/ir/constraint/accepts.js";
import type { Json } from "../../src/generator/ir/snapshot/model.js";
import { correctedSchema, pointerTo, revisions } from "../oracle/index.js";
import { fixture, revision, snapshotOf } from "../stubs/project.js";
import { samples } from "../stubs/schemas.js";
import { validators } from "../view/generated.js";
import { parseSnapshot } from "../docs/making.js";

const options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
} as const;

describe("the example of a type of the protocol", () => {
  it.each(revisions)(
    "exists for every type of %s and is accepted by its validator and by Ajv",
    async (name) => {
      const protocol = await revision(name);
      const declarations = index(protocol);
      const guards = await validators(protocol);
      const ajv = name < "2025-11-25" ? new Ajv(options) : new Ajv2020(options);
      ajv.addSchema(correctedSchema(name) as AnySchemaObject, "official");
      const types = [...declarations.values()].filter(
        ({ kind }) => kind !== "constant",
      );
      const refused: string[] = [];
      for (const { name: type } of types) {
        const value = exampleOfType(declarations, type, type);
        const guard = guards.get(type)?.guard;
        if (guard === undefined) throw new Error(`no guard for ${type}`);
        if (value === undefined || !guard(value))
          refused.push(`${type}: ${JSON.stringify(value)}`);
        const check = ajv.getSchema(`official${pointerTo(name, type)}`);
        if (check !== undefined && check(value) !== true)
          refused.push(`${type} by Ajv: ${JSON.stringify(check.errors)}`);
      }
      expect(types.length).toBeGreaterThan(70);
      expect(refused).toEqual([]);
    },
  );
});

describe("the example of a tool's schema", () => {
  it("exists for each construct that tools use and is accepted by Ajv", async () => {
    const tools = samples.map(({ schema }, i) => ({
      name: `s${i}`,
      inputSchema: schema,
    }));
    const snapshot = await parseSnapshot(snapshotOf({ tools }));
    const definitions = new Map(
      snapshot.definitions.map((definition) => [definition.key, definition]),
    );
    const missing: string[] = [];
    const refused: string[] = [];
    for (const [
      i,
      { name, schema, isOld, reports = [] },
    ] of samples.entries()) {
      const definition = definitions.get(`tool s${i} input`);
      if (definition === undefined) throw new Error(name);
      const value = exampleOf(definition.schema, { definitions, name: "" });
      if (value === undefined) missing.push(name);
      // Ajv may reject an example if mcpgen does not check a keyword of the
      // schema.
      else if (
        reports.length === 0 &&
        isOld !== true &&
        !new Ajv2020(options).validate(schema as AnySchemaObject, value)
      )
        refused.push(`${name}: ${JSON.stringify(value)}`);
    }
    expect(missing).toEqual([]);
    expect(refused).toEqual([]);
  });

  it("includes the optional members on the first level", async () => {
    const { definitions } = await parseSnapshot(fixture("weather"));
    const byKey = new Map(
      definitions.map((definition) => [definition.key, definition]),
    );
    const examples = [
      "tool get_weather input",
      "tool warn input",
      "prompt packing_list input",
    ].map((key) =>
      exampleOf(
        byKey.get(key)?.schema ?? { doc: { text: "", tags: [] }, checks: [] },
        {
          definitions: byKey,
          name: "",
        },
      ),
    );
    expect(examples).toEqual([
      { location: "location", units: "metric" },
      { level: 1, region: { code: "AA-1" } },
      { destination: "destination", days: "days" },
    ]);
  });

  it.each([
    ["^[A-Z]{2}-[0-9]{1,3}$", "AA-1"],
    ["^(?:red|green)$", "red"],
    ["^\\d{4}-\\d{2}$", "1111-11"],
    ["^#[0-9a-fA-F]{6}$", "#aaaaaa"],
    ["^\\p{Lu}\\w+$", "Aa"],
    ["^[^a-y]*z?$", ""],
  ])("has a text that matches the pattern %s: %j", (source, text) => {
    expect(sampleOf(source)).toBe(text);
    expect(new RegExp(source, "u").test(text)).toBe(true);
  });

  it.each(["(?=b)a{3000}", "x{5000}", "[^\\s\\S]"])(
    "has no text for the pattern %s, which is too long or matches nothing",
    (source) => {
      expect(sampleOf(source)).toBeNull();
    },
  );
});

describe("the check whether a value matches a schema", () => {
  it("has the same result as Ajv", async () => {
    const sound = samples.filter(
      ({ reports = [], isOld, isWider }) =>
        reports.length === 0 && isOld !== true && isWider !== true,
    );
    const tools = sound.map(({ schema }, i) => ({
      name: `s${i}`,
      inputSchema: schema,
    }));
    const { definitions } = await parseSnapshot(snapshotOf({ tools }));
    const byKey = new Map(
      definitions.map((definition) => [definition.key, definition]),
    );
    expect(sound.length).toBeGreaterThan(30);
    for (const [i, { name, schema }] of sound.entries()) {
      const check = new Ajv2020(options).compile(schema as AnySchemaObject);
      const definition = byKey.get(`tool s${i} input`);
      if (definition === undefined) throw new Error(name);
      const leaf = fc.constantFrom<unknown>(
        null,
        true,
        "",
        "x",
        "y",
        "abc",
        0,
        1,
        2.5,
        -3,
        [],
        {},
      );
      const value = fc.oneof(
        leaf,
        fc.array(leaf, { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c", "x"), leaf),
      );
      fc.assert(
        fc.property(value, (sample) => {
          const isAccepted = accepts(
            validationOf(byKey, 10_000),
            definition.schema,
            sample as Json,
          );
          if (isAccepted !== check(sample))
            throw new Error(
              `${name}: ${JSON.stringify(sample)}: ${isAccepted}`,
            );
        }),
        { numRuns: 200 },
      );
    }
  });
});
