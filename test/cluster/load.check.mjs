import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { principals } from "./actors.ts";
import { oursLegacy, oursModern, recordCall } from "./clients.ts";
import { killEachSecond, secrets } from "./faults.ts";
import { fatesOf } from "./invariants.ts";
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
 * Calls a tool from all kinds of clients at once, while each second the next
 * process is killed and started again. Returns what became of these calls, and
 * of one more call of each client when all processes run again.
 */
async function callAndKill(kinds, options) {
  const server = await startServer(stage, 3, options);
  const balancer = await startBalancer(stage, server.ports);
  const clients = await Promise.all(
    kinds.map(async (kind) => {
      const who = { kind: kind.name, principal: principals[0] };
      const caller = await kind.open(balancer.turns, who.principal);
      return { caller, call: () => recordCall(who, caller, "bump") };
    }),
  );
  const calls = [];
  const callAgain = async ({ call }) => {
    while (calls.length < size) calls.push(await call());
  };
  const harms = await killEachSecond(server, () =>
    Promise.all(clients.map(callAgain)),
  );
  const last = await Promise.all(clients.map(({ call }) => call()));
  await Promise.all(clients.map(({ caller }) => caller.close()));
  return { fates: fatesOf(calls, server.records(), harms), last };
}

const olderKinds = [...oursLegacy, sdk1, sdk2Legacy];
const newestKinds = [...oursModern, sdk2Modern];
const [secret] = secrets;
const engineOf = async (library) => ({
  port: (await startEngine(stage)).port,
  library,
});

describe("three processes behind a balancer, of which one is killed each second", () => {
  it.each([
    {
      what: "of 2026-07-28",
      kinds: [...newestKinds, ...newestKinds],
      optionsOf: () => ({}),
    },
    {
      what: "of older revisions with secrets",
      kinds: olderKinds,
      optionsOf: () => ({ secrets: [secret] }),
    },
    ...["redis", "ioredis", "iovalkey"].map((library) => ({
      what: `of all revisions with secrets and an engine, over ${library}`,
      kinds: [...olderKinds, ...newestKinds],
      optionsOf: async () => ({
        secrets: [secret],
        engine: await engineOf(library),
      }),
    })),
  ])(
    "answer each call $what once, if it was not in the killed process",
    async ({ kinds, optionsOf }) => {
      const { fates, last } = await callAndKill(kinds, await optionsOf());
      const counts = Object.entries(fates).map(
        ([fate, { length }]) => `${fate}: ${length}`,
      );
      console.log(counts.join(", "));
      expect(fates).toMatchObject({
        "run twice": [],
        "answered without a run": [],
        lost: [],
      });
      // How many calls meet a kill depends on the machine.
      expect(fates.answered.length).toBeGreaterThan(size / 2);
      expect(last.filter(({ text }) => text === undefined)).toEqual([]);
    },
  );
});

describe("three processes behind a balancer, without `cluster`", () => {
  it.each(olderKinds)(
    "fail each session of $name, which only one process has",
    async (kind) => {
      const server = await startServer(stage, 3);
      const { turns } = await startBalancer(stage, server.ports);
      const attempts = Array.from({ length: 4 }, async () => {
        const who = { kind: kind.name, principal: principals[0] };
        const caller = await kind.open(turns, who.principal);
        const calls = [];
        // By chance, a few calls may all reach that process.
        for (let i = 0; i < 10; i++)
          calls.push(await recordCall(who, caller, "bump"));
        await caller.close().catch(() => {});
        return calls.find(({ error }) => error)?.error;
      });
      for (const result of await Promise.allSettled(attempts))
        expect(String(result.reason ?? result.value)).toMatch(/session/i);
    },
  );
});
