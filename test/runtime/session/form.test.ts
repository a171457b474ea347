import { describe, expect, it } from "vitest";
import {
  issueInForm,
  fillForm,
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
