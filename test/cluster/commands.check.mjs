import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { principals } from "./actors.ts";
import { oursLegacy, oursModern, recordCall } from "./clients.ts";
import { secrets } from "./faults.ts";
import { sdk1, sdk2Legacy, sdk2Modern } from "./peers.mjs";
import { startServer } from "./server.ts";
import { Stage } from "./stage.ts";
import { startBalancer, startEngine } from "./topology.ts";

/** `MCPGEN_CALLS` changes the number of calls. */
const size = Number(process.env.MCPGEN_CALLS ?? 1500);

let stage;
beforeEach(() => void (stage = new Stage()));
afterEach(() => stage.end());

/**
 * How often the engine gets each command while a function runs, also inside of
 * scripts.
 */
async function commandsDuring(engine, run) {
  const before = await engine.calls();
  await run();
  const after = await engine.calls();
  return (command) => (after.get(command) ?? 0) - (before.get(command) ?? 0);
}

/**
 * Each process appends one entry to the log in this time, in milliseconds, so
 * that the others know that it runs.
 */
const beatTime = 3000;

describe("three processes with an engine", () => {
  it.each([
    { what: "calls of 2026-07-28", kinds: [...oursModern, sdk2Modern] },
    {
      what: "plain calls of sessions that they know",
      kinds: [...oursLegacy, sdk1, sdk2Legacy],
    },
  ])("send it no command for $what", async ({ kinds }) => {
    const engine = await startEngine(stage);
    const options = {
      secrets: [secrets[0]],
      engine: { port: engine.port, library: "redis" },
    };
    const server = await startServer(stage, 3, options);
    const balancer = await startBalancer(stage, server.ports);
    const clients = await Promise.all(
      kinds.map((kind) => kind.open(balancer.turns, principals[0])),
    );
    let left = 0;
    const callAll = async (count) => {
      left = count;
      const calls = clients.map(async (caller, i) => {
        const who = { kind: kinds[i].name, principal: principals[0] };
        while (left-- > 0)
          expect((await recordCall(who, caller, "bump")).error).toBeUndefined();
      });
      await Promise.all(calls);
    };
    // Each process sees each session.
    await callAll(100);
    const start = performance.now();
    // As long as it takes until each process has said that it runs.
    const count = await commandsDuring(engine, () =>
      Promise.all([callAll(size), pause(beatTime)]),
    );
    const beats = 3 * (Math.ceil((performance.now() - start) / beatTime) + 1);
    expect({ set: count("set"), del: count("del") }).toEqual({
      set: 0,
      del: 0,
    });
    // A lease after its start, each process looks once for tasks that others
    // have left: on a slow machine, some or all of them do it now.
    expect(count("get")).toBeLessThanOrEqual(3);
    expect(count("xadd")).toBeGreaterThan(0);
    expect(count("xadd")).toBeLessThanOrEqual(beats);
    await Promise.all(clients.map((caller) => caller.close()));
  });
});
