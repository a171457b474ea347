import { type InputPending, isInputPending } from "@mcpgen/runtime";
import { describe, expect, it, vi } from "vitest";
import {
  type AnyHandler,
  errorOf,
  type Json,
  metaFor,
  modern,
  resultOf,
  text,
  textOf,
  turns,
} from "../kit/index.js";
import { until } from "../kit/watch.js";
import { accept, all, form, keysOf, questionsOf, toolWire } from "./kit.js";

describe("a handler that asks the client in the modern era", () => {
  it("MRTR-02 MRTR-03 MRTR-12 ends the run of a handler with a request for input, and runs it again with the response", async () => {
    let runs = 0;
    const caller = await toolWire(async (_, { request }) => {
      runs++;
      const { action } = await request("elicitation/create", form("Sure?"), {
        key: "sure",
      });
      return text(String(action));
    });
    const response = await caller.call();
    expect(resultOf(response)).toMatchObject({
      resultType: "input_required",
      inputRequests: {
        sure: { method: "elicitation/create", params: form("Sure?") },
      },
      requestState: expect.stringMatching(/^[\w-]+$/),
      _meta: { [String(modern.facts.meta.serverInfo)]: { name: "test" } },
    });
    expect(Object.keys(questionsOf(response)[0] as Json)).toEqual([
      "method",
      "params",
    ]);
    const done = await caller.answer(response, { sure: accept });
    expect(resultOf(done)).toMatchObject({
      resultType: "complete",
      ...text("accept"),
    });
    expect(runs).toBe(2);
  });

  it("sends the questions of one round together, also those of later microtasks", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const later = Promise.resolve().then(() =>
        Promise.resolve().then(() => request("roots/list")),
      );
      const answers = await Promise.all([
        request("elicitation/create", form("One?")),
        request("elicitation/create", form("Two?")),
        later,
      ]);
      return text(
        JSON.stringify(answers.map(({ action }) => action ?? "roots")),
      );
    });
    const response = await caller.call();
    expect(
      questionsOf(response).map(({ method, params }) => [
        method,
        (params as Json | undefined)?.["message"],
      ]),
    ).toEqual([
      ["elicitation/create", "One?"],
      ["elicitation/create", "Two?"],
      ["roots/list", undefined],
    ]);
    const [one, two, roots] = keysOf(response) as [string, string, string];
    // The answers come in another order than the questions went.
    const answers = {
      [roots]: { roots: [] },
      [two]: { action: "decline" },
      [one]: accept,
    };
    expect(textOf(resultOf(await caller.answer(response, answers)))).toBe(
      '["accept","decline","roots"]',
    );
  });

  it("asks the next question in the next round, and keeps the earlier answers in the state", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const first = await request("elicitation/create", form("First?"));
      await turns(2);
      const second = await request("elicitation/create", form("Second?"));
      return text(`${String(first["action"])} ${String(second["action"])}`);
    });
    const first = await caller.call();
    const [firstKey] = keysOf(first) as [string];
    const second = await caller.answer(first, {
      [firstKey]: { action: "decline" },
    });
    const [secondKey] = keysOf(second) as [string];
    expect(secondKey).not.toBe(firstKey);
    expect(resultOf(second)["requestState"]).not.toBe(
      resultOf(first)["requestState"],
    );
    expect(
      textOf(resultOf(await caller.answer(second, { [secondKey]: accept }))),
    ).toBe("decline accept");
  });

  it("distinguishes equal questions by their count, with the same keys in every run", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const answers = await Promise.all([
        request("elicitation/create", form("Again?")),
        request("elicitation/create", {
          requestedSchema: { properties: {}, type: "object" },
          message: "Again?",
        }),
      ]);
      return text(answers.map(({ action }) => action).join());
    });
    const response = await caller.call();
    expect(keysOf(await caller.call())).toEqual(keysOf(response));
    const [one, two] = keysOf(response) as [string, string];
    expect(two).toBe(one.replace(/0$/, "1"));
    expect(
      textOf(
        resultOf(
          await caller.answer(response, {
            [one]: accept,
            [two]: { action: "cancel" },
          }),
        ),
      ),
    ).toBe("accept,cancel");
  });

  it("runs finally blocks and aborts the signal with InputPending", async () => {
    const seen: string[] = [];
    const caller = await toolWire(async (_, { request, signal }) => {
      signal.addEventListener("abort", () =>
        seen.push((signal.reason as InputPending).name),
      );
      try {
        await request("roots/list");
      } catch (error) {
        seen.push(String(isInputPending(error)));
        throw error;
      } finally {
        seen.push("finally");
      }
      return text("done");
    });
    await caller.call();
    await turns();
    expect(seen.sort()).toEqual(["InputPending", "finally", "true"]);
  });

  it("has an aborted signal, does no more work and asks nothing more once the run has ended", async () => {
    const ends: unknown[] = [];
    const nameOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => "done",
        (error: unknown) => (error as Error).name ?? error,
      );
    let late: Promise<unknown> | undefined;
    const caller = await toolWire(async (_, context) => {
      try {
        return await context.request("elicitation/create", form("a"));
      } catch (error) {
        late = (async () => {
          const { signal } = context;
          ends.push(signal.aborted, (signal.reason as Error).name);
          ends.push(signal === context.signal);
          ends.push(await nameOf(context.once("pay", () => "paid")));
          const reason = AbortSignal.abort("no");
          const asked = context.request("roots/list", {}, { signal: reason });
          ends.push(await nameOf(asked));
        })();
        throw error;
      }
    });
    const response = await caller.call();
    await until(() => late !== undefined);
    await late;
    expect(questionsOf(response)).toHaveLength(1);
    expect(ends).toEqual([true, "InputPending", true, "InputPending", "no"]);
  });

  it("rejects with the reason of a signal that was aborted before its question, which is not sent", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const signal = AbortSignal.abort("too late");
      const reason: unknown = await request("elicitation/create", form("a"), {
        signal,
      }).catch((error: unknown) => error);
      return text(String(reason));
    });
    expect(textOf(resultOf(await caller.call()))).toBe("too late");
  });

  it("ignores the outcome of a run after its question was sent, and warns if InputPending was caught", async () => {
    const warnings: string[] = [];
    const errors: Error[] = [];
    const tool: AnyHandler = async ({ _meta }, context) => {
      try {
        await context.request("roots/list");
      } catch {
        context.progress(50);
        context.log("error", "too late");
        await context.request("roots/list").catch(() => {});
        if ((_meta as Json)["throw"]) throw new Error("too late");
      }
      return text("too late");
    };
    const capabilities = { logging: {} };
    const caller = await toolWire(tool, {
      capabilities,
      onWarning: (text) => warnings.push(text),
      onError: (error) => errors.push(error),
    });
    const { logLevel = "" } = modern.facts.meta;
    for (const extra of [{}, { throw: true }]) {
      const _meta = { progressToken: "p", [logLevel]: "debug", ...extra };
      expect(resultOf(await caller.call({ _meta }))["resultType"]).toBe(
        "input_required",
      );
    }
    expect(await caller.wire.rest()).toEqual([]);
    expect(warnings.filter((text) => text.includes("InputPending"))).toEqual(
      Array<string>(2).fill(
        "A handler continued after its question was sent to the client; its outcome is ignored. Code that catches errors around context.request must rethrow InputPending.",
      ),
    );
    expect(errors).toEqual([]);
  });

  it("sends progress and logs until its question is sent", async () => {
    const caller = await toolWire(async (_, context) => {
      context.progress(1);
      await context.request("roots/list");
      return text("done");
    });
    const first = await caller.call({ _meta: { progressToken: "p" } });
    expect(first["method"]).toBe("notifications/progress");
    expect(resultOf(await caller.wire.next())["resultType"]).toBe(
      "input_required",
    );
  });

  it("returns its result when it does not wait for the answer, and leaves no rejection behind", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const caller = await toolWire(async (_, { request }) => {
      void request("roots/list");
      return text("done");
    });
    expect(resultOf(await caller.call())).toMatchObject(text("done"));
    const sync = await toolWire((_, { request }) => {
      void request("roots/list");
      return text("done");
    });
    expect(resultOf(await sync.call())).toMatchObject(text("done"));
    const failing = await toolWire(async (_, { request }) => {
      await Promise.all([
        request("roots/list"),
        Promise.reject(new Error("no")),
      ]);
    });
    expect(errorOf(await failing.call())["code"]).toBe(-32603);
    await turns();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("MRTR-13 keeps no state for a client that never retries", async () => {
    const caller = await toolWire(async (_, { request }) => {
      await request("roots/list");
      return text("done");
    });
    for (let i = 0; i < 300; i++) await caller.call();
    expect(resultOf(await caller.call())["resultType"]).toBe("input_required");
  });

  it("CANC-03 stops asking when the call is cancelled", async () => {
    const caller = await toolWire(async (_, { request, signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await request("roots/list");
      return text("done");
    });
    const params = { name: "tool", _meta: metaFor(modern, all) };
    caller.wire.send({ jsonrpc: "2.0", id: "c", method: "tools/call", params });
    await turns();
    caller.wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "c" },
    });
    expect(await caller.wire.rest()).toEqual([]);
  });
});
