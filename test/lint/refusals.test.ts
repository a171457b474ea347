import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convertSchema } from "../../src/commands/convert/schema.js";
import {
  defaultProviders,
  profiles,
  providers,
} from "../../src/commands/lint/providers.js";
import { ruleRows } from "../../src/commands/lint/rules.js";
import { lint } from "../../src/commands/lint/lint.js";
import { parseSnapshot } from "../../src/generator/inputs/snapshots.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";
import { root } from "../repository.js";

/**
 * A schema that a provider refused in public, with its own message. `gone` is a
 * pattern of what the text of the schema must not have any more after the
 * conversion; the table of rules does not say it.
 */
interface Refusal {
  readonly provider: string;
  readonly schema: JsonRecord;
  readonly message: string;
  readonly sources: readonly string[];
  readonly gone: string;
}

const corpus = JSON.parse(
  readFileSync(join(root, "test/lint/refusals.json"), "utf8"),
) as readonly Refusal[];

const named = (id: string) => {
  const provider = profiles.find((one) => one.id === id);
  if (provider === undefined) throw new Error(id);
  return provider;
};

/** The errors of `lint` for a tool with this schema. */
async function errorsOf(schema: unknown, id: string): Promise<string[]> {
  const text = JSON.stringify({
    server: { name: "s", version: "1" },
    revision: "2025-11-25",
    tools: [{ name: "a", description: "A.", inputSchema: schema }],
  });
  const snapshot = await parseSnapshot(
    { text, file: "s.mcp.json", name: "s" },
    new Diagnostics(),
  );
  const diagnostics = new Diagnostics();
  lint([snapshot], { providers: [named(id)], budget: null }, diagnostics);
  return diagnostics.list
    .filter(({ severity }) => severity === "error")
    .map(({ code, message, hint }) => `${code} ${message}; ${hint}`);
}

const cases = corpus.map(
  (refusal) => [refusal.provider, refusal.message, refusal] as const,
);

describe("a schema that a provider refused in public", () => {
  it.each(cases)("is an error of lint: %s, %s", async (id, _, { schema }) => {
    expect(await errorsOf(schema, id)).not.toEqual([]);
  });

  it.each(cases)(
    "has nothing of it after the conversion: %s, %s",
    async (id, _, { schema, gone }) => {
      const pattern = new RegExp(gone);
      const shown = (value: JsonRecord): string =>
        JSON.stringify(value, (name, one: unknown) =>
          name === "description" && typeof one === "string" ? "a" : one,
        );
      expect(shown(schema)).toMatch(pattern);
      const converted = convertSchema(schema, named(id)).schema;
      expect(shown(converted)).not.toMatch(pattern);
      expect(await errorsOf(converted, id)).toEqual([]);
    },
  );

  it("has a source for each, and one for each rule with the date and the interface", () => {
    const urls = [
      ...corpus.flatMap(({ sources }) => sources),
      ...ruleRows.flatMap(({ source }) => source),
    ];
    for (const url of urls) expect(new URL(url).protocol).toBe("https:");
    for (const { date, api, source, for: ids } of ruleRows) {
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(api).not.toBe("");
      expect(source.length).toBeGreaterThan(0);
      for (const id of ids) expect(named(id).id).toBe(id);
    }
  });
});

describe("what mcpgen itself writes in place of a schema", () => {
  it.each(providers)("is accepted by $title", async ({ id }) => {
    let deep: object = { type: "string", minLength: 1 };
    for (let i = 0; i < 3000; i++)
      deep = { type: "object", properties: { a: deep } };
    const { schema } = convertSchema(deep as JsonRecord, named(id));
    expect(await errorsOf(schema, id)).toEqual([]);
  });
});

describe("a validator in place of a schema", () => {
  it.each([
    ["zod 3", { _def: { typeName: "ZodObject" }, _cached: null }],
    ["zod 4", { def: { type: "object", shape: {} }, type: "object" }],
    ["Standard Schema", { "~standard": { version: 1, vendor: "valibot" } }],
  ])("is an error that says so: %s", async (_, schema) => {
    const [first] = await errorsOf({ type: "object", ...schema }, "openai");
    expect(first).toBe(
      "MG910 an object of zod or of another library stands in place of a JSON Schema; write its JSON Schema, for example with z.toJSONSchema",
    );
  });

  it("is no schema with a member of such a name", async () => {
    const schema = {
      type: "object",
      properties: { _def: { type: "string" }, def: { type: "string" } },
    };
    for (const id of defaultProviders)
      expect(await errorsOf(schema, id)).toEqual([]);
  });
});
