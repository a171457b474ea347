import { cluster, memorySharedStore } from "@mcpgen/runtime/cluster";
import { createHttpHandler, type HttpHandler } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { sendWeb } from "../http/kit/exchange.js";
import { ask, modernPost } from "../http/kit/messages.js";
import { type Open, serversWith } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { errorOf, revisions } from "../kit/index.js";
import { until } from "../kit/watch.js";
import {
  closedAfterTest,
  closingProcesses,
  latest,
  nextNotice,
  secret,
  startProcess,
  subscribing,
} from "./kit.js";

closingProcesses();

const opened = (handler: HttpHandler): Open =>
  closedAfterTest({
    port: 0,
    send: (sent) => sendWeb(handler, sent),
    close: () => handler.close(),
  });

/**
 * A process with two handlers, of which the first may have no sessions, and
 * another process.
 */
function threeHandlers(sessions: boolean) {
  const store = memorySharedStore();
  const shared = cluster({ secrets: [secret], store });
  const servers = serversWith({}, { ...subscribing, cluster: shared });
  const first = createHttpHandler(servers, { cluster: shared, sessions });
  const second = createHttpHandler(servers, { cluster: shared });
  const other = startProcess({ settings: subscribing, cluster: { store } });
  return {
    first: opened(first),
    second: opened(second),
    handler: second,
    other,
  };
}

describe("a process with several handlers", () => {
  it.each([true, false])(
    "stays in its cluster until the last one is closed, however often the first is, with sessions: %s",
    async (sessions) => {
      const { first, second, other } = threeHandlers(sessions);
      await first.close();
      await first.close();
      const stream = await (await Session.start(second, latest)).listen();
      other.notify("toolsListChanged");
      expect(await nextNotice(stream)).toEqual([
        "notifications/tools/list_changed",
        undefined,
      ]);
      stream.leave();
    },
  );

  it("accepts no handler once the last one is closed", async () => {
    const shared = cluster({ secrets: [secret], store: memorySharedStore() });
    const servers = serversWith({}, { ...subscribing, cluster: shared });
    await createHttpHandler(servers, { cluster: shared }).close();
    expect(() => createHttpHandler(servers, { cluster: shared })).toThrow(
      new TypeError(
        "createHttpHandler: cluster: it has ended. Call `cluster` again.",
      ),
    );
  });

  it("stays in it while one of 2026-07-28 listens", async () => {
    const [revision] = revisions.filter(({ isModern }) => isModern) as [
      (typeof revisions)[0],
    ];
    const { first, second, other } = threeHandlers(false);
    await first.close();
    const listen = ask(1, "subscriptions/listen", {
      notifications: { toolsListChanged: true },
    });
    const stream = await second.send(modernPost(revision, listen));
    await stream.message();
    other.notify("toolsListChanged");
    expect((await nextNotice(stream))[0]).toBe(
      "notifications/tools/list_changed",
    );
    stream.leave();
  });

  it("leaves it with the last one", async () => {
    const { first, second, handler, other } = threeHandlers(false);
    const session = await Session.start(other, latest);
    await second.close();
    await first.close();
    await until(async () => {
      const stream = await session.listen({
        "last-event-id": `${handler.health().process}/1.1-1`,
      });
      expect(errorOf(await stream.message())["message"]).toBe(
        "The process that ran this request has ended.",
      );
    });
  });
});
