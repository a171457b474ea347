import type { SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask, call } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { resultOf, textOf } from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  listening,
  nextNotice,
  processes,
} from "./kit.js";

closingProcesses();

/**
 * A process that runs, and one that serves requests before it follows the log:
 * until `follow` is called.
 */
function starting() {
  const { all, start, store } = processes(1);
  const held = gate<void>();
  const slow: SharedStore = {
    ...store,
    follow: (...args) => held.ended.then(() => store.follow(...args)),
  };
  const told = (): Promise<boolean> =>
    until(() => all[0].handler.health().unsent === 0);
  const started = start({ cluster: { store: slow } });
  return { running: all[0], started, start, told, follow: () => held.end() };
}

describe("a process that serves requests before it follows the log", () => {
  it("SESS-05 SESS-07 hears that a session ended before that", async () => {
    const { running, started, told, follow } = starting();
    const session = await Session.start(running, latest);
    const status = async (): Promise<number> =>
      (await at(started, session).post(ask(1, "ping"))).status;
    expect(await status()).toBe(200);
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
    await told();
    follow();
    await until(async () => (await status()) === 404);
  });

  it("gets the answer to its question that another process received meanwhile", async () => {
    const { running, started, told, follow } = starting();
    const session = await Session.start(running, latest, { roots: {} });
    const stream = await at(started, session).post(call(1, "roots"));
    const { id } = await stream.message();
    await session.post({
      jsonrpc: "2.0",
      id,
      result: { roots: [{ uri: "file:///home" }] },
    });
    await told();
    follow();
    expect(textOf(resultOf(await stream.message()))).toBe("file:///home");
  });

  it("tells its listeners what was announced meanwhile", async () => {
    const { running, started, start, follow } = starting();
    const stream = await listening(
      started,
      await Session.start(started, latest),
    );
    const other = start();
    const told = await listening(other, await Session.start(other, latest));
    running.notify("toolsListChanged");
    await until(
      async () =>
        (await nextNotice(told))[0] === "notifications/tools/list_changed",
    );
    follow();
    await until(
      async () =>
        (await nextNotice(stream))[0] === "notifications/tools/list_changed",
    );
    for (const one of [stream, told]) one.leave();
  });
});
