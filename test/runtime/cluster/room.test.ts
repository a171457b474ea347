import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask, call, hello, tell } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { errorOf, type Json, resultOf, turns } from "../kit/index.js";
import { until } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  type Process,
  startProcess,
  subscribing,
  VirtualClock,
} from "./kit.js";
import { storeWithClock } from "../../../src/runtime/cluster/store.js";
import { isWhole } from "../../whole.js";

closingProcesses();

/**
 * A store that says what it has, with the time that each value has to live, in
 * milliseconds.
 */
function counted(store: SharedStore = memorySharedStore()) {
  const values = new Map<
    string,
    { readonly length: number; readonly ttl: number }
  >();
  const put: typeof store.put = async (key, value, options) => {
    const isDone = await store.put(key, value, options);
    if (isDone && value === undefined) values.delete(key);
    else if (isDone)
      values.set(key, { length: value?.length ?? 0, ttl: options.ttl });
    return isDone;
  };
  const of = (kind: string) =>
    [...values]
      .filter(([key]) => key.startsWith(`${kind}/`))
      .map(([, one]) => one);
  return {
    store: { ...store, put },
    of,
    sizeOf: (...kinds: string[]) =>
      kinds.flatMap(of).reduce((sum, { length }) => sum + length, 0) /
      1_048_576,
  };
}

/** What a client says about itself that does not fit into an id. */
const long = { experimental: { x: { text: "x".repeat(62_000) } } };
/** A subscription that takes a twelfth of the room. */
const large = ask(1, "resources/subscribe", {
  uri: `a://${"x".repeat(480_000)}`,
});
/** Fills the room of anonymous clients with sessions that are in use. */
async function fill(process: Process): Promise<Session[]> {
  for (const sessions: Session[] = []; ;) {
    const session = await Session.start(process, latest);
    const answer = await session.post(large);
    if (answer.status !== 200 || "error" in (await answer.json()))
      return sessions;
    sessions.push(session);
  }
}
const minute = 60_000;
const maxSize = 8;

describe("what anonymous clients make a store keep", () => {
  it.runIf(isWhole)(
    "has a limit if they only initialize, and lives for minutes",
    async () => {
      const { store, of, sizeOf } = counted();
      const process = startProcess({ cluster: { store } });
      for (let i = 0; i < 120; i++)
        expect(
          (await process.send({ body: hello(latest.revision, long) })).status,
        ).toBe(200);
      expect(sizeOf("opened")).toBeLessThan(maxSize);
      expect(
        Math.max(...of("opened").map(({ ttl }) => ttl)),
      ).toBeLessThanOrEqual(10 * minute);
    },
  );

  it("goes with the session that makes room for another", async () => {
    const { store, of } = counted();
    const process = startProcess({
      cluster: { store },
      http: { limits: { sessions: 3 } },
    });
    for (let i = 0; i < 10; i++)
      await process.send({ body: hello(latest.revision, long) });
    await until(() => of("opened").length <= 3);
  });

  it("is nothing if there is no room for a session, or it is not opened", async () => {
    const { store, of } = counted();
    const process = startProcess({
      cluster: { store },
      http: { limits: { sessions: 0 } },
    });
    expect(
      (await process.send({ body: hello(latest.revision, long) })).status,
    ).toBe(503);
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const other = startProcess({ cluster: { store }, settings: { onError } });
    for (const capabilities of [long, {}]) {
      const { params } = hello(latest.revision, capabilities) as Json;
      const clientInfo = { name: 1 };
      const invalid = ask(1, "initialize", { ...(params as Json), clientInfo });
      const answer = await other.send({ body: invalid });
      expect(errorOf(await answer.json())["code"]).toBe(-32602);
    }
    await until(() => of("opened").length === 0);
    expect(errors).toEqual([]);
  });

  it("lives as long as the session once it has sent a request, at any process", async () => {
    const { store, of } = counted();
    const all = [
      startProcess({ cluster: { store } }),
      startProcess({ cluster: { store } }),
    ];
    for (const process of all) {
      const session = await Session.start(all[0] as Process, latest, long);
      await at(process, session).post(ask(1, "ping"));
    }
    await until(() => of("opened").every(({ ttl }) => ttl > 1000 * minute));
    expect(of("opened")).toHaveLength(2);
  });

  it("is there an hour later for each use of a session, a stream that only listens too, and gone after a mere notification", async () => {
    let hours = 0;
    const { store, of } = counted(storeWithClock(() => hours * 60 * minute));
    const process = startProcess({ cluster: { store } });
    const start = (): Promise<Session> => Session.start(process, latest, long);
    const notified = await start();
    await notified.post(tell("notifications/roots/list_changed"));
    const asked = await start();
    await asked.post(ask(1, "ping"));
    const listening = await start();
    const stream = await listening.listen();
    await until(
      () => of("opened").filter(({ ttl }) => ttl > 60 * minute).length === 2,
    );
    hours++;
    const later = startProcess({ cluster: { store } });
    const statuses = [asked, listening, notified].map(
      async (session) => (await at(later, session).post(ask(2, "ping"))).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
    stream.leave();
  });

  it("goes with a session that a client ends", async () => {
    const { store, of } = counted();
    const all = [
      startProcess({ cluster: { store } }),
      startProcess({ cluster: { store } }),
    ];
    const session = await Session.start(all[0] as Process, latest, long);
    await session.post(ask(1, "ping"));
    expect(
      (await at(all[1] as Process, session).send({ method: "DELETE" })).status,
    ).toBe(204);
    expect(of("opened")).toEqual([]);
    for (const process of all)
      await until(
        async () =>
          (await at(process, session).post(ask(2, "ping"))).status === 404,
      );
  });

  it("is counted once, however often it is written", async () => {
    const { store } = counted();
    const process = startProcess({ cluster: { store }, settings: subscribing });
    for (const session of await fill(process))
      for (const method of ["unsubscribe", "subscribe"])
        expect(
          resultOf(
            await session.ask({ ...large, method: `resources/${method}` }),
          ),
        ).toEqual({});
  });

  it("does not end a session that is in use, also if others fill their room", async () => {
    const { store, sizeOf } = counted();
    const process = startProcess({ cluster: { store }, settings: subscribing });
    const used = await Session.start(process, latest, long);
    const subscriber = await Session.start(process, latest);
    await used.post(ask(1, "ping"));
    await subscriber.ask(ask(1, "resources/subscribe", { uri: "a://1" }));
    await fill(process);
    for (let i = 0; i < 10; i++)
      await process.send({ body: hello(latest.revision, long) });
    expect(sizeOf("opened", "session")).toBeLessThan(maxSize);
    const other = startProcess({ cluster: { store }, settings: subscribing });
    for (const session of [used, subscriber])
      expect((await at(other, session).post(ask(3, "ping"))).status).toBe(200);
  });

  it.runIf(isWhole)(
    "is no reason to refuse a caller who is known",
    async () => {
      const { store } = counted();
      const http = {
        authenticate: (request: Request) => {
          const principal = request.headers.get("authorization");
          return principal === null ? {} : { principal };
        },
      };
      const process = startProcess({
        cluster: { store, sessions: "stored" },
        http,
        settings: subscribing,
      });
      await fill(process);
      const ada = await Session.start(process, latest, long, {
        authorization: "ada",
      });
      expect(
        resultOf(
          await ada.ask(ask(1, "resources/subscribe", { uri: "a://1" })),
        ),
      ).toEqual({});
      expect((await ada.send({ method: "DELETE" })).status).toBe(204);
    },
  );

  it("has a limit for the subscriptions of many sessions, of which the oldest ones end", async () => {
    const { store, sizeOf } = counted();
    const process = startProcess({
      cluster: { store },
      settings: subscribing,
      http: { limits: { sessions: 5 } },
    });
    const other = startProcess({ cluster: { store }, settings: subscribing });
    const sessions: Session[] = [];
    for (let i = 0; i < 20; i++) {
      const session = await Session.start(process, latest);
      sessions.push(session);
      expect(resultOf(await session.ask(large))).toEqual({});
    }
    await until(() => sizeOf("session") < maxSize);
    // A session that has lost what it had set ends.
    await until(
      async () =>
        (await at(other, sessions[0] as Session).post(ask(2, "ping")))
          .status === 404,
    );
    expect(
      (await at(other, sessions.at(-1) as Session).post(ask(2, "ping"))).status,
    ).toBe(200);
  });

  it.runIf(isWhole)(
    "has a limit for answers, of which those of others are not dropped",
    async () => {
      const { store, sizeOf } = counted();
      const all = [0, 1].map(() =>
        startProcess({ cluster: { store }, settings: subscribing }),
      ) as [Process, Process];
      const forgers = await Promise.all(
        [...Array(9)].map(() => Session.start(all[1], latest)),
      );
      for (let i = 0; i < 3; i++)
        for (const forger of forgers) {
          const id = `${all[0].name}/${1000 + i}`;
          await forger.post({
            jsonrpc: "2.0",
            id,
            result: { text: "x".repeat(600_000) },
          });
        }
      const session = await Session.start(all[0], latest, { roots: {} });
      const stream = await session.post(call(2, "roots"));
      const { id } = await stream.message();
      const uri = `file:///${"y".repeat(5000)}`;
      await at(all[1], session).post({
        jsonrpc: "2.0",
        id,
        result: { roots: [{ uri }] },
      });
      expect(JSON.stringify(await stream.message())).toContain(uri);
      await until(() => sizeOf("answer") > 1);
      expect(sizeOf("answer")).toBeLessThan(maxSize);
    },
  );

  it("is nothing for an answer to a process that does not run", async () => {
    const { store, of } = counted();
    const clock = new VirtualClock();
    const [process, other] = [0, 1].map(() =>
      startProcess({ cluster: { store }, clock }),
    ) as [Process, Process];
    const session = await Session.start(process, latest);
    const answer = (name: string, id: number): Promise<unknown> =>
      session.post({ jsonrpc: "2.0", id: `${name}/${id}`, result: {} });
    let id = 0;
    // It is certain once a process has heard of all others for a whole lease.
    await until(async () => {
      await clock.pass(1000);
      const before = of("answer").length;
      await answer("0123456789abcdef", ++id);
      await answer(other.name, id);
      await until(() => of("answer").length > before);
      await turns(5);
      return of("answer").length === before + 1;
    });
  });
});
