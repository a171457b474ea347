import { describe, expect, it } from "vitest";
import { readText, snapshotOf } from "../../stubs/project.js";

/** What is reported about the references of a tool's schema. */
async function reportsOf(inputSchema: object): Promise<readonly (string | null)[][]> {
  const { reports } = await readText(snapshotOf({ tools: [{ name: "t", inputSchema }] }));
  return reports.map(({ code, hint }) => [code, hint ?? null]);
}

describe("a reference of a tool's schema", () => {
  it.each([
    ["a/b", "#/$defs/a/b", "#/$defs/a~1b"],
    ["a~b", "#/$defs/a~b", "#/$defs/a~0b"],
    ["a%b", "#/$defs/a%b", "#/$defs/a%25b"],
    ["item", "#/$defs/itme", "#/$defs/item"],
  ])("to the definition %s is suggested as it must be written, for %s", async (name, $ref, right) => {
    const schema = (ref: string): object => ({
      type: "object",
      properties: { x: { $ref: ref } },
      $defs: { [name]: { type: "string" } },
    });
    expect(await reportsOf(schema($ref))).toEqual([["MG306", `did you mean "${right}"?`]]);
    expect(await reportsOf(schema(right))).toEqual([]);
  });

  it("is not suggested in place of itself", async () => {
    const inner = { $id: "https://example.com/inner", $ref: "#/$defs/item" };
    const schema = { type: "object", properties: { x: inner }, $defs: { item: {} } };
    expect(await reportsOf(schema)).toEqual([["MG306", null]]);
  });

  it.each([
    ["https://example.com/schemas/tool.json", "https://example.com/schemas/tool.json#/$defs/item"],
    ["https://example.com/schemas/tool.json", "tool.json#/$defs/item"],
    ["https://example.com/schemas/tool.json#", "/schemas/tool.json#item"],
    ["urn:example:tool", "urn:example:tool#/$defs/item"],
    ["tool.json", "tool.json#/$defs/item"],
  ])("is followed if it starts with the schema's own identifier: %s, %s", async ($id, $ref) => {
    const item = { $anchor: "item", type: "string" };
    const schema = { $id, type: "object", properties: { x: { $ref }, y: { $ref: $id } }, $defs: { item } };
    expect(await reportsOf(schema)).toEqual([]);
    const { snapshot } = await readText(snapshotOf({ tools: [{ name: "t", inputSchema: schema }] }));
    expect(snapshot?.definitions.map(({ key }) => key)).toEqual(["tool t input", "tool t input/$defs/item"]);
  });

  it("leads out of the schema if it starts with another identifier", async () => {
    const schema = {
      $id: "https://example.com/a.json",
      type: "object",
      properties: { x: { $ref: "b.json#/$defs/c" } },
    };
    expect(await reportsOf(schema)).toEqual([["MG306", null]]);
  });
});
