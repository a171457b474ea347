import { describe, expect, it } from "vitest";
import {
  issueInForm,
  fillForm,
  toolUseRules,
} from "../../../src/runtime/core/session/form.js";
import type { Json } from "../kit/index.js";

describe("a form", () => {
  const params = (properties: Json, required?: readonly string[]): Json => ({
    requestedSchema: { type: "object", properties, required },
  });
  const accept = (content: unknown): Json => ({ action: "accept", content });
  it.each([
    [{ type: "string" }, "x", undefined],
    [{ type: "string" }, 1, "expected a string"],
    [{ type: "string", minLength: 2 }, "🎲", "expected at least 2 characters"],
    [{ type: "string", maxLength: 1 }, "🎲", undefined],
    [{ type: "integer" }, 1.5, "expected an integer"],
    [{ type: "integer" }, 2, undefined],
    [{ type: "number", maximum: 3 }, 3.5, "expected at most 3"],
    [
      { type: "integer", minimum: 1, maximum: 8 },
      20,
      "expected at least 1 and at most 8",
    ],
    [{ type: "number", minimum: 3, maximum: 3 }, 3, undefined],
    [{ type: "number", minimum: 3 }, 2.9, "expected at least 3"],
    [{ type: "string", minLength: 2, maxLength: 2 }, "é🎲", undefined],
    [{ type: "string", maxLength: 1 }, "ab", "expected at most 1 characters"],
    [{ type: "array", minItems: 1, maxItems: 1 }, [0], undefined],
    [{ type: "array", maxItems: 1 }, [0, 0], "expected at most 1 values"],
    [{ type: "string", minLength: "2", maxLength: null }, "a", undefined],
    [{ type: "boolean" }, "true", "expected a boolean"],
    [{ type: "string", enum: ["a"] }, "b", "expected one of the choices"],
    [{ type: "string", oneOf: [{ const: "a", title: "A" }] }, "a", undefined],
    [
      { type: "string", oneOf: [{ const: "a", title: "A" }] },
      "b",
      "expected one of the choices",
    ],
    [
      { type: "array", items: { type: "string", enum: ["a"] } },
      ["a", "b"],
      "expected one of the choices",
    ],
    [
      { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
      ["a"],
      undefined,
    ],
    [{ type: "array", minItems: 2 }, ["a"], "expected at least 2 values"],
    [{ type: "array" }, "a", "expected an array"],
    [{ pattern: "^x$" }, "y", undefined],
    [{ type: "string", format: "email" }, "ada@example.com", undefined],
    [
      { type: "string", format: "email" },
      "ada",
      "expected a value of the format email",
    ],
    [
      { type: "string", format: "email" },
      "ada@",
      "expected a value of the format email",
    ],
    [
      { type: "string", format: "email" },
      "a b@example.com",
      "expected a value of the format email",
    ],
    [{ type: "string", format: "uri" }, "https://a.example/b?c", undefined],
    [{ type: "string", format: "uri" }, "mailto:ada@example.com", undefined],
    [
      { type: "string", format: "uri" },
      "a.example",
      "expected a value of the format uri",
    ],
    [
      { type: "string", format: "uri" },
      "https://a b",
      "expected a value of the format uri",
    ],
    [
      { type: "string", format: "uri" },
      "//a",
      "expected a value of the format uri",
    ],
    [{ type: "string", format: "date" }, "2024-02-29", undefined],
    [
      { type: "string", format: "date" },
      "2023-02-29",
      "expected a value of the format date",
    ],
    [
      { type: "string", format: "date" },
      "2024-13-01",
      "expected a value of the format date",
    ],
    [
      { type: "string", format: "date" },
      "24-01-01",
      "expected a value of the format date",
    ],
    [
      { type: "string", format: "date" },
      "tomorrow",
      "expected a value of the format date",
    ],
    [
      { type: "string", format: "date-time" },
      "2024-02-29T23:59:60Z",
      undefined,
    ],
    [
      { type: "string", format: "date-time" },
      "2024-02-29t10:00:00.5+01:00",
      undefined,
    ],
    [
      { type: "string", format: "date-time" },
      "2024-02-29",
      "expected a value of the format date-time",
    ],
    [
      { type: "string", format: "date-time" },
      "2023-02-29T10:00:00Z",
      "expected a value of the format date-time",
    ],
    [
      { type: "string", format: "date-time" },
      "2024-02-28T24:00:00Z",
      "expected a value of the format date-time",
    ],
    [
      { type: "string", format: "date-time" },
      "2024-02-28T10:00:00",
      "expected a value of the format date-time",
    ],
    [
      { type: "string", format: "date-time" },
      "2024-02-28 10:00:00Z",
      "expected a value of the format date-time",
    ],
    [{ type: "string", format: "ipv4" }, "any text", undefined],
  ])(
    "ELIC-04 ELIC-06 with the field %j checks the value %j: %s",
    (field, value, fault) => {
      expect(issueInForm(params({ field }), accept({ field: value }))).toBe(
        fault && `content.field: ${fault}`,
      );
    },
  );

  it.each([
    ["2024-02-29", true],
    ["2000-02-29", true],
    ["2024-04-30", true],
    ["2024-01-01", true],
    ["2024-12-31", true],
    ["1900-02-29", false],
    ["2024-04-31", false],
    ["2024-02-30", false],
    ["2024-01-00", false],
    ["2024-00-10", false],
    ["2024-1-10", false],
    [" 2024-01-10", false],
  ])("ELIC-06 knows the days of each month: %s %s", (date, isValid) => {
    const field = { type: "string", format: "date" };
    const issue = issueInForm(params({ field }), accept({ field: date }));
    expect(issue === undefined).toBe(isValid);
  });

  const use = (id: string): Json => ({ type: "tool_use", id });
  const result = (toolUseId: string): Json => ({
    type: "tool_result",
    toolUseId,
  });
  const expecting = (at: number, text: string): string =>
    `params.messages[${at}].content: expected ${text}`;
  it.each<readonly [readonly unknown[], string | undefined]>([
    [[use("1"), [result("1")]], undefined],
    [
      [
        ["text", null, use("1")],
        ["text", result("1")],
      ],
      undefined,
    ],
    [
      [
        [use("1"), use("2")],
        [result("2"), result("1")],
      ],
      undefined,
    ],
    [[use("1")], expecting(1, 'tool results for ["1"], got []')],
    [[result("1")], expecting(0, 'tool results for [], got ["1"]')],
    [
      [use("1"), result("2")],
      expecting(1, 'tool results for ["1"], got ["2"]'),
    ],
    [
      [[use("1"), use("2")], result("1")],
      expecting(1, 'tool results for ["1","2"], got ["1"]'),
    ],
    [
      [use("1"), [result("1"), { type: "text" }]],
      expecting(1, 'only tool results, got ["1"]'),
    ],
  ])(
    "needs the result of each use of a tool in the next message: %j",
    (contents, problem) => {
      const params = { messages: contents.map((content) => ({ content })) };
      const check = (): void => toolUseRules.check("ask", params, {});
      if (problem === undefined) expect(check).not.toThrow();
      else expect(check).toThrow(problem);
    },
  );

  const form = params({ a: { type: "string" } }, ["a"]);
  it("ELIC-06 requires its required fields", () => {
    expect(issueInForm(form, accept({}))).toBe("content.a: expected a value");
    expect(issueInForm(form, accept(undefined))).toBe(
      "content.a: expected a value",
    );
    expect(issueInForm(form, accept([]))).toBe("content: expected an object");
  });

  it("ELIC-06 accepts unknown fields", () => {
    expect(
      issueInForm(form, accept({ a: "x", b: {}, constructor: 1 })),
    ).toBeUndefined();
  });

  it("ELIC-06 requires no fields if it is declined, or is a page", () => {
    expect(issueInForm(form, { action: "decline" })).toBeUndefined();
    expect(issueInForm({ mode: "url" }, accept({}))).toBeUndefined();
  });

  it("ELIC-07 adds defaults for omitted fields of any name", () => {
    const form = params(
      JSON.parse(
        '{"a":{"default":0},"__proto__":{"default":1},"b":{}}',
      ) as Json,
    );
    const filled = fillForm(form, accept(undefined)) as { content: Json };
    expect(JSON.stringify(filled.content)).toBe('{"a":0,"__proto__":1}');
    expect(fillForm(form, { action: "cancel" })).toEqual({ action: "cancel" });
  });
});
