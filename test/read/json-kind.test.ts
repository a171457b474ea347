import { describe, expect, it } from "vitest";
import { kindOfJson } from "../../src/generator/read/json-kind.js";
import { Diagnostics, type Scope } from "../../src/generator/diagnostics.js";

const playground = new URL(
  "../../.ci/docs/playground/snapshot.mjs",
  import.meta.url,
);
const { snapshotOf } = (await import(playground.href)) as {
  snapshotOf(text: string, revision: string, scope: Scope): object | null;
};

describe("a JSON value", () => {
  it.each([
    ["snapshot", { format: 1, tools: [] }],
    ["snapshot", { format: 7, tools: null }],
    ["snapshot", { server: { name: "a" }, prompts: [] }],
    ["tools", { tools: [] }],
    ["tools", { jsonrpc: "2.0", id: 1, result: { tools: [] } }],
    ["clients", { mcpServers: {} }],
    ["clients", { servers: {} }],
    ["ir", { format: 1, declarations: [], messages: [] }],
    ["openapi", { openapi: "3.1.0", servers: [], paths: {} }],
    ["openapi", { swagger: "2.0", definitions: {} }],
    ["schema", { $defs: {} }],
    ["schema", { definitions: {} }],
    [null, { type: "string", format: "uri" }],
    [null, { server: {} }],
    [null, []],
    [null, "tools"],
  ])("is told by its members: %s", (kind, value) => {
    expect(kindOfJson(value)).toBe(kind);
  });

  it.each([
    ["a snapshot without a format", { server: {}, tools: [] }, []],
    ["a schema with a format", { type: "string", format: "uri" }, []],
    [
      "an OpenAPI document",
      { openapi: "3.1.0", paths: {} },
      [expect.stringMatching(/^found an OpenAPI document, expected /)],
    ],
  ])(
    "is the same to the playground as to a command: %s",
    (_, value, errors) => {
      const diagnostics = new Diagnostics();
      const snapshot = snapshotOf(
        JSON.stringify(value),
        "2025-11-25",
        diagnostics.root,
      );
      expect(diagnostics.list.map(({ message }) => message)).toEqual(errors);
      expect(snapshot === null).toBe(errors.length > 0);
    },
  );
});
