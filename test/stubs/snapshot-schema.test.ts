import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { snapshotMembers } from "../../src/generator/read/snapshot/index.js";
import { fixture, readText, snapshotOf } from "./project.js";

const schema = JSON.parse(
  readFileSync("src/generator/ir/snapshot/snapshot.schema.json", "utf8"),
) as {
  readonly properties: object;
};
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  schema,
);

describe("the JSON Schema of snapshots", () => {
  it("is published as snapshot.schema.json of the package", async () => {
    const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
      exports: Record<string, string>;
    };
    const published = readFileSync(
      exports["./snapshot.schema.json"] ?? "",
      "utf8",
    );
    expect(JSON.parse(published)).toEqual(schema);
  });

  it("has the members of a snapshot in the order in which they are written", () => {
    expect(Object.keys(schema.properties)).toEqual([
      "$schema",
      ...snapshotMembers,
    ]);
  });

  it("accepts every snapshot in the fixtures, also with a member $schema", () => {
    for (const name of readdirSync("test/fixtures/snapshots")) {
      const text = fixture(name.replace(/\.mcp\.json$/, ""));
      validate({ $schema: "x", ...(JSON.parse(text) as object) });
      expect(validate.errors).toBeNull();
    }
  });

  it.each([
    { format: undefined },
    { revision: undefined },
    { capabilities: undefined },
  ])("accepts a file that the reader accepts: %j", async (members) => {
    const text = snapshotOf(members);
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
    expect((await readText(text)).snapshot).not.toBeNull();
  });

  it.each([
    { format: 2 },
    { revision: 5 },
    { server: undefined },
    { server: [] },
    { capabilities: true },
    { instructions: {} },
    { toolz: [] },
    { tools: {} },
    { tools: [{ name: "a" }] },
    { tools: [{ inputSchema: {} }] },
    { tools: [null] },
    { prompts: [{ name: 5 }] },
    { resources: [{ name: "a" }] },
    { resourceTemplates: [{ uriTemplate: "x:{a}" }] },
  ])("rejects a snapshot that the reader rejects: %j", async (members) => {
    const text = snapshotOf(members);
    expect(validate(JSON.parse(text))).toBe(false);
    expect((await readText(text)).snapshot).toBeNull();
  });
});
