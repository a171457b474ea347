import { describe, expect, it } from "vitest";
import {
  type AnyContext,
  clientWire,
  failure,
  type Json,
  revisions,
  text,
  turns,
} from "../kit/index.js";
import { watch } from "../kit/watch.js";
import { doneIn, callOf, ready } from "../kit/calls.js";

describe.each(revisions)("a server of $revision", (one) => {
  it("CANC-03 sends no response to a cancelled request", async () => {
    let aborted: unknown;
    const handlers = {
      "tools/call": (_: Json, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            aborted = signal.reason;
            resolve(text("too late"));
          }),
        ),
    };
    const wire = await ready(one, { handlers });
    wire.send({
      jsonrpc: "2.0",
      id: 5,
      method: "tools/call",
      params: callOf(one),
    });
    await turns();
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 5, reason: "bored" },
    });
    expect(await wire.rest()).toEqual([]);
    expect(aborted).toMatchObject({ name: "AbortError", message: "bored" });
  });

  it.each([
    ["is cancelled", "resolves"],
    ["is cancelled", "rejects"],
    ["is left by its client", "resolves"],
    ["is left by its client", "rejects"],
  ])(
    "CANC-03 reports nothing if a request %s and its handler %s then",
    async (how, end) => {
      const errors: unknown[] = [];
      const seen = watch();
      const wire = await ready(one, {
        handlers: {
          "tools/call": async (_: Json, { signal, progress }: AnyContext) => {
            seen.saw("begins");
            await new Promise((resolve) =>
              signal.addEventListener("abort", resolve),
            );
            progress(1);
            seen.saw("ends");
            if (end === "rejects") throw new Error("Stopped.");
            return text("too late");
          },
        },
        onError: (error) => errors.push(error),
      });
      wire.send({
        jsonrpc: "2.0",
        id: 5,
        method: "tools/call",
        params: callOf(one, { _meta: { progressToken: 1 } }),
      });
      await seen.until("begins");
      if (how === "is cancelled")
        wire.send({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId: 5 },
        });
      else await wire.transport.close();
      await seen.until("ends");
      expect(await wire.rest()).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it("CANC-04 ignores a cancellation that is malformed or has an unknown id", async () => {
    const wire = await ready(one);
    for (const params of [
      { requestId: "none" },
      { requestId: null },
      {},
      undefined,
      { requestId: 1, reason: {} },
    ]) {
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    expect(await wire.rest()).toEqual([]);
  });
});

describe.each(revisions)("a client of $revision", (one) => {
  const call = { name: "x" };
  const done = doneIn(one);

  it("CANC-05 ignores a response without a pending request", async () => {
    const errors: Error[] = [];
    const { client, wire } = await clientWire(one, {
      onError: (error) => errors.push(error),
    });
    const controller = new AbortController();
    const calling = failure(
      client.callTool(call, { signal: controller.signal }),
    );
    const { id } = await wire.next();
    controller.abort("enough");
    expect(await calling).toBe("enough");
    wire.send({ jsonrpc: "2.0", id, result: done });
    wire.send({ jsonrpc: "2.0", id: "unheard of", result: done });
    await turns();
    expect(errors).toEqual([]);
  });

  it("CANC-01 CANC-07 CANC-09 sends a cancellation when a call is aborted", async () => {
    const { client, wire } = await clientWire(one);
    const controller = new AbortController();
    const calling = failure(
      client.callTool(call, { signal: controller.signal }),
    );
    const { id } = await wire.next();
    controller.abort(new Error("enough"));
    expect((await calling).message).toBe("enough");
    expect(await wire.next()).toMatchObject({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: expect.any(String) },
    });
  });

  it("CANC-01 TIME-02 sends a cancellation when a call times out", async () => {
    const { client, wire } = await clientWire(one);
    const late = client.callTool(call, { timeout: 5 });
    const second = await wire.next();
    expect(await failure(late)).toMatchObject({
      name: "TimeoutError",
      message:
        "tools/call: no answer within 5 ms. Raise `timeout` to wait longer.",
    });
    expect(await wire.next()).toMatchObject({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: second["id"] },
    });
  });

  it("sends nothing for a call whose signal was already aborted", async () => {
    const { client, wire } = await clientWire(one);
    expect(
      await failure(client.callTool(call, { signal: AbortSignal.abort("no") })),
    ).toBe("no");
    expect(await wire.rest()).toEqual([]);
  });

  const none = "The request was cancelled.";
  it.each([
    [new Error("user said stop"), "user said stop"],
    ["user said stop", "user said stop"],
    [{ message: "an object" }, "an object"],
    [new Error(""), none],
    ["", none],
    [5, none],
    [null, none],
    [{ message: 5 }, none],
  ])(
    "sends the reason of the caller to the server: %s as %j (CANC-11)",
    async (reason, sent) => {
      const { client, wire } = await clientWire(one);
      const controller = new AbortController();
      const calling = failure(
        client.callTool(call, { signal: controller.signal }),
      );
      await wire.next();
      controller.abort(reason);
      await calling;
      expect(await wire.next()).toMatchObject({
        params: { reason: sent },
      });
    },
  );
});
