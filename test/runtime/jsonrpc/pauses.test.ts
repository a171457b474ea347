import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type Json,
  join,
  legacy,
  modern,
  serveWire,
  shakeHands,
  makeServer,
  text,
} from "../kit/index.js";
import { gate } from "../kit/watch.js";

const form = {
  message: "Name?",
  requestedSchema: { type: "object", properties: {} },
};
const minute = 60_000;

describe("the timeouts of a call", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /**
   * A client whose person answers when the test says so, and how its call
   * ended.
   */
  async function asked(options: Json) {
    const person = gate<Json>();
    const rest = gate<void>();
    const { client } = await join(legacy.protocol, {
      server: {
        handlers: {
          "tools/call": async (_, context) => {
            await context.request("elicitation/create", form);
            await rest.ended;
            return text("done");
          },
        },
      },
      client: { handlers: { "elicitation/create": () => person.ended } },
    });
    const ends: unknown[] = [];
    const calling = client.callTool(
      { name: "x" },
      { onProgress: () => {}, ...options },
    );
    calling.then(
      (result) => ends.push(result),
      (error: unknown) => ends.push(error),
    );
    await vi.advanceTimersByTimeAsync(10);
    return { person, rest, ends };
  }

  it.each([
    ["`timeout`", { timeout: minute }],
    ["`maxTimeout`", { timeout: Infinity, maxTimeout: minute }],
  ])("stop while a handler of a question runs: %s", async (_, options) => {
    const { person, rest, ends } = await asked(options);
    await vi.advanceTimersByTimeAsync(5 * minute);
    person.end({ action: "accept", content: {} });
    // Of the time of the call itself, almost nothing has passed.
    await vi.advanceTimersByTimeAsync(minute / 2);
    expect(ends).toEqual([]);
    rest.end();
    await vi.advanceTimersByTimeAsync(10);
    expect(ends).toEqual([text("done")]);
  });

  it.each([
    ["`timeout`", { timeout: minute }],
    ["`maxTimeout`", { timeout: Infinity, maxTimeout: minute }],
  ])("continue once the handler is done: %s", async (_, options) => {
    const { person, ends } = await asked(options);
    await vi.advanceTimersByTimeAsync(5 * minute);
    person.end({ action: "decline" });
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(ends).toMatchObject([{ name: "TimeoutError" }]);
  });
});

describe("an elicitation of a server", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("waits ten minutes for its answer by default", async () => {
    const ends: Error[] = [];
    const handlers = {
      "tools/call": async (
        _: Json,
        context: { request(method: string, params: Json): Promise<Json> },
      ) => {
        await context
          .request("elicitation/create", form)
          .catch((error: Error) => ends.push(error));
        return text("done");
      },
    };
    const wire = await serveWire(
      makeServer(legacy.protocol, { handlers: handlers as never }),
    );
    const opening = shakeHands(wire, legacy.revision, { elicitation: {} });
    await vi.advanceTimersByTimeAsync(100);
    await opening;
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "x" },
    });
    await vi.advanceTimersByTimeAsync(9.9 * minute);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(ends).toMatchObject([{ name: "TimeoutError" }]);
  });
});

describe.each([legacy, modern])(
  "a signal of many calls of $revision",
  (one) => {
    it("has one listener of a connection, and none once the calls have ended (CANC-09)", async () => {
      const { client } = await join(one.protocol, {
        server: {
          handlers: {
            "tools/call": ({ name }) =>
              name === "wait" ? new Promise(() => {}) : text(""),
          },
        },
      });
      const controller = new AbortController();
      const { signal } = controller;
      const add = vi.spyOn(signal, "addEventListener");
      const remove = vi.spyOn(signal, "removeEventListener");
      const open = (): number =>
        add.mock.calls.length - remove.mock.calls.length;
      const call = (name: string) => client.callTool({ name }, { signal });
      await Promise.all(Array.from({ length: 20 }, () => call("x")));
      expect([add.mock.calls.length > 0, open()]).toEqual([true, 0]);
      const waiting = Promise.allSettled(
        Array.from({ length: 20 }, () => call("wait")),
      );
      expect(open()).toBe(1);
      controller.abort(new Error("enough"));
      const ends = await waiting;
      expect(ends.map((end) => (end as PromiseRejectedResult).reason)).toEqual(
        Array.from({ length: 20 }, () => signal.reason),
      );
      expect(open()).toBe(0);
      await client.close();
    });
  },
);
