import { McpError, TransportError } from "@mcpgen/runtime";
import { taskOutcome } from "@mcpgen/runtime/tasks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

interface State {
  readonly status: string;
  readonly pollInterval?: unknown;
}

/**
 * A client whose server says these states of a task, one after the other; an
 * error is that of the request. `payloads` are the results, in the same way.
 */
function asking(
  states: readonly (State | Error)[],
  payloads: readonly (object | Error)[] = [{ ended: true }],
) {
  const begin = performance.now();
  /** Each request, and when it was sent. */
  const calls: unknown[] = [];
  const [laterStates, laterPayloads] = [[...states], [...payloads]];
  const next = async <T>(all: (T | Error)[]): Promise<T> => {
    const one = all.length > 1 ? all.shift() : all[0];
    if (one instanceof Error) throw one;
    return one as T;
  };
  const note = (name: string, ...more: unknown[]): unknown =>
    calls.push([name, performance.now() - begin, ...more]);
  const client = {
    getTask: async (params: unknown) => {
      note("get");
      expect(params).toEqual({ taskId: "id" });
      return next(laterStates) as never;
    },
    getTaskPayload: async (_: unknown, options: { timeout?: number } = {}) => {
      note("result", options.timeout);
      return next(laterPayloads) as Promise<object>;
    },
    cancelTask: async () => {
      note("cancel");
      throw new Error("It has ended.");
    },
  };
  const wait = (
    task: object,
    options: Parameters<typeof taskOutcome>[2] = {},
  ): Promise<unknown> =>
    taskOutcome(
      client,
      { task: { taskId: "id", status: "working", ...task } },
      options,
    ).catch((error: unknown) => `${error}`);
  return { calls, wait };
}

const completed = { status: "completed", pollInterval: 1 };
const day = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the wait for a task", () => {
  it.each<[unknown, number]>([
    [undefined, 1000],
    [0, 50],
    [50, 50],
    [51, 51],
    [-1, 1000],
    [NaN, 1000],
    ["5", 1000],
  ])(
    "asks again after the interval %j of its server: %i ms",
    async (pollInterval, time) => {
      const working = { status: "working", pollInterval };
      const { calls, wait } = asking([working, completed]);
      const seen: string[] = [];
      const ended = wait(working, { onStatus: (one) => void seen.push(one) });
      await vi.advanceTimersByTimeAsync(5000);
      expect(await ended).toEqual({ ended: true });
      expect(calls).toEqual([
        ["get", time],
        ["get", 2 * time],
        ["result", 2 * time, day - 2 * time],
      ]);
      expect(seen).toEqual(["working", "completed"]);
    },
  );

  it.each<[object, object, number]>([
    [{ ttl: 0 }, {}, 50],
    [{ ttl: 49 }, {}, 50],
    [{ ttl: 51 }, {}, 51],
    [{ ttl: day }, {}, day],
    [{ ttl: day + 1 }, {}, day],
    [{ ttl: null }, {}, day],
    [{}, {}, day],
    [{ ttl: 70 }, { maxTimeout: 30 }, 30],
    [{ ttl: 70 }, { maxTimeout: 90 }, 90],
    [{ ttl: 70 }, { maxTimeout: day + 1 }, day + 1],
  ])(
    "for %j with the options %j ends after %i ms, and cancels the task",
    async (task, options, time) => {
      const { calls, wait } = asking([]);
      const ended = wait({ ...task, pollInterval: 2 * day }, options);
      const onEnd = vi.fn();
      void ended.then(onEnd);
      await vi.advanceTimersByTimeAsync(time - 1);
      expect(onEnd).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(await ended).toBe(
        `TimeoutError: The task did not end within ${time} ms.`,
      );
      expect(calls).toEqual([["cancel", time]]);
    },
  );

  it("ends with the reason of the caller, and cancels the task", async () => {
    const { calls, wait } = asking([]);
    const controller = new AbortController();
    const ended = wait({}, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error("no more"));
    expect(await ended).toBe("Error: no more");
    expect(calls).toEqual([["cancel", 10]]);
  });

  const failed = (isRetryable: boolean): Error =>
    new TransportError("The line is cut.", { isRetryable } as never);
  const said = (reason: string): Error =>
    new McpError(-32603, "Not now", { reason });
  const cut = "TransportError: The line is cut.";
  const notNow = "McpError: Not now";
  it.each<[string, Error, string, readonly string[]]>([
    ["get", failed(true), "goes on", ["get", "get", "result"]],
    ["get", failed(false), cut, ["get"]],
    ["get", said("unavailable"), notNow, ["get"]],
  ])(
    "whose request %s fails with %s: %s",
    async (_, error, outcome, requests) => {
      const { calls, wait } = asking([error, completed]);
      const ended = wait({ pollInterval: 50 });
      await vi.advanceTimersByTimeAsync(500);
      expect(await ended).toEqual(
        outcome === "goes on" ? { ended: true } : outcome,
      );
      expect(calls.map((call) => (call as unknown[])[0])).toEqual(requests);
    },
  );

  it.each<[string, Error, string]>([
    ["input_required", failed(true), "goes on"],
    ["input_required", failed(false), cut],
    ["input_required", said("unavailable"), "goes on"],
    ["input_required", said("process-lost"), "goes on"],
    ["input_required", said("other"), notNow],
    ["completed", failed(true), "goes on"],
    ["completed", said("unavailable"), notNow],
    ["failed", said("process-lost"), notNow],
  ])(
    "that is %s, and whose result fails with %s: %s",
    async (status, error, outcome) => {
      const { calls, wait } = asking([completed], [error, { ended: true }]);
      const ended = wait({ status, pollInterval: 60 });
      await vi.advanceTimersByTimeAsync(500);
      const goesOn = outcome === "goes on";
      expect(await ended).toEqual(goesOn ? { ended: true } : outcome);
      expect(calls).toEqual([
        ["result", 0, day],
        ...(goesOn
          ? [
              ["get", 60],
              ["result", 60, day - 60],
            ]
          : []),
      ]);
    },
  );
});
