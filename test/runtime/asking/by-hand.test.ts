import { describe, expect, it } from "vitest";
import { errorOf, type Json, resultOf, text, textOf } from "../kit/index.js";
import { accept, form, keysOf, toolWire } from "./kit.js";

describe("a handler that writes InputRequiredResult itself", () => {
  it("MRTR-10 receives its own state and the answers; the state is encrypted on the wire", async () => {
    const caller = await toolWire(({ inputResponses, requestState }) => {
      if (!inputResponses) {
        const inputRequests = {
          who: { method: "elicitation/create", params: form("Who?") },
        };
        return {
          resultType: "input_required",
          inputRequests,
          requestState: "round 1",
        };
      }
      return text(JSON.stringify({ inputResponses, requestState }));
    });
    const response = await caller.call();
    expect(resultOf(response)["requestState"]).not.toContain("round");
    const answers = { who: accept, other: { action: "cancel" } };
    expect(
      JSON.parse(textOf(resultOf(await caller.answer(response, answers)))),
    ).toEqual({
      inputResponses: answers,
      requestState: "round 1",
    });
    const tampered = { requestState: "round 1" };
    expect(
      errorOf(await caller.answer(response, answers, tampered))["code"],
    ).toBe(-32602);
  });

  it("gets its own state back without answers", async () => {
    const caller = await toolWire((params) =>
      params["requestState"] === undefined
        ? { resultType: "input_required", requestState: "mine" }
        : text(Object.keys(params).sort().join()),
    );
    const response = await caller.call();
    expect(resultOf(response)["inputRequests"]).toBeUndefined();
    const { requestState } = resultOf(response);
    expect(textOf(resultOf(await caller.call({ requestState })))).toBe(
      "_meta,arguments,name,requestState",
    );
  });

  it.each(["once", "request"])(
    "keeps what `%s` resolved to for the next run, though it has no state of its own",
    async (kind) => {
      let ran = 0;
      const caller = await toolWire(
        async ({ inputResponses }, { once, request }) => {
          if (kind === "once") await once("n", () => ++ran);
          else await request("elicitation/create", form("?"), { key: "a" });
          return (inputResponses as Json | undefined)?.["r"]
            ? text(String(ran))
            : {
                resultType: "input_required",
                inputRequests: { r: { method: "roots/list" } },
              };
        },
      );
      let response = await caller.call();
      if (kind === "request")
        response = await caller.answer(response, { a: accept });
      expect(keysOf(response)).toEqual(["r"]);
      const last = await caller.answer(response, { r: { roots: [] } });
      expect(textOf(resultOf(last))).toBe(kind === "once" ? "1" : "0");
    },
  );

  it("accepts a request for input without a state", async () => {
    const caller = await toolWire(({ inputResponses }) =>
      inputResponses
        ? text("done")
        : {
            resultType: "input_required",
            inputRequests: { r: { method: "roots/list" } },
            extra: true,
          },
    );
    const response = await caller.call();
    expect(resultOf(response)).toMatchObject({ extra: true });
    expect(Object.keys(resultOf(response))).not.toContain("requestState");
    expect(
      resultOf(await caller.answer(response, { r: { roots: [] } })),
    ).toMatchObject(text("done"));
  });

  it("supports context.request and context.once in the same handler", async () => {
    let ran = 0;
    const caller = await toolWire(
      async ({ inputResponses }, { request, once }) => {
        const n = await once("n", () => ++ran);
        await request("elicitation/create", form("First?"), { key: "first" });
        if (!(inputResponses as Json | undefined)?.["second"]) {
          return {
            resultType: "input_required",
            inputRequests: { second: { method: "roots/list" } },
          };
        }
        return text(`${n} of ${ran}`);
      },
    );
    const first = await caller.call();
    const second = await caller.answer(first, { first: accept });
    expect(keysOf(second)).toEqual(["second"]);
    expect(
      textOf(resultOf(await caller.answer(second, { second: { roots: [] } }))),
    ).toBe("1 of 1");
  });

  it.each([
    ["MRTR-02 neither requests nor state", {}],
    [
      "MRTR-03 an invalid request",
      { inputRequests: { x: { method: "tools/call", params: {} } } },
    ],
    ["MRTR-03 a value that is not a request", { inputRequests: { x: 7 } }],
    ["requests that are not an object", { inputRequests: [] }],
    ["a state that is not a string", { requestState: 7 }],
  ])(
    "causes a -32603 response and an onError call when it returns %s",
    async (_, members) => {
      const errors: Error[] = [];
      const caller = await toolWire(
        () => ({ resultType: "input_required", ...members }),
        {
          onError: (error) => errors.push(error),
        },
      );
      expect(errorOf(await caller.call())["code"]).toBe(-32603);
      expect(errors).toHaveLength(1);
    },
  );

  it("MRTR-04 rejects a request for input that the client's capabilities do not allow", async () => {
    const caller = await toolWire(() => ({
      resultType: "input_required",
      inputRequests: { x: { method: "roots/list" } },
    }));
    expect(errorOf(await caller.call({}, { sampling: {} }))).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
  });
});
