import type { RequestFacts } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  declares,
  join,
  missingCapabilities,
} from "../../../src/runtime/core/capabilities.js";

describe("capabilities", () => {
  it.each([
    [{ tools: {} }, { tools: {} }, true],
    [{ tools: { listChanged: true } }, { tools: {} }, true],
    [
      { resources: { subscribe: true } },
      { resources: { subscribe: true } },
      true,
    ],
    [
      { resources: { subscribe: false } },
      { resources: { subscribe: true } },
      false,
    ],
    [{ resources: {} }, { resources: { subscribe: true } }, false],
    [{ resources: null }, { resources: {} }, false],
    [{}, { tools: {} }, false],
    [undefined, { tools: {} }, false],
    [{ tasks: { list: {} } }, { tasks: { list: {} } }, true],
    [[], { length: {} }, false],
    [{}, { constructor: {} }, false],
  ])("in %j include %j: %s", (declared, needs, expected) => {
    expect(declares(declared, needs as never)).toBe(expected);
  });

  const facts = (rest: Partial<RequestFacts>): RequestFacts => ({
    kind: "request",
    method: "m",
    sender: "server",
    ...rest,
  });
  const conditions = [
    {
      member: "mode",
      values: ["form", null],
      needs: { e: { form: {} } },
      implied: true as const,
    },
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
  ])(
    "that the params %j require beyond the declared %j are %j",
    (params, declared, expected) => {
      expect(
        missingCapabilities(facts({ conditions }), params, declared),
      ).toEqual(expected);
    },
  );

  it("are merged by member without changing the arguments", () => {
    const left = { tools: {}, resources: { subscribe: true } };
    expect(
      join(left, { resources: { listChanged: true }, logging: {} }),
    ).toEqual({
      tools: {},
      resources: { subscribe: true, listChanged: true },
      logging: {},
    });
    expect(left).toEqual({ tools: {}, resources: { subscribe: true } });
  });
});
