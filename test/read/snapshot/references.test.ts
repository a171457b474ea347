import { describe, expect, it } from "vitest";
import { readText, snapshotOf } from "../../stubs/project.js";

/** What is reported about the references of a tool's schema. */
async function reportsOf(
  inputSchema: object,
): Promise<readonly (string | null)[][]> {
  const { reports } = await readText(
    snapshotOf({ tools: [{ name: "t", inputSchema }] }),
  );
  return reports.map(({ code, hint }) => [code, hint ?? null]);
}

describe("a reference of a tool's schema", () => {
  it.each([
    ["a/b", "#/$defs/a/b", "#/$defs/a~1b"],
    ["a~b", "#/$defs/a~b", "#/$defs/a~0b"],
    ["a%b", "#/$defs/a%b", "#/$defs/a%25b"],
    ["item", "#/$defs/itme", "#/$defs/item"],
    ["item", "#/definitions/item", "#/$defs/item"],
    ["item", "#/components/schemas/item", "#/$defs/item"],
  ])(
    "to the definition %s is suggested as it must be written, for %s",
    async (name, $ref, right) => {
      const schema = (ref: string): object => ({
        type: "object",
        properties: { x: { $ref: ref } },
        $defs: { [name]: { type: "string" } },
      });
      expect(await reportsOf(schema($ref))).toEqual([
        ["MG306", `did you mean "${right}"?`],
      ]);
      expect(await reportsOf(schema(right))).toEqual([]);
    },
  );

  it("is not suggested in place of itself", async () => {
    const inner = { $id: "https://example.com/inner", $ref: "#/$defs/item" };
    const schema = {
      type: "object",
      properties: { x: inner },
      $defs: { item: {} },
    };
    expect(await reportsOf(schema)).toEqual([["MG306", null]]);
  });

  it.each([
    [
      "https://example.com/schemas/tool.json",
      "https://example.com/schemas/tool.json#/$defs/item",
    ],
    ["https://example.com/schemas/tool.json", "tool.json#/$defs/item"],
    ["https://example.com/schemas/tool.json#", "/schemas/tool.json#item"],
    ["urn:example:tool", "urn:example:tool#/$defs/item"],
    ["tool.json", "tool.json#/$defs/item"],
  ])(
    "is followed if it starts with the schema's own identifier: %s, %s",
    async ($id, $ref) => {
      const item = { $anchor: "item", type: "string" };
      const schema = {
        $id,
        type: "object",
        properties: { x: { $ref }, y: { $ref: $id } },
        $defs: { item },
      };
      expect(await reportsOf(schema)).toEqual([]);
      const { snapshot } = await readText(
        snapshotOf({ tools: [{ name: "t", inputSchema: schema }] }),
      );
      expect(snapshot?.definitions.map(({ key }) => key)).toEqual([
        "tool t input",
        "tool t input/$defs/item",
      ]);
    },
  );

  const text = { type: "string" };
  const node = {
    $id: "Node",
    type: "object",
    properties: {
      name: text,
      children: { type: "array", items: { $ref: "Node" } },
    },
  };

  it.each([
    ["its own schema, as TypeBox writes it", node, "/properties/x"],
    [
      "its own schema by #",
      { ...node, properties: { next: { $ref: "#" } } },
      "/properties/x",
    ],
    [
      "a definition beside it, relative to its identifier",
      {
        $id: "https://example.com/inner/x.json",
        $ref: "#/$defs/item",
        $defs: { item: text },
      },
      "/properties/x/$defs/item",
    ],
    [
      "a definition with an identifier, from another one",
      {
        $id: "a",
        properties: { b: { $ref: "b" } },
        $defs: { b: { $id: "b", properties: { a: { $ref: "a" } } } },
      },
      "/properties/x/$defs/b",
    ],
    [
      "an anchor in a schema with an identifier",
      {
        $id: "a",
        properties: { b: { $ref: "a#here" } },
        $defs: { c: { $anchor: "here" } },
      },
      "/properties/x/$defs/c",
    ],
    [
      "the first of several anchors with one name, in the order of the text",
      {
        $id: "a",
        properties: {
          b: {
            properties: { first: { $anchor: "here" }, c: { $anchor: "here" } },
          },
          d: { $anchor: "here" },
          e: { $ref: "a#here" },
        },
      },
      "/properties/x/properties/b/properties/first",
    ],
    [
      "a property that has the name of a keyword",
      { $ref: "d", properties: { default: { $id: "d", ...text } } },
      "/properties/x/properties/default",
    ],
  ])(
    "is followed inside a schema with an identifier: to %s",
    async (_, x, pointer) => {
      const schema = {
        type: "object",
        properties: { x },
        $defs: { item: { type: "number" } },
      };
      const { snapshot, reports } = await readText(
        snapshotOf({ tools: [{ name: "t", inputSchema: schema }] }),
      );
      expect(reports).toEqual([]);
      expect(snapshot?.definitions.map(({ key }) => key)).toContain(
        `tool t input${pointer}`,
      );
    },
  );

  it("leads to the schema around it if another one has the same identifier", async () => {
    const other = { ...node, properties: { other: { $ref: "Node" } } };
    const schema = { type: "object", properties: { x: node, y: other } };
    const { snapshot, reports } = await readText(
      snapshotOf({ tools: [{ name: "t", inputSchema: schema }] }),
    );
    expect(reports).toEqual([]);
    const keys = snapshot?.definitions.map(({ key }) => key);
    expect(keys).toEqual([
      "tool t input",
      "tool t input/properties/x",
      "tool t input/properties/y",
    ]);
  });

  it("says that it has no target, and not that it leads out, inside a schema with an identifier", async () => {
    const schema = {
      type: "object",
      properties: { x: { ...node, anyOf: [{ $ref: "Node#/none" }] } },
    };
    const { reports } = await readText(
      snapshotOf({ tools: [{ name: "t", inputSchema: schema }] }),
    );
    expect([...new Set(reports.map(({ message }) => message))]).toEqual([
      'the reference "Node#/none" has no target; it is not checked',
    ]);
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
