import { memorySharedStore } from "@mcpgen/runtime/cluster";
import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import type { Open } from "../http/kit/server.js";
import { type Json, type Revision, turns } from "../kit/index.js";
import { until, watch } from "../kit/watch.js";
import { declared, tasked } from "../tasks/extension/extended.js";
import { tool, withTasks } from "../tasks/kit.js";
import { at, closingProcesses } from "./kit.js";
import {
  callsAt,
  callsByExtension,
  startTaskProcess,
  type Work,
} from "./tasks.kit.js";

closingProcesses();

/** Reads a task at a process. */
type Read = (process: Open) => Promise<Json>;

/** Starts a task at a process. */
async function startAt(revision: Revision, process: Open): Promise<Read> {
  if (revision === tasked) {
    const { settled, start } = callsByExtension(revision, declared);
    const taskId = await start(process);
    return (other) =>
      settled(other, taskId, "working", "completed", "failed", "cancelled");
  }
  const { get, open, start } = callsAt(revision);
  const session = await open(process);
  const taskId = await start(session);
  return (other) => get(at(other, session), taskId);
}

/** Work that does not end, and is seen to begin. */
function endless() {
  const seen = watch();
  const work: Work = () => (seen.saw("run"), new Promise(() => {}));
  return { seen, work };
}

describe.each([...withTasks, tasked])(
  "a task of a cluster at $revision that another process takes over",
  (revision) => {
    it.each([
      {
        what: "method",
        handlers: {},
        statusMessage:
          "The server that continues the task does not answer tools/call.",
      },
      {
        what: "tool",
        handlers: tools([tool("other", () => "other")]),
        statusMessage: 'There is no tool "work".',
      },
    ])(
      "fails, and says so, if a later release of the server has no such $what",
      async ({ handlers, statusMessage }) => {
        const store = memorySharedStore();
        const { seen, work } = endless();
        const begin = (what: Work | object): Open =>
          startTaskProcess(revision, what, { store, restart: true });
        const [earlier, later] = [begin(work), begin(handlers)];
        const read = await startAt(revision, earlier);
        await seen.until("run");
        await earlier.close();
        await until(async () => (await read(later))["status"] !== "working");
        expect(await read(later)).toMatchObject({
          status: "failed",
          statusMessage,
        });
      },
    );

    it("runs in three processes at most, one after the other", async () => {
      const store = memorySharedStore();
      const { seen, work } = endless();
      const processes: Open[] = Array.from({ length: 4 }, () =>
        startTaskProcess(revision, work, { store, restart: true }),
      );
      const [first, ...others] = processes as [Open, ...Open[]];
      const read = await startAt(revision, first);
      for (const process of others) await read(process);
      const states: unknown[] = [];
      for (const [index, process] of others.entries()) {
        await seen.until("run", Math.min(index + 1, 3));
        await processes[index]?.close();
        states.push((await read(process))["status"]);
      }
      expect(states).toEqual(["working", "working", "failed"]);
      await turns(20);
      expect(seen.events).toHaveLength(3);
    });

    it.each([
      ["none", 0, 0, true],
      ["as many ended ones as its limit", 2, 0, true],
      ["one less than its limit", 0, 1, true],
      ["as many as its limit", 0, 2, false],
    ])(
      "runs in a process that has %s",
      async (_, ended, running, isTakenOver) => {
        const store = memorySharedStore();
        const { seen, work } = endless();
        const one = startTaskProcess(revision, work, { store, restart: true });
        let count = 0;
        const two = startTaskProcess(
          revision,
          (...args) => (count++ < ended ? "done" : work(...args)),
          { store, restart: true, limits: { tasks: 2 } },
        );
        for (let i = 0; i < ended + running; i++) {
          const read = await startAt(revision, two);
          if (i < ended)
            await until(
              async () => (await read(two))["status"] === "completed",
            );
        }
        const read = await startAt(revision, one);
        await seen.until("run", running + 1);
        await one.close();
        expect(await read(two)).toMatchObject({ status: "working" });
        await turns(20);
        expect(seen.events).toHaveLength(running + (isTakenOver ? 2 : 1));
      },
    );

    it("is all that is read of the tasks of a process that has stopped", async () => {
      const store = memorySharedStore();
      const { seen, work } = endless();
      const read = new Set<string>();
      const get = (key: string) => {
        if (key.startsWith("tasks/")) read.add(key);
        return store.get(key);
      };
      let isFirst = true;
      const one = startTaskProcess(
        revision,
        (...args) => (isFirst ? ((isFirst = false), "done") : work(...args)),
        { store, restart: true },
      );
      const ended = await startAt(revision, one);
      await until(async () => (await ended(one))["status"] === "completed");
      await startAt(revision, one);
      await seen.until("run");
      startTaskProcess(revision, work, {
        store: { ...store, get },
        restart: true,
      });
      await turns(20);
      await one.close();
      await seen.until("run", 2);
      await turns(20);
      expect(read.size).toBe(1);
    });

    it("has no more events at the process that it has left", async () => {
      const store = memorySharedStore();
      const { seen, work } = endless();
      const events: string[] = [];
      const [one, two] = [
        startTaskProcess(revision, work, {
          store,
          onTask: ({ kind, status }) => events.push(`${kind}: ${status}`),
        }),
        startTaskProcess(revision, work, { store }),
      ];
      const read = await startAt(revision, one);
      await seen.until("run");
      await one.close();
      expect(await read(two)).toMatchObject({ status: "failed" });
      await turns(20);
      expect(events).toEqual(["created: working"]);
    });
  },
);
