import { afterEach, describe, expect, it, vi } from "vitest";
import {
  clientWire,
  failure,
  type Json,
  revisions,
  text,
  turns,
} from "../kit/index.js";
import { doneIn, callOf, ready } from "../kit/calls.js";

describe.each(revisions)("a server of $revision", (one) => {
  it("PROG-02 PROG-07 sends no progress without a token and none after the response", async () => {
    let late: ((progress: number) => void) | undefined;
    const handlers = {
      "tools/call": (
        _: Json,
        { progress }: { progress: (progress: number) => void },
      ) => {
        progress(1);
        late = progress;
        return text("done");
      },
    };
    const wire = await ready(one, { handlers });
    await wire.ask(1, "tools/call", callOf(one));
    expect(await wire.rest()).toEqual([]);
    const token = { _meta: { progressToken: "t" } };
    expect(await wire.ask(2, "tools/call", callOf(one, token))).toMatchObject({
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1 },
    });
    await wire.next();
    late?.(2);
    expect(await wire.rest()).toEqual([]);
  });
});

describe.each(revisions)("a client of $revision", (one) => {
  afterEach(() => void vi.useRealTimers());
  const call = { name: "x" };
  const done = doneIn(one);

  it("TIME-01 TIME-03 waits while there is progress, up to maxTimeout", async () => {
    const { client, wire } = await clientWire(one);
    vi.useFakeTimers();
    const calling = failure(
      client.callTool(call, {
        timeout: 200,
        maxTimeout: 500,
        onProgress: () => {},
      }),
    );
    const { params } = await wire.next();
    const { progressToken } = (params as Json)["_meta"] as Json;
    for (let progress = 0; progress < 5; progress++) {
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken, progress },
      });
      await vi.advanceTimersByTimeAsync(100);
    }
    const error = await calling;
    expect(error.message).toBe(
      "tools/call: no answer within 500 ms. Raise `maxTimeout` to wait longer.",
    );
  });

  it("TIME-03 ends a request without progress after maxTimeout, if it is shorter than timeout", async () => {
    const { client, wire } = await clientWire(one);
    vi.useFakeTimers();
    const calling = failure(client.callTool(call, { maxTimeout: 100 }));
    await wire.next();
    await vi.advanceTimersByTimeAsync(100);
    const error = await calling;
    expect(error.message).toBe(
      "tools/call: no answer within 100 ms. Raise `maxTimeout` to wait longer.",
    );
  });

  it("PROG-04 accepts progress with and without a message", async () => {
    const messages: unknown[] = [];
    const { client, wire } = await clientWire(one);
    const calling = client.callTool(
      { name: "x" },
      { onProgress: (progress) => messages.push(progress) },
    );
    const { id, params } = await wire.next();
    const { progressToken } = (params as Json)["_meta"] as Json;
    const steps = [
      { progress: 1 },
      { progress: 2, total: 4, message: "half way" },
    ];
    for (const step of steps) {
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken, ...step },
      });
    }
    wire.send({
      jsonrpc: "2.0",
      id,
      result: { ...text(""), resultType: "complete" },
    });
    await calling;
    expect(messages).toEqual(steps);
  });

  it("PROG-03 PROG-07 ignores progress that decreases, and unknown tokens", async () => {
    const { client, wire } = await clientWire(one);
    const messages: number[] = [];
    const calling = client.callTool(call, {
      onProgress: ({ progress }) => messages.push(progress),
    });
    const { id, params } = await wire.next();
    const { progressToken } = (params as Json)["_meta"] as Json;
    for (const progress of [1, 1, 0.5, 2.5, -1, 3]) {
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken, progress },
      });
    }
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "?", progress: 9 },
    });
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken, progress: "4" },
    });
    wire.send({ jsonrpc: "2.0", id, result: done });
    await calling;
    expect(messages).toEqual([1, 2.5, 3]);
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken, progress: 9 },
    });
    await turns();
    expect(messages).toEqual([1, 2.5, 3]);
  });
});
