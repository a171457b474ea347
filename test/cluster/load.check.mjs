import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oursLegacy, oursModern, recordCall } from "./clients.ts";
import { killEachSecond } from "./faults.ts";
import { fatesOf } from "./invariants.ts";
import { sdk1, sdk2Legacy, sdk2Modern } from "./peers.mjs";
import { startServer } from "./server.ts";
import { Stage } from "./stage.ts";
import { startBalancer } from "./topology.ts";

/** `MCPGEN_CALLS` changes the number of calls. */
const size = Number(process.env.MCPGEN_CALLS ?? 1500);

let stage;
beforeEach(() => void (stage = new Stage()));
afterEach(() => stage.end());

/** Calls a tool from all kinds of clients at once, while each second the next process is killed and started again. */
async function callAndKill(kinds) {
  const server = await startServer(stage, 3);
  const balancer = await startBalancer(stage, server.ports);
  const calls = [];
  const killing = killEachSecond(server);
  const work = kinds.map(async (kind) => {
    const caller = await kind.open(balancer.turns, kind.name);
    while (calls.length < size) calls.push(await recordCall(kind, caller, "bump"));
    await caller.close();
  });
  await Promise.all(work);
  return fatesOf(calls, server.records(), await killing.stop());
}

describe("three processes behind a balancer, of which one is killed each second", () => {
  it("answer each call of 2026-07-28 that was not in the killed process once", async () => {
    const fates = await callAndKill([...oursModern, sdk2Modern, ...oursModern, sdk2Modern]);
    console.log(
      Object.entries(fates)
        .map(([fate, { length }]) => `${fate}: ${length}`)
        .join(", "),
    );
    expect(fates).toMatchObject({ "run twice": [], "answered without a run": [], lost: [] });
    expect(fates.answered.length).toBeGreaterThan(size / 2);
  });
});

describe("three processes behind a balancer, without `cluster`", () => {
  it.each([...oursLegacy, sdk1, sdk2Legacy])(
    "fail each session of $name, which only one process has",
    async (kind) => {
      const server = await startServer(stage, 3);
      const { turns } = await startBalancer(stage, server.ports);
      const attempts = Array.from({ length: 4 }, async () => {
        const caller = await kind.open(turns, "ada");
        const calls = [];
        for (let i = 0; i < 3; i++) calls.push(await recordCall(kind, caller, "bump"));
        await caller.close().catch(() => {});
        return calls.every(({ text }) => text !== undefined);
      });
      const results = await Promise.allSettled(attempts);
      expect(results.filter(({ value }) => value === true)).toEqual([]);
    },
  );
});
