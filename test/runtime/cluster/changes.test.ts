import type { SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask, call } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { type Json, resultOf, turns } from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  listening,
  nextNotice,
  type Process,
  processes,
  subscribing,
} from "./kit.js";

closingProcesses();

/**
 * A store whose next reply of a method about a session is held, with what it
 * says by then.
 */
function holding(store: SharedStore) {
  const held = gate<void>();
  let next: "get" | "put" | undefined;
  let isHeld = false;
  async function hold<T>(
    method: "get" | "put",
    key: string,
    work: Promise<T>,
  ): Promise<T> {
    const reply = await work;
    if (next !== method || !key.startsWith("session/")) return reply;
    next = undefined;
    isHeld = true;
    await held.ended;
    return reply;
  }
  const slow: SharedStore = {
    ...store,
    get: (key) => hold("get", key, store.get(key)),
    put: (key, ...rest) => hold("put", key, store.put(key, ...rest)),
  };
  return {
    slow,
    hold: (method: "get" | "put") => void (next = method),
    isHeld: () => isHeld,
    release: () => held.end(),
  };
}

const subscribe = (uri: string): Json =>
  ask(uri, "resources/subscribe", { uri });

/** Whether the level of a session lets an error through. */
async function logsErrors(
  process: Process,
  session: Session,
): Promise<boolean> {
  const answer = await at(process, session).post(
    call(2, "log", {}, { progressToken: 1 }),
  );
  return (await answer.text()).includes("an error");
}

/** The URIs in the notifications that a new stream of a session receives. */
async function followedAt(
  process: Process,
  session: Session,
  count: number,
): Promise<unknown[]> {
  const stream = await listening(process, session);
  const uris = new Set<unknown>();
  while (uris.size < count) {
    const [, uri] = await nextNotice(stream);
    if (uri !== undefined) uris.add(uri);
  }
  stream.leave();
  return [...uris].sort();
}

describe("what the client of a session has set", () => {
  it("RES-05 stays, though a process that has no room for all of its subscriptions changes its level", async () => {
    const { all, start } = processes(1);
    const session = await Session.start(all[0], latest);
    const uris = ["a://1", "a://2", "a://3"];
    for (const uri of uris) await session.ask(subscribe(uri));
    const settings = {
      ...subscribing,
      limits: { subscriptions: 1 },
      onError: () => {},
    };
    const small = start({ settings });
    const level = ask(1, "logging/setLevel", { level: "error" });
    expect(resultOf(await at(small, session).ask(level))).toEqual({});
    expect(await followedAt(start(), session, 3)).toEqual(uris);
  });

  it("LOG-02 is the last level at each process, in whichever order it gets replies of the store", async () => {
    const { all, start, store } = processes(1);
    const { slow, hold, isHeld, release } = holding(store);
    const other = start({ cluster: { store: slow } });
    const session = await Session.start(all[0], latest);
    const stream = await listening(other, session);
    await at(other, session).ask(subscribe("a://1"));
    const setLevel = (level: string): Promise<Json> =>
      session.ask(ask(1, "logging/setLevel", { level }));
    /**
     * Resolves once the other process has heard of all changes, because entries
     * arrive in their order.
     */
    const hear = async (): Promise<void> => {
      all[0].notify("resourceUpdated", "a://1");
      await until(async () => (await nextNotice(stream))[1] === "a://1");
    };
    expect(await logsErrors(other, session)).toBe(true);
    hold("get");
    await setLevel("debug");
    await until(isHeld);
    await setLevel("emergency");
    for (let i = 0; i < 3; i++) await hear();
    release();
    await until(async () => !(await logsErrors(other, session)));
    for (let i = 0; i < 3; i++) await hear();
    expect(await logsErrors(other, session)).toBe(false);
    stream.leave();
  });

  it("LOG-02 is the last level that a process has got while the store did not answer", async () => {
    const { all, start, store } = processes(1);
    const { slow, hold, isHeld, release } = holding(store);
    const other = start({ cluster: { store: slow } });
    const session = await Session.start(other, latest);
    await session.ask(subscribe("a://1"));
    hold("get");
    const answers: Promise<Json>[] = [];
    for (const level of ["debug", "info", "emergency"]) {
      answers.push(session.ask(ask(level, "logging/setLevel", { level })));
      await until(isHeld);
      await turns(5);
    }
    release();
    for (const answer of answers) expect(resultOf(await answer)).toEqual({});
    expect(await logsErrors(all[0], session)).toBe(false);
  });
});
