import { describe, expect, it } from "vitest";
import { project, snapshotOf } from "./project.js";

/**
 * The doc comment of the member `a` of the arguments of a tool; empty without
 * one.
 */
async function commentOf(schema: object): Promise<string> {
  const inputSchema = { type: "object", properties: { a: schema } };
  const { files } = await project(
    snapshotOf({ tools: [{ name: "x", inputSchema }] }),
    { emit: ["client"] },
  );
  const [, body = ""] =
    /interface XInput \{\n([^]*?) {2}a\?:/.exec(files.get("types.ts") ?? "") ??
    [];
  return body
    .replace(/^ *\/?\*+\/? ?/gm, "")
    .replace(/ *\*\/$/gm, "")
    .replace(/\n+/g, "\n")
    .trim();
}

describe("the doc comment of a member", () => {
  it.each([
    [
      { type: "integer", minimum: 1, maximum: 10, default: 10 },
      "1 to 10.\n@default 10",
    ],
    [{ type: "number", minimum: 0.5 }, "At least 0.5."],
    [{ type: "number", maximum: -1 }, "At most -1."],
    [
      { type: "number", exclusiveMinimum: 0, maximum: 1 },
      "At most 1. Above 0.",
    ],
    [
      { type: "integer", multipleOf: 5, exclusiveMaximum: 100 },
      "Below 100. A multiple of 5.",
    ],
    [{ type: "string", minLength: 1, maxLength: 1 }, "Exactly 1 character."],
    [{ type: "string", minLength: 1, maxLength: 40 }, "1 to 40 characters."],
    [{ type: "string", format: "date-time" }, "Format: date-time."],
    [
      { type: "array", maxItems: 3, default: [] },
      "At most 3 items.\n@default []",
    ],
    [{ type: "object", minProperties: 1 }, "At least 1 member."],
    [
      { description: "A city.", examples: ["Paris", "Oslo"] },
      'A city.\n@example "Paris"\n@example "Oslo"',
    ],
    [{ examples: [1, 2, 3, 4, 5] }, "@example 1\n@example 2\n@example 3"],
    [{ default: "x".repeat(78) }, `@default\n"${"x".repeat(78)}"`],
    [{ default: "x".repeat(79) }, `@default\n"${"x".repeat(79)}…`],
    [
      {
        anyOf: [{ type: "integer", minimum: 1, maximum: 50 }, { type: "null" }],
        default: null,
      },
      "1 to 50.\n@default null",
    ],
    [
      { allOf: [{ format: "uri" }], description: "A link." },
      "A link.\nFormat: uri.",
    ],
    [
      {
        anyOf: [
          { type: "integer", minimum: 1 },
          { type: "string", maxLength: 3 },
        ],
      },
      "",
    ],
    [{ default: true, deprecated: true }, "@default true\n@deprecated"],
    [{ type: "boolean" }, ""],
  ])("says what the schema %j says", async (schema, comment) => {
    expect(await commentOf(schema)).toBe(comment);
  });

  it("has single spaces where characters that nobody sees are left out", async () => {
    const [x, y] = ["x".repeat(60), "y".repeat(60)];
    expect(
      await commentOf({
        description: `${x} \u200b ${y} \u200b\t z\u200b \u200b\u200b \u200b z`,
      }),
    ).toBe(`${x}\n${y} z z`);
  });

  it("cannot be ended, given a tag or made long by what a schema says", async () => {
    const text = "*/ alert(1) /* @returns {@link x}\n\u202e";
    const hostile = await commentOf({
      default: text,
      format: text,
      examples: [text.repeat(1000)],
    });
    expect(hostile).not.toMatch(
      /\*\/|\/\*(?!\*)|(?<!\\)@(?:returns|link)|\u202e/,
    );
    expect(hostile.length).toBeLessThan(400);
    expect(hostile).toMatch(/@example "[^]*…$/);
  });
});

describe("the doc comment of a type that is referred to", () => {
  it("says what its schema says", async () => {
    const inputSchema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/Days" } },
      $defs: { Days: { type: "integer", minimum: 1, maximum: 7, default: 3 } },
    };
    const { files } = await project(
      snapshotOf({ tools: [{ name: "x", inputSchema }] }),
      {
        emit: ["client"],
      },
    );
    expect(files.get("types.ts")).toMatch(
      /\/\*\*\n \* 1 to 7\.\n \*\n \* @default 3\n \*\/\nexport type \w*Days = number;/,
    );
  });
});
