import { type AnyTool, tools } from "@mcpgen/runtime/features";
import { afterEach, describe, expect, it, vi } from "vitest";
import { join, type Json, modern } from "../../kit/index.js";
import { accepts, define, object, openTool } from "./kit.js";

describe("a reference", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    "https://example.com/schema.json",
    "https://example.com/schema.json#/$defs/a",
    "other.json",
    "file:///etc/passwd",
    "#/$defs/missing",
    "#missing",
    "#/%",
    "//example.com/x",
  ])(
    "SCHEMA-03 to %s, which is not in the schema, is rejected when the tool is defined, and nothing is fetched",
    ($ref) => {
      const fetched = vi.spyOn(globalThis, "fetch");
      expect(define(object({ properties: { a: { $ref } } }))).toThrow(
        `$ref ${JSON.stringify($ref)} has no target`,
      );
      expect(
        define(object({ $defs: { a: { items: [{ not: { $ref } }] } } })),
      ).toThrow(TypeError);
      expect(fetched).not.toHaveBeenCalled();
    },
  );

  it("without a target is rejected when the tool is defined, also in a schema with one id", () => {
    const $id = "https://example.com/tool";
    expect(
      define(object({ $id, properties: { a: { $ref: "#/$defs/missing" } } })),
    ).toThrow("has no target");
    expect(
      define(object({ $id, properties: { a: { $ref: "#missing" } } })),
    ).toThrow("has no target");
  });

  it("is resolved against the id of the part that contains it, also if the schema itself has none", async () => {
    const $defs = { t: { type: "string" } };
    const part = {
      $id: "https://example.com/part",
      $defs,
      properties: { b: { $ref: "#/$defs/t" } },
    };
    const client = await openTool(object({ properties: { a: part } }));
    expect(await accepts(client, { a: { b: "text" } })).toBe(true);
    expect(await accepts(client, { a: { b: 1 } })).toBe(false);
  });

  it("within the schema is followed to any target", async () => {
    const client = await openTool({
      $id: "https://example.com/tool",
      type: "object",
      $defs: {
        "a/b": { type: "integer" },
        named: { $anchor: "named", type: "string" },
      },
      properties: {
        pointer: { $ref: "#/$defs/a~1b" },
        anchor: { $ref: "#named" },
        self: { $ref: "#" },
        absolute: { $ref: "https://example.com/tool#/$defs/named" },
        relative: { $ref: "tool#named" },
        property: { $ref: "#/properties/pointer" },
      },
    });
    const good = {
      pointer: 1,
      anchor: "a",
      self: { pointer: 2 },
      absolute: "b",
      relative: "c",
      property: 3,
    };
    expect(await accepts(client, good)).toBe(true);
    for (const name of Object.keys(good))
      expect(await accepts(client, { ...good, [name]: false })).toBe(false);
  });

  it("to a subschema with an id of its own is followed, and from there by that id", async () => {
    const within = ($ref: string): Json => ({
      $id: "https://example.com/root",
      type: "object",
      properties: { a: { $ref: "/item" } },
      $defs: {
        item: {
          $id: "item",
          properties: { x: { $ref } },
          $defs: { x: { type: "integer" } },
        },
      },
    });
    const client = await openTool(within("#/$defs/x"));
    expect(await accepts(client, { a: { x: 1 } })).toBe(true);
    expect(await accepts(client, { a: { x: "1" } })).toBe(false);
    expect(define(within("#/$defs/item"))).toThrow(
      '$ref "#/$defs/item" has no target',
    );
  });

  it.each([{}, { $id: "https://example.com/root" }])(
    "that is dynamic is followed to the outermost part of that name, in a schema with %j",
    async (root) => {
      const tree = {
        $id: "https://example.com/tree",
        $dynamicAnchor: "node",
        type: "object",
        properties: { children: { items: { $dynamicRef: "#node" } } },
      };
      const strict = {
        $id: "https://example.com/strict",
        $dynamicAnchor: "node",
        $ref: tree.$id,
        unevaluatedProperties: false,
        $defs: { tree },
      };
      const client = await openTool({
        ...root,
        ...object({ properties: { a: strict, b: { $ref: "#/properties/a" } } }),
      });
      for (const name of ["a", "b"]) {
        const below = (child: Json): Json => ({
          [name]: { children: [child] },
        });
        expect(await accepts(client, below({ children: [] }))).toBe(true);
        expect(await accepts(client, below({ other: 1 }))).toBe(false);
      }
    },
  );

  it("to an id resolves within its own schema, even if another tool has the same id", async () => {
    const tool = (name: string, type: string): AnyTool => {
      const properties = { a: { $ref: "#/$defs/a" } };
      const inputSchema = {
        $id: "https://example.com/same",
        type: "object",
        properties,
        $defs: { a: { type } },
      };
      return { name, inputSchema, handler: () => "ok" };
    };
    const handlers = {
      ...tools([tool("one", "string"), tool("two", "integer")]),
    };
    const { client } = await join(modern.protocol, { server: { handlers } });
    expect(
      (await client.callTool({ name: "one", arguments: { a: "x" } }))[
        "isError"
      ],
    ).toBeUndefined();
    expect(
      (await client.callTool({ name: "two", arguments: { a: "x" } }))[
        "isError"
      ],
    ).toBe(true);
    expect(
      (await client.callTool({ name: "two", arguments: { a: 1 } }))["isError"],
    ).toBeUndefined();
  });

  it("to the dialect resolves to the dialect, even if an earlier tool has its id", async () => {
    const $id = "https://json-schema.org/draft/2020-12/schema";
    const lost = await openTool(
      object({ $id, properties: { a: { type: "string" } } }),
    );
    await lost.callTool({ name: "t" }).catch(() => {});
    const client = await openTool(
      object({ properties: { schema: { $ref: $id } } }),
    );
    expect(await accepts(client, { schema: { type: "thing" } })).toBe(false);
  });

  it("to the dialect itself checks that an argument is a schema", async () => {
    const $ref = "https://json-schema.org/draft/2020-12/schema";
    const client = await openTool(object({ properties: { schema: { $ref } } }));
    expect(await accepts(client, { schema: { type: "object" } })).toBe(true);
    expect(await accepts(client, { schema: { type: "thing" } })).toBe(false);
  });

  it("in data, or a property named $ref, is not a reference", async () => {
    const client = await openTool(
      object({
        properties: {
          $ref: { const: { $ref: "https://example.com" } },
          default: { type: "string" },
        },
        default: { $ref: "https://example.com" },
        examples: [{ $ref: "https://example.com" }],
        "x-unknown": { $ref: "https://example.com" },
      }),
    );
    expect(
      await accepts(client, { $ref: { $ref: "https://example.com" } }),
    ).toBe(true);
    expect(await accepts(client, { default: 1 })).toBe(false);
  });

  it("may be circular, and arguments may have any depth", async () => {
    const client = await openTool(
      object({
        properties: { next: { $ref: "#" } },
        additionalProperties: false,
      }),
    );
    let list: Json = {};
    for (let i = 0; i < 2000; i++) list = { next: list };
    expect(await accepts(client, list)).toBe(true);
    expect(await accepts(client, { next: { next: { other: 1 } } })).toBe(false);
  });
});
