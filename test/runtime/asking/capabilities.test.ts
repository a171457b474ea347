import { isSessionError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { errorOf, type Json } from "../kit/index.js";
import { all, form, questionsOf, toolWire } from "./kit.js";

describe("requests for input to a client", () => {
  it("MRTR-01 are allowed only in the methods that support them, and throw a typed error elsewhere", async () => {
    const errors: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        await request("roots/list");
      },
      { onError: (error) => errors.push(error) },
    );
    expect(errorOf(await caller.call({}, all, "tools/list"))["code"]).toBe(
      -32603,
    );
    expect(isSessionError(errors[0]) && errors[0].reason).toBe("place");
  });

  it("MRTR-03 are limited to the methods that the revision has for them", async () => {
    const errors: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        await request("ping");
      },
      { onError: (error) => errors.push(error) },
    );
    expect(errorOf(await caller.call())["code"]).toBe(-32603);
    expect(isSessionError(errors[0]) && errors[0].reason).toBe("method");
  });

  const url = { mode: "url", message: "Go", url: "https://example.com/" };
  const sample = { messages: [], maxTokens: 1 };
  const tool = { name: "t", inputSchema: { type: "object" } };
  it.each([
    ["nothing", {}, "roots/list", undefined, { roots: {} }],
    ["nothing", {}, "elicitation/create", form("?"), { elicitation: {} }],
    [
      "URL mode alone",
      { elicitation: { url: {} } },
      "elicitation/create",
      form("?"),
      { elicitation: { form: {} } },
    ],
    [
      "form mode alone",
      { elicitation: { form: {} } },
      "elicitation/create",
      url,
      { elicitation: { url: {} } },
    ],
    [
      "elicitation",
      { elicitation: {} },
      "elicitation/create",
      url,
      { elicitation: { url: {} } },
    ],
    [
      "sampling",
      { sampling: {} },
      "sampling/createMessage",
      { ...sample, tools: [tool] },
      { sampling: { tools: {} } },
    ],
  ])(
    "MRTR-04 META-05 ELIC-02 SAMP-04 are not sent beyond the capabilities of a client that declares %s (%#)",
    async (_, declared, method, params, requiredCapabilities) => {
      const caller = await toolWire(async (_, { request }) => {
        await request(method, params as Json);
      });
      expect(errorOf(await caller.call({}, declared))).toMatchObject({
        code: -32021,
        data: { requiredCapabilities },
      });
    },
  );

  it.each([
    ["elicitation", { elicitation: {} }, "elicitation/create", form("?")],
    [
      "elicitation",
      { elicitation: {} },
      "elicitation/create",
      { mode: "form", ...form("?") },
    ],
    ["URL mode", { elicitation: { url: {} } }, "elicitation/create", url],
    ["sampling", { sampling: {} }, "sampling/createMessage", sample],
    [
      "sampling with tools",
      { sampling: { tools: {} } },
      "sampling/createMessage",
      { ...sample, tools: [tool] },
    ],
  ])(
    "ELIC-01 are sent to a client that declares %s (%#)",
    async (_, declared, method, params) => {
      const caller = await toolWire(async (_, { request }) => {
        await request(method, params as Json);
      });
      expect(questionsOf(await caller.call({}, declared))).toEqual([
        { method, params },
      ]);
    },
  );
});
