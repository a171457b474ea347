import { EventEmitter } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { storeCases } from "@mcpgen/runtime/cluster/test";
import { valkey } from "@mcpgen/runtime/cluster/valkey";
import { afterEach, describe, expect, it, vi } from "vitest";
import { pause } from "../../../src/common/timing.js";
import { until } from "../kit/watch.js";

/**
 * A client of the shape of ioredis, whose commands are answered by a function.
 */
function clientOf(answer: (command: string) => Promise<unknown>) {
  const client: object = Object.assign(new EventEmitter(), {
    call: (command: string) => answer(command),
    connect: async () => {},
    duplicate: () => client,
    disconnect: () => {},
  });
  return client as never;
}

/**
 * An engine with the commands that the store sends. It does what the scripts
 * say; the suite of the cluster runs them.
 */
function engine() {
  const values = new Map<string, { text: string; end: number }>();
  const logs = new Map<string, { entries: [string, string][]; end: number }>();
  const clients = new Set<EventEmitter>();
  const appended = new EventEmitter().setMaxListeners(0);
  let count = 0;
  const entriesAfter = (name: string, cursor: string): [string, string][] => {
    const log = logs.get(name);
    const all = log && log.end > Date.now() ? log.entries : [];
    return all.filter(([id]) => parseInt(id) > parseInt(cursor));
  };
  const shown = (all: [string, string][]): unknown[] =>
    all.map(([id, value]) => [id, ["v", value]]);
  const commands: Record<string, (...args: string[]) => unknown> = {
    INFO: () => "maxmemory_policy:noeviction",
    GET(name) {
      const value = values.get(name as string);
      return value && value.end > Date.now() ? value.text : null;
    },
    EVAL(script = "", _, name = "", ...args) {
      if (script.includes("XADD")) {
        const [ttl, keep, ...added] = args;
        const log = logs.get(name) ?? { entries: [], end: 0 };
        for (const one of added) log.entries.push([`${++count}-0`, one]);
        log.entries = log.entries.slice(-Number(keep));
        logs.set(name, { ...log, end: Date.now() + Number(ttl) });
        appended.emit("entry");
        return 1;
      }
      const [version, replaced, ttl, text = ""] = args;
      const [before = ""] = String(commands["GET"]?.(name) ?? "").split("\n");
      if (replaced !== " " && before !== replaced && before !== version)
        return 0;
      if (version === "") values.delete(name);
      else values.set(name, { text, end: Date.now() + Number(ttl) });
      return 1;
    },
    XREVRANGE: (name = "", _, cursor = "") =>
      shown(entriesAfter(name, `${parseInt(cursor) - 1 || 0}`).slice(-1)),
    async XREAD(_, limit, __, wait, ___, name = "", cursor = "") {
      const isOver = pause(Number(wait));
      while (entriesAfter(name, cursor).length === 0) {
        const news = new Promise((resolve) => appended.once("entry", resolve));
        if (!(await Promise.race([news, isOver]))) break;
      }
      // As a network does, it takes a moment.
      await pause(5);
      const found = entriesAfter(name, cursor).slice(0, Number(limit));
      return found.length > 0 ? [[name, shown(found)]] : null;
    },
  };
  const connect = (): object => {
    const client = Object.assign(new EventEmitter(), {
      status: "ready",
      call: async (command: string, ...args: string[]) =>
        commands[command]?.(...args),
      connect: async () => {},
      duplicate: connect,
      disconnect: () => void clients.delete(client),
    });
    clients.add(client);
    return client;
  };
  return {
    connect: () => connect() as never,
    disconnect() {
      for (const client of clients) client.emit("close");
    },
  };
}

describe("a store in Valkey", () => {
  const { connect, disconnect } = engine();
  it.each(storeCases)("$name", ({ run }) =>
    run({ open: () => valkey(connect()), disconnect }),
  );

  it("keeps nothing of the entries that it has passed on", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const replies: WeakRef<object>[] = [];
    const client = clientOf(async (command) => {
      if (command !== "XREAD") return [];
      await new Promise((resolve) => setImmediate(resolve));
      if (replies.length >= 100) return new Promise(() => {});
      const reply = [["log", [[`${replies.length + 1}-0`, ["v", "text"]]]]];
      replies.push(new WeakRef(reply));
      return reply;
    });
    const stop = await valkey(client, { onWarning: () => {} }).follow(
      "log",
      () => {},
      () => {},
    );
    await until(() => replies.length === 100);
    await until(() => {
      collect();
      return replies.filter((reply) => reply.deref()).length < 5;
    });
    stop();
  });

  it("says that entries may be lost once its connection has broken, and not before", async () => {
    const seen: string[] = [];
    const replies = [
      [],
      [["log", [["1-0", ["v", "1"]]]]],
      new Error("It broke."),
      [["log", [["2-0", ["v", "2"]]]]],
    ];
    const client = clientOf(async (command) => {
      if (command !== "XREAD") return [];
      const reply = replies.shift() ?? new Promise(() => {});
      if (reply instanceof Error) throw reply;
      return reply;
    });
    const stop = await valkey(client, { onWarning: () => {} }).follow(
      "log",
      ({ value }) => seen.push(value),
      () => seen.push("lost"),
    );
    await until(() => seen.includes("2"));
    stop();
    expect(seen).toEqual(["1", "lost", "2"]);
  });

  it("disconnects the duplicate of a client once, because a timer of ioredis would keep the process running", async () => {
    let count = 0;
    let reads = 0;
    const client = Object.assign(new EventEmitter(), {
      call: async (command: string) => (command === "XREAD" ? undefined : []),
      duplicate: () => copy,
      disconnect: () => {},
    });
    const copy = Object.assign(new EventEmitter(), {
      // The second command to read waits for entries.
      call: (command: string) =>
        command === "XREAD" && reads++ > 0
          ? new Promise(() => {})
          : Promise.resolve([]),
      connect: async () => {},
      duplicate: () => copy,
      disconnect() {
        count++;
        queueMicrotask(() => copy.emit("close"));
      },
    });
    const ignore = (): void => {};
    const stop = await valkey(client as never, { onWarning: ignore }).follow(
      "log",
      ignore,
      ignore,
    );
    stop();
    stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(count).toBe(1);
  });

  it("sends a command once its client of ioredis is connected again", async () => {
    const client: { status: string; on(): void; duplicate(): void } = clientOf(
      async (command) => (command === "GET" ? "1\ntext" : ""),
    );
    client.status = "reconnecting";
    const value = valkey(client as never, { onWarning: () => {} }).get("key");
    setTimeout(() => (client.status = "ready"), 50);
    expect(await value).toEqual({ version: "1", value: "text" });
  });

  it.each(["ioredis", "node-redis"])(
    "lets a client of %s connect anew, once, if the engine is a read-only replica",
    async (library) => {
      const seen: unknown[] = [];
      const refuse = async (): Promise<never> => {
        throw new Error(
          "READONLY You can't write against a read only replica.",
        );
      };
      const client = Object.assign(new EventEmitter(), {
        duplicate: () => client,
        status: "ready",
        isOpen: true,
        connect: async () => void seen.push("connect"),
        ...(library === "ioredis"
          ? {
              call: refuse,
              disconnect: (isForNow: boolean) =>
                seen.push(isForNow ? "disconnect for now" : "disconnect"),
            }
          : { sendCommand: refuse, destroy: () => seen.push("destroy") }),
      }) as never;
      const store = valkey(client, { onWarning: () => {} });
      for (let i = 0; i < 2; i++)
        await expect(
          store.put("key", "value", { ttl: 1000, version: "1" }),
        ).rejects.toThrow("READONLY");
      expect(seen).toEqual(
        library === "ioredis" ? ["disconnect for now"] : ["destroy", "connect"],
      );
    },
  );

  it("takes back a command that nobody waits for any more, so that none piles up in a client that is not connected", async () => {
    const signals: AbortSignal[] = [];
    const client = Object.assign(new EventEmitter(), {
      isOpen: true,
      sendCommand(
        _: readonly string[],
        { abortSignal }: { abortSignal?: AbortSignal } = {},
      ) {
        if (abortSignal) signals.push(abortSignal);
        return new Promise<unknown>(() => {});
      },
      duplicate: () => client as never,
      connect: async () => {},
      destroy: () => {},
    });
    const store = valkey(client, { timeout: 20 });
    await expect(store.get("key")).rejects.toThrow(
      "did not answer within 20 ms",
    );
    expect(signals).toHaveLength(2);
    await until(() => signals.every(({ aborted }) => aborted));
  });

  describe("while time stands still", () => {
    afterEach(() => void vi.useRealTimers());

    /** Follows the log of an engine, with the replies to reads in this order. */
    async function following(...replies: (() => unknown)[]) {
      vi.useFakeTimers({
        toFake: ["setTimeout", "clearTimeout", "performance"],
      });
      const sent: string[] = [];
      const received: string[] = [];
      const client = clientOf(async (command) => {
        sent.push(command);
        if (command !== "XREAD") return [];
        const reply = replies.shift() ?? (() => new Promise(() => {}));
        return reply();
      });
      const stop = await valkey(client, { onWarning: () => {} }).follow(
        "log",
        ({ value }) => received.push(value),
        () => received.push("lost"),
      );
      const reads = (): number =>
        sent.filter((command) => command === "XREAD").length;
      await settle();
      return { sent, received, reads, stop };
    }
    /** Lets happen what waits for no time. */
    async function settle(): Promise<void> {
      for (let i = 0; i < 20; i++)
        await new Promise((resolve) => setImmediate(resolve));
    }
    const nothing = () => null;
    /** An engine that waits before it says that there is nothing. */
    const nothingAfter = (time: number) => () => {
      vi.advanceTimersByTime(time);
      return null;
    };
    const entry = (id: number) => () => [["log", [[`${id}-0`, ["v", id]]]]];
    const broken = (): never => {
      throw new Error("It broke.");
    };

    it.each([
      [0, 500],
      [1, 499],
      [249, 251],
      [250, 0],
      [499, 0],
    ])(
      "reads the log of an engine that waits only %i ms for entries once more after %i ms",
      async (waited, rest) => {
        const { reads, stop } = await following(nothing, nothingAfter(waited));
        if (rest > 0) {
          await vi.advanceTimersByTimeAsync(rest - 1);
          await settle();
          expect(reads()).toBe(2);
          await vi.advanceTimersByTimeAsync(1);
          await settle();
        }
        expect(reads()).toBe(3);
        stop();
      },
    );

    it("reads on at once after an entry", async () => {
      const entries = [1, 2, 3].map(entry);
      const { received, stop } = await following(nothing, ...entries);
      expect(received).toEqual([1, 2, 3]);
      stop();
    });

    it("connects again after 200 ms each time that it cannot, and says that entries may be lost only then", async () => {
      const { sent, received, stop } = await following(
        nothing,
        broken,
        broken,
        entry(1),
      );
      const opens = (): number =>
        sent.filter((command) => command === "XREVRANGE").length;
      for (const count of [1, 2]) {
        await vi.advanceTimersByTimeAsync(199);
        await settle();
        expect([opens(), received]).toEqual([
          count,
          Array(count - 1).fill("lost"),
        ]);
        await vi.advanceTimersByTimeAsync(1);
        await settle();
      }
      expect(received).toEqual(["lost", "lost", 1]);
      stop();
    });
  });

  it.each([
    ["get", "QUEUED?", 7],
    ["get", "a list", ["text"]],
    ["put", "a status", "OK"],
    ["put", "nothing", null],
    ["put", "another number", 2],
  ] as const)(
    "rejects %s if the engine answers with %s, which says nothing about the value",
    async (method, _, reply) => {
      const store = valkey(clientOf(async () => reply));
      const work =
        method === "get"
          ? store.get("key")
          : store.put("key", "value", { ttl: 1, version: "1" });
      await expect(work).rejects.toThrow(
        /^The engine answered (GET|EVAL) with/,
      );
    },
  );
});

/** A client of a library, whose engine answers as the function says. */
function clientLike(
  library: "ioredis" | "node-redis",
  answer: (command: string) => Promise<unknown>,
  copy: { connect?: () => Promise<void> } = {},
) {
  const seen: string[] = [];
  const make = (name: string): object => {
    const note = (what: string): void => void seen.push(`${name} ${what}`);
    const connect = async (): Promise<void> => {
      note("connect");
      if (name === "copy") await copy.connect?.();
    };
    return Object.assign(new EventEmitter(), {
      duplicate: () => make("copy"),
      status: "ready",
      isOpen: true,
      connect,
      ...(library === "ioredis"
        ? { call: answer, disconnect: () => note("disconnect") }
        : {
            sendCommand: (parts: readonly string[], _options: object) =>
              answer(String(parts[0])),
            destroy: () => note("destroy"),
          }),
    });
  };
  return { client: make("client") as never, seen };
}

describe.each(["ioredis", "node-redis"] as const)(
  "a store over a client of %s",
  (library) => {
    const ignore = (): void => {};
    const options = { onWarning: ignore };
    const closed = library === "ioredis" ? "copy disconnect" : "copy destroy";

    it("fails to follow a log that its user may not read, and leaves no connection open", async () => {
      const { client, seen } = clientLike(library, async (command) => {
        if (command === "XREAD") throw new Error("NOPERM no right to XREAD");
        return [];
      });
      await expect(
        valkey(client, options).follow("log", ignore, ignore),
      ).rejects.toThrow("NOPERM no right to XREAD");
      expect(seen).toEqual(["copy connect", closed]);
    });

    it("follows a log over a duplicate that does not connect only if that connects by itself", async () => {
      const { client } = clientLike(library, async () => [], {
        connect: async () => {
          throw new Error("It is connecting.");
        },
      });
      const following = valkey(client, options).follow("log", ignore, ignore);
      if (library === "ioredis") (await following)();
      else await expect(following).rejects.toThrow("It is connecting.");
    });

    it.each([
      ["a list of pairs", [["key", [["1-0", ["v", "a"]]]]]],
      ["an object", { key: [["1-0", ["v", "a"]]] }],
      ["a flat list", ["key", [["1-0", ["v", "a"]]]]],
    ])("reads entries in %s", async (_, reply) => {
      const replies: unknown[] = [reply];
      const { client } = clientLike(library, async (command) =>
        command === "XREAD" ? (replies.shift() ?? new Promise(() => {})) : [],
      );
      const received: unknown[] = [];
      const receive = (entry: unknown): void => void received.push(entry);
      const stop = await valkey(client, options).follow("log", receive, ignore);
      stop();
      expect(received).toEqual([{ position: "1-0", value: "a" }]);
    });

    it("passes on no entry once it is told to stop", async () => {
      const { client } = clientLike(library, async (command) => {
        if (command !== "XREAD") return [];
        return reads++ === 0 ? null : [["key", entries]];
      });
      let reads = 0;
      const entries = ["1-0", "2-0"].map((id) => [id, ["v", id]]);
      const received: string[] = [];
      const stop = await valkey(client, options).follow(
        "log",
        ({ value }) => {
          received.push(value);
          stop();
        },
        ignore,
      );
      await until(() => received.length > 0);
      await new Promise((resolve) => setImmediate(resolve));
      expect(received).toEqual(["1-0"]);
    });

    it("lets its client connect anew a second later again", async () => {
      vi.useFakeTimers();
      try {
        const { client, seen } = clientLike(library, async () => {
          throw new Error("READONLY");
        });
        const store = valkey(client, options);
        const count = async (): Promise<number> => {
          await expect(store.get("key")).rejects.toThrow("READONLY");
          return seen.filter((one) => /disconnect|destroy/.test(one)).length;
        };
        expect(await count()).toBe(1);
        await vi.advanceTimersByTimeAsync(999);
        expect(await count()).toBe(1);
        await vi.advanceTimersByTimeAsync(1);
        expect(await count()).toBe(2);
      } finally {
        vi.useRealTimers();
      }
    });

    it.each([
      [
        "allkeys-lru",
        "valkey: set maxmemory-policy to noeviction. allkeys-lru removes what is in use.",
      ],
      ["noeviction", undefined],
    ])("warns of the policy %s: %s", async (policy, warning) => {
      const { client } = clientLike(
        library,
        async () => `a:1\r\nmaxmemory_policy:${policy}\r\nb:2\r\n`,
      );
      const warnings: string[] = [];
      valkey(client, { onWarning: (text) => warnings.push(text) });
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual(warning === undefined ? [] : [warning]);
    });
  },
);

it.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["an object", {}],
  [
    "a cluster of node-redis",
    { duplicate: () => {}, sendCommand: (_a: 1, _b: 2, _c: 3) => {} },
  ],
])("is not made of %s", (_, client) => {
  expect(() => valkey(client as never)).toThrow(
    new TypeError(
      "valkey: expected a client of ioredis, iovalkey or node-redis (`createClient`).",
    ),
  );
});
