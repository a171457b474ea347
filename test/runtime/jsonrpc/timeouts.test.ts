import { spawn } from "node:child_process";
import { stdio } from "@mcpgen/runtime/stdio";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type CallOptions,
  Calls,
} from "../../../src/runtime/core/jsonrpc/calls.js";
import { bundle } from "../kit/bundle.js";
import { legacy, makeClient } from "../kit/index.js";

const idle = bundle("idle-client");
const everything = bundle("everything-server");

describe("the timeouts of the calls of a connection", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /**
   * Makes calls by name, and notes which have ended when, in milliseconds since
   * the start.
   */
  function start() {
    const calls = new Calls();
    const begin = performance.now();
    const ends: [name: string, time: number][] = [];
    const call = (
      name: string,
      timeout: number,
      options: CallOptions = {},
    ): void => {
      const end = (): number => ends.push([name, performance.now() - begin]);
      calls.wait(name, "x", { timeout, ...options }).then(end, end);
    };
    return { calls, call, ends };
  }

  it("end each call after its own time, beside any other calls (TIME-01)", async () => {
    const { call, ends } = start();
    call("long", 1200);
    call("first", 800);
    await vi.advanceTimersByTimeAsync(100);
    call("second", 800);
    call("short", 50);
    call("none", Infinity);
    call("beyond the longest timer", 2 ** 40);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ends.map(([name]) => name)).toEqual([
      "short",
      "first",
      "second",
      "long",
    ]);
    for (const [i, due] of [150, 800, 900, 1200].entries()) {
      expect(ends[i]?.[1]).toBeGreaterThanOrEqual(due);
      expect(ends[i]?.[1]).toBeLessThanOrEqual(due + 2);
    }
  });

  it("start again with progress, and do not concern calls that were answered (TIME-03)", async () => {
    const { calls, call, ends } = start();
    for (const name of ["a", "b", "c"]) call(name, 800, { token: name });
    call("limited", 800, { token: "limited", maxTimeout: 1000 });
    await vi.advanceTimersByTimeAsync(700);
    calls.progress({ progressToken: "a", progress: 1 });
    calls.progress({ progressToken: "limited", progress: 1 });
    calls.answer({ jsonrpc: "2.0", id: "b", result: {} });
    await vi.advanceTimersByTimeAsync(200);
    expect(ends.map(([name]) => name)).toEqual(["b", "c"]);
    await vi.advanceTimersByTimeAsync(200);
    expect(ends.map(([name]) => name)).toEqual(["b", "c", "limited"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(ends.map(([name]) => name)).toEqual(["b", "c", "limited", "a"]);
  });

  it("with `maxTimeout` alone end the call at that time, with progress or without (TIME-03)", async () => {
    const { calls, call, ends } = start();
    for (const name of ["silent", "busy"])
      call(name, Infinity, {
        timeout: undefined,
        maxTimeout: 1000,
        token: name,
      });
    await vi.advanceTimersByTimeAsync(900);
    calls.progress({ progressToken: "busy", progress: 1 });
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(ends.map(([name]) => name)).toEqual(["silent", "busy"]);
  });

  it("stop while the connection is paused, also for calls that begin then", async () => {
    const { calls, call, ends } = start();
    call("a", 800);
    await vi.advanceTimersByTimeAsync(700);
    calls.pause();
    calls.pause();
    call("b", 800);
    await vi.advanceTimersByTimeAsync(10_000);
    calls.resume();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ends).toEqual([]);
    calls.resume();
    await vi.advanceTimersByTimeAsync(200);
    expect(ends.map(([name]) => name)).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(700);
    expect(ends.map(([name]) => name)).toEqual(["a", "b"]);
  });

  it("is none by itself, whether other calls have one or not", async () => {
    const { calls, call, ends } = start();
    call("first", Infinity);
    call("second", 50);
    call("third", Infinity);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ends.map(([name]) => name)).toEqual(["second"]);
    calls.answer({ jsonrpc: "2.0", id: "first", result: {} });
    calls.answer({ jsonrpc: "2.0", id: "third", result: {} });
    await vi.advanceTimersByTimeAsync(0);
    expect(ends.map(([name]) => name)).toEqual(["second", "first", "third"]);
  });

  it.each([
    [999, 0, 0],
    [1000, 0, 0],
    [1001, 1, 0],
    [1003, 3, 0],
    [1000, 0, 5],
    [1003, 3, 5],
  ])(
    "keep the progress of the last 1,000 tasks: of %i tasks the first %i are forgotten, and none of %i open calls (PROG-06)",
    (count, forgotten, open) => {
      const { calls, call } = start();
      const heard: string[] = [];
      const others = Array.from({ length: open }, (_, i) => `open${i}`);
      for (const token of others)
        call(token, 800, { token, onProgress: () => void heard.push(token) });
      const each = Array.from({ length: count }, (_, i) => `t${i}`);
      for (const token of each) {
        const onProgress = (): void => void heard.push(token);
        call(token, 800, { token, outlasts: true, onProgress });
        calls.answer({ jsonrpc: "2.0", id: token, result: {} });
      }
      for (const progressToken of [...others, ...each])
        calls.progress({ progressToken, progress: 1 });
      expect(heard).toEqual([...others, ...each.slice(forgotten)]);
    },
  );

  it("leave no timer behind when the connection closes", async () => {
    const { calls, call, ends } = start();
    call("a", 800);
    calls.close(new Error("closed"));
    await vi.advanceTimersByTimeAsync(0);
    expect([ends.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("allow a call to end another one", async () => {
    const { calls, call, ends } = start();
    call("a", 80, {
      cancel: () => calls.answer({ jsonrpc: "2.0", id: "b", result: {} }),
    });
    call("b", 80);
    await vi.advanceTimersByTimeAsync(100);
    expect(ends.map(([name]) => name).sort()).toEqual(["a", "b"]);
  });
});

it("a process that was busy for longer than the timeout of a call still reads the answer", async () => {
  const client = await makeClient(
    legacy.protocol,
    stdio(process.execPath, [await everything, legacy.revision]),
  );
  const calling = client.ping?.(undefined, { timeout: 200 });
  // The answer arrives while nothing else runs.
  setTimeout(
    () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000),
    1,
  );
  expect(await calling).toEqual({});
  await client.close();
});

it("a process exits if no request is pending, even if the timer of a timeout is active", async () => {
  const child = spawn(process.execPath, [await idle], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(out).toBe("done\n");
  expect(code).toBe(0);
});
