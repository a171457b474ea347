import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import { type Json, revisions, textOf } from "../../kit/index.js";
import { open } from "./kit.js";

describe.each(revisions)("tools() at $revision", (one) => {
  const { protocol, isModern, revision } = one;

  it("TOOL-06 TOOL-08 TOOL-09 VERS-11 sends a structured result as text, and as structured content if the revision has it", async () => {
    const outputSchema = {
      type: "object",
      properties: { sum: { type: "integer" } },
      required: ["sum"],
    };
    const client = await open(
      protocol,
      tools([
        { name: "sum", outputSchema, handler: () => ({ sum: 3 }) },
        {
          name: "whole",
          outputSchema,
          handler: () => ({ structuredContent: { sum: 3 } }),
        },
        { name: "loose", handler: () => ({ sum: 3 }) },
      ]),
    );
    for (const name of ["sum", "whole", "loose"]) {
      const result = await client.callTool({ name });
      expect(result["structuredContent"]).toEqual(
        revision >= "2025-06-18" ? { sum: 3 } : undefined,
      );
      expect(JSON.parse(textOf(result))).toEqual({ sum: 3 });
      expect(result["isError"]).toBeUndefined();
    }
  });

  it("TOOL-09 sends structured content that is not an object only in revisions that allow it", async () => {
    const outputSchema = { type: "array", items: { type: "integer" } };
    const client = await open(
      protocol,
      tools([{ name: "list", outputSchema, handler: () => [1, 2] }]),
    );
    const [listed] = (await client.listTools())["tools"] as readonly Json[];
    expect(listed?.["outputSchema"]).toEqual(
      isModern ? outputSchema : undefined,
    );
    const result = await client.callTool({ name: "list" });
    expect(result["structuredContent"]).toEqual(isModern ? [1, 2] : undefined);
    expect(textOf(result)).toBe("[1,2]");
  });

  const misfits: readonly (readonly [string, unknown])[] = [
    ["wrong", { sum: "3" }],
    ["missing", {}],
    ["text", "3"],
    ["nothing", undefined],
    ["whole", { content: [] }],
  ];
  it.each(misfits)(
    "TOOL-06 never sends the structured result of the tool %s, %j, which does not match its schema",
    async (name, value) => {
      const errors: Error[] = [];
      const outputSchema = {
        type: "object",
        properties: { sum: { type: "integer" } },
        required: ["sum"],
      };
      const client = await open(
        protocol,
        tools([{ name, outputSchema, handler: () => value }]),
        {
          onError: (error) => errors.push(error),
        },
      );
      const result = await client.callTool({ name });
      expect(result["isError"]).toBe(true);
      expect(result["structuredContent"]).toBeUndefined();
      expect(textOf(result)).toMatch(
        /does not match its outputSchema|no structuredContent, which its outputSchema/,
      );
      expect(errors).toHaveLength(1);
    },
  );

  it("sends a complete result unchanged", async () => {
    const result = {
      content: [{ type: "text", text: "hi" }],
      isError: true,
      _meta: { "example.com/x": 1 },
    };
    const client = await open(
      protocol,
      tools([{ name: "whole", handler: () => result }]),
    );
    expect(await client.callTool({ name: "whole" })).toMatchObject(result);
  });
});
