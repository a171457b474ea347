import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declares, join, missing } from "../../../src/runtime/session/capabilities.js";
import { canonical, digest } from "../../../src/runtime/session/digest.js";
import { faultInForm, fillForm } from "../../../src/runtime/session/form.js";
import { without } from "../../../src/runtime/role/server.js";
import type { RequestFacts } from "@mcpgen/runtime";
import type { Json } from "../kit/index.js";

describe("digest", () => {
  it("is the first half of SHA-256, for text of every length", () => {
    const sha = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
    for (let length = 0; length < 200; length++) {
      const text = "é".repeat(length >> 1) + "x".repeat(length & 1);
      expect(digest(text), String(length)).toBe(sha(text));
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => digest(text) === sha(text)),
    );
  });
});

describe("canonical", () => {
  it("does not depend on the order of members, and tells all else apart", () => {
    expect(canonical({ b: 1, a: [{ d: null, c: "x" }], e: undefined })).toBe(
      '{"a":[{"c":"x","d":null}],"b":1}',
    );
    expect(canonical([undefined])).toBe("[null]");
    const same = (value: unknown): boolean => canonical(JSON.parse(canonical(value))) === canonical(value);
    fc.assert(fc.property(fc.jsonValue(), same));
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        (a, b) => (canonical(a) === canonical(b)) === fcEqual(a, b),
      ),
    );
  });
});
const fcEqual = (a: unknown, b: unknown): boolean => {
  try {
    expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)));
    return true;
  } catch {
    return false;
  }
};

describe("capabilities", () => {
  it.each([
    [{ tools: {} }, { tools: {} }, true],
    [{ tools: { listChanged: true } }, { tools: {} }, true],
    [{ resources: { subscribe: true } }, { resources: { subscribe: true } }, true],
    [{ resources: { subscribe: false } }, { resources: { subscribe: true } }, false],
    [{ resources: {} }, { resources: { subscribe: true } }, false],
    [{ resources: null }, { resources: {} }, false],
    [{}, { tools: {} }, false],
    [undefined, { tools: {} }, false],
    [{ tasks: { list: {} } }, { tasks: { list: {} } }, true],
    [[], { length: {} }, false],
    [{}, { constructor: {} }, false],
  ])("%j declares %j: %s", (declared, needs, expected) => {
    expect(declares(declared, needs as never)).toBe(expected);
  });

  const facts = (rest: Partial<RequestFacts>): RequestFacts => ({
    kind: "request",
    method: "m",
    sender: "server",
    ...rest,
  });
  const conditions = [
    { member: "mode", values: ["form", null], needs: { e: { form: {} } }, implied: true as const },
    { member: "mode", values: ["url"], needs: { e: { url: {} } } },
    { member: "tools", needs: { s: { tools: {} } } },
  ];
  it.each([
    [{}, { e: {} }, undefined],
    [{ mode: "form" }, { e: {} }, undefined],
    [{}, { e: { form: {} } }, undefined],
    [{}, { e: { url: {} } }, { e: { form: {} } }],
    [{ mode: "url" }, { e: {} }, { e: { url: {} } }],
    [{ mode: "url" }, { e: { url: {} } }, undefined],
    [{ mode: "other" }, { e: {} }, undefined],
    [{ tools: [] }, { e: {} }, { s: { tools: {} } }],
    [{ tools: null }, { e: {} }, undefined],
    [undefined, {}, { e: { form: {} } }],
  ])("params %j to one that declares %j lack %j", (params, declared, expected) => {
    expect(missing(facts({ conditions }), params, declared)).toEqual(expected);
  });

  it("are joined member by member, and left as they were", () => {
    const left = { tools: {}, resources: { subscribe: true } };
    expect(join(left, { resources: { listChanged: true }, logging: {} })).toEqual({
      tools: {},
      resources: { subscribe: true, listChanged: true },
      logging: {},
    });
    expect(left).toEqual({ tools: {}, resources: { subscribe: true } });
  });
});

describe("a form", () => {
  const params = (properties: Json, required?: readonly string[]): Json => ({
    requestedSchema: { type: "object", properties, required },
  });
  const accept = (content: unknown): Json => ({ action: "accept", content });
  it.each([
    [{ type: "string" }, "x", undefined],
    [{ type: "string" }, 1, "expected string"],
    [{ type: "string", minLength: 2 }, "🎲", "too short or too long"],
    [{ type: "string", maxLength: 1 }, "🎲", undefined],
    [{ type: "integer" }, 1.5, "expected integer"],
    [{ type: "integer" }, 2, undefined],
    [{ type: "number", maximum: 3 }, 3.5, "out of range"],
    [{ type: "boolean" }, "true", "expected boolean"],
    [{ type: "string", enum: ["a"] }, "b", "not one of the choices"],
    [{ type: "string", oneOf: [{ const: "a", title: "A" }] }, "a", undefined],
    [{ type: "string", oneOf: [{ const: "a", title: "A" }] }, "b", "not one of the choices"],
    [{ type: "array", items: { type: "string", enum: ["a"] } }, ["a", "b"], "not one of the choices"],
    [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["a"], undefined],
    [{ type: "array", minItems: 2 }, ["a"], "too few or too many values"],
    [{ type: "array" }, "a", "expected array"],
    [{ pattern: "^x$" }, "y", undefined],
  ])("ELIC-04 ELIC-06 %j with %j: %s", (field, value, fault) => {
    expect(faultInForm(params({ field }), accept({ field: value }))).toBe(fault && `content.field: ${fault}`);
  });

  it("ELIC-06 needs its required fields, and takes unknown ones", () => {
    const form = params({ a: { type: "string" } }, ["a"]);
    expect(faultInForm(form, accept({}))).toBe("content.a: expected a value");
    expect(faultInForm(form, accept(undefined))).toBe("content.a: expected a value");
    expect(faultInForm(form, accept([]))).toBe("content: expected an object");
    expect(faultInForm(form, accept({ a: "x", b: {}, constructor: 1 }))).toBeUndefined();
    expect(faultInForm(form, { action: "decline" })).toBeUndefined();
    expect(faultInForm({ mode: "url" }, accept({}))).toBeUndefined();
  });

  it("ELIC-07 fills in what was left out, whatever the name", () => {
    const form = params(JSON.parse('{"a":{"default":0},"__proto__":{"default":1},"b":{}}') as Json);
    const filled = fillForm(form, accept(undefined)) as { content: Json };
    expect(JSON.stringify(filled.content)).toBe('{"a":0,"__proto__":1}');
    expect(fillForm(form, { action: "cancel" })).toEqual({ action: "cancel" });
  });
});

describe("what a revision lacks", () => {
  it("is left out of a copy, at every depth and in every list", () => {
    const value = { keep: 1, gone: 2, list: [{ gone: 3, deep: { gone: 4, keep: 5 } }, 6], other: null };
    const omits = {
      gone: true,
      list: { gone: true, deep: { gone: true } },
      other: { x: true },
      none: true,
    } as const;
    expect(without(value, omits)).toEqual({ keep: 1, list: [{ deep: { keep: 5 } }, 6], other: null });
    expect(value.list[0]).toEqual({ gone: 3, deep: { gone: 4, keep: 5 } });
    expect(without(value, undefined)).toBe(value);
    expect(without("text", omits)).toBe("text");
  });
});
