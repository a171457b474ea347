import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenStore } from "@mcpgen/auth";
import { replayStore } from "@mcpgen/auth/protect";
import { fileStore } from "@mcpgen/auth/login";
import {
  memorySharedStore,
  type MemorySharedStore,
} from "@mcpgen/runtime/cluster";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  closingProcesses,
  secret,
  startProcess,
  subscribing,
  VirtualClock,
} from "../runtime/cluster/kit.js";
import { callsAt, startTaskProcess } from "../runtime/cluster/tasks.kit.js";
import { ask, call } from "../runtime/http/kit/messages.js";
import { type Json, resultOf, textOf, turns } from "../runtime/kit/index.js";
import { until } from "../runtime/kit/watch.js";
import {
  clustered,
  continueCall,
  elicitationId,
  grant,
  grantKey,
  legacy,
  listTools,
  proofKey,
  shapesOf,
  tasked,
  workThat,
  writeAll,
  type Written,
} from "./write.js";

/**
 * What a release has written, by the number of its formats. A new form of
 * something gets a new number, and a new file here: with
 * `MCPGEN_FORMATS=record`, this test writes a file that does not exist.
 */
const path = join(import.meta.dirname, "written-1.json");
if (process.env["MCPGEN_FORMATS"] === "record" && !existsSync(path))
  await writeFile(path, `${JSON.stringify(await writeAll(), null, 2)}\n`);
const written = JSON.parse(await readFile(path, "utf8")) as Written;

closingProcesses();
afterEach(() => void vi.useRealTimers());

/** A store with what was written. */
async function filledStore(): Promise<MemorySharedStore> {
  const store = memorySharedStore();
  for (const [key, value] of Object.entries(written.values))
    await store.put(key, value, { ttl: 1e12, version: "1" });
  return store;
}

/** A minute after it was written. */
const soon = (): void =>
  void vi.useFakeTimers({ toFake: ["Date"], now: written.date + 60_000 });

describe("what another release has written", () => {
  it("has a number in each key, so that a form that a release does not know is not there for it", () => {
    expect(Object.keys(written.values)).not.toEqual([]);
    for (const key of Object.keys(written.values))
      expect(key).toMatch(/^(index\/)?[a-z]+\/\d+(\/|$)/);
    expect(written.sessions.sealed).toMatch(/^v1\./);
    expect(written.sessions.stored).toMatch(/^s1\./);
  });

  it("has the members that this release writes under the same number", async () => {
    const shapes = await shapesOf(await writeAll());
    for (const [kind, shape] of Object.entries(await shapesOf(written)))
      // An entry may be about to be written.
      if (shapes[kind] || !kind.startsWith("entry "))
        expect([kind, shapes[kind]]).toEqual([kind, shape]);
  });

  it.each(["sealed", "stored"] as const)(
    "opens as a session whose id is %s, with the log level that its client has set",
    async (kind) => {
      const store = await filledStore();
      const one = startProcess({
        cluster: { ...clustered, store },
        settings: subscribing,
      });
      const answer = await one.send({
        body: call(3, "log", {}, { progressToken: 1 }),
        headers: {
          "mcp-session-id": written.sessions[kind],
          "mcp-protocol-version": legacy.revision,
        },
      });
      expect(answer.status).toBe(200);
      const body = await answer.text();
      expect(body).toContain("an error");
      expect(body).not.toContain("small talk");
    },
  );

  it("is read as a task that has ended, and continues as one whose process has stopped", async () => {
    soon();
    const store = await filledStore();
    const clock = new VirtualClock();
    const errors: string[] = [];
    const computed: string[] = [];
    const one = startTaskProcess(
      tasked,
      workThat(() => true, computed),
      {
        store,
        clock,
        list: true,
        restart: true,
        limits: { ttl: 2_000_000_000 },
        onError: (error) => void errors.push(error.message),
      },
    );
    const { get, open } = callsAt(tasked);
    const session = await open(one, { elicitation: {} });
    const { completed, asking } = written.tasks;
    expect(await get(session, completed)).toMatchObject({
      taskId: completed,
      status: "completed",
    });
    const result = async (taskId: string) =>
      session.ask(ask(3, "tasks/result", { taskId }));
    expect(textOf(resultOf(await result(completed)))).toBe("A loaf");
    const list = resultOf(await session.ask(ask(4, "tasks/list")));
    expect(list["tasks"]).toMatchObject([
      { taskId: completed },
      { taskId: asking },
    ]);
    await clock.pass(30_000);
    await until(async () => {
      await clock.pass(1000);
      const { status } = await get(session, asking);
      return status === "input_required";
    });
    expect(computed).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("is read as the entries of the bus, without an error", async () => {
    const errors: string[] = [];
    const warnings: string[] = [];
    const inner = memorySharedStore();
    const one = startProcess({
      cluster: { ...clustered, store: inner },
      settings: {
        ...subscribing,
        onError: (error) => void errors.push(error.message),
        onWarning: (text) => void warnings.push(text),
      },
    });
    await turns(5);
    await inner.append("bus", written.entries, { ttl: 1000, keep: 1000 });
    await turns(20);
    expect(one.handler.health().isConnected).toBe(true);
    expect([errors, warnings]).toEqual([[], []]);
  });

  it("continues as a call that waits for an answer, and as a list", async () => {
    expect(textOf(await continueCall(written.requestState))).toBe("accept");
    const { tools } = await listTools(written.cursor);
    expect(tools).toMatchObject([{ name: "c" }]);
  });

  it("is read as tokens, in a file and in a store", async () => {
    const folder = await mkdtemp(join(tmpdir(), "formats-"));
    const [name, text] = written.file;
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o600);
    expect(await fileStore({ folder }).get(grantKey)).toEqual(grant);
    await rm(folder, { recursive: true });
    const shared = tokenStore(await filledStore(), { secrets: [secret] });
    expect(await shared.get(grantKey)).toEqual(grant);
  });

  it("is read as the page that a client was sent to, which then completes", async () => {
    const cluster = { ...clustered, store: await filledStore() };
    const one = startProcess({ cluster, settings: subscribing });
    const stream = await one.send({
      method: "GET",
      headers: {
        "mcp-session-id": written.sessions.stored,
        "mcp-protocol-version": legacy.revision,
      },
    });
    expect(stream.status).toBe(200);
    one.notify("elicitationComplete", { elicitationId });
    // What the client may have missed comes first.
    const completed = "notifications/elicitation/complete";
    let message: Json;
    do message = await stream.message();
    while (message["method"] !== completed);
    expect(message["params"]).toMatchObject({ elicitationId });
    stream.leave();
  });

  it("is read as a proof that was used, and as a lock that another process holds", async () => {
    const store = await filledStore();
    const proofs = replayStore(store);
    const later = Date.now() + 60_000;
    expect(await proofs.add(proofKey, later, undefined)).toBe(false);
    expect(await proofs.add("another proof", later, undefined)).toBe(true);
    const shared = tokenStore(store, { secrets: [secret] });
    const steps: string[] = [];
    const work = shared.lock?.(grantKey, async () => void steps.push("work"));
    await turns(20);
    steps.push("free");
    const [name = ""] = Object.keys(written.values).filter((key) =>
      key.startsWith("lock/1/"),
    );
    await store.put(name, undefined, { ttl: 1, version: "2" });
    await work;
    expect(steps).toEqual(["free", "work"]);
  });
});

describe("what a later release has written", () => {
  it("is left alone: a task of an unknown number is none of this process, and its index stays", async () => {
    const store = memorySharedStore();
    const values = new Map<string, string>();
    for (const [key, value] of Object.entries(written.values))
      values.set(key.replace("tasks/2/", "tasks/3/"), value);
    for (const [key, value] of values)
      await store.put(key, value, { ttl: 1e12, version: "1" });
    const errors: string[] = [];
    const one = startTaskProcess(
      tasked,
      workThat(() => true),
      {
        store,
        list: true,
        onError: (error) => void errors.push(error.message),
      },
    );
    const { open } = callsAt(tasked);
    const session = await open(one);
    const { completed: taskId } = written.tasks;
    const answer = await session.ask(ask(2, "tasks/get", { taskId }));
    expect(answer).toMatchObject({ error: { code: -32602 } });
    const list = resultOf(await session.ask(ask(4, "tasks/list")));
    expect(list["tasks"]).toEqual([]);
    expect(errors).toEqual([]);
  });
});
