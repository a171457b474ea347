import { storeCases } from "@mcpgen/runtime/cluster/test";
import { valkey } from "@mcpgen/runtime/cluster/valkey";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect as connectTo, createServer } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import { Cluster as IovalkeyCluster, Redis as Iovalkey } from "iovalkey";
import {
  createClient,
  createClientPool,
  createCluster,
  createSentinel,
  RESP_TYPES,
} from "redis";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import { replicated } from "../examples/replicas/replicated.ts";
import { freePort } from "../free-port.ts";
import { root } from "../repository.ts";
import { Stage } from "./stage.ts";
import { command, startEngine, startWire, until } from "./topology.ts";

const typed = `
import { valkey } from "@mcpgen/runtime/cluster/valkey";
import { Redis, Cluster } from "ioredis";
import { Redis as Iovalkey } from "iovalkey";
import { createClient, RESP_TYPES } from "redis";
valkey(createClient());
valkey(createClient({ RESP: 2 }));
valkey(createClient().withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }));
valkey(new Redis());
valkey(new Cluster([]));
valkey(new Iovalkey());
`;
const compilerOptions = [
  "--noEmit",
  "--strict",
  "--skipLibCheck",
  "--module",
  "nodenext",
  "--target",
  "es2022",
];

const ofNodeRedis = (options) => async (port) => {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, ...options });
  client.on("error", () => {});
  await client.connect();
  return { client, close: () => client.destroy() };
};
const ofIoredis = (Library, options) => async (port) => {
  const client = new Library({ port, host: "127.0.0.1", ...options });
  client.on("error", () => {});
  return { client, close: () => client.disconnect() };
};

/** Each library, with the settings that change what it returns. */
const libraries = {
  "node-redis": ofNodeRedis(),
  "node-redis with RESP 2": ofNodeRedis({ RESP: 2 }),
  ioredis: ofIoredis(Redis),
  "ioredis with the replies of RESP 3": ofIoredis(Redis, {
    replyMapping: "resp3",
    lazyConnect: true,
  }),
  iovalkey: ofIoredis(Iovalkey),
};

const limits = {
  enableOfflineQueue: false,
  commandTimeout: 1000,
  socketTimeout: 1000,
  stringNumbers: true,
};
const typeMapping = {
  [RESP_TYPES.BLOB_STRING]: Buffer,
  [RESP_TYPES.NUMBER]: String,
};
const ofCluster = (Library) => async (port) => {
  const options = { enableOfflineQueue: false, redisOptions: limits };
  const client = new Library([{ port, host: "127.0.0.1" }], options);
  client.on("error", () => {});
  return { client, close: () => client.disconnect() };
};

/** Clients whose settings suit other commands than those of a store. */
const settled = {
  "node-redis": ofNodeRedis({
    pingInterval: 100,
    socket: { socketTimeout: 1000 },
    commandOptions: { typeMapping },
  }),
  ioredis: ofIoredis(Redis, { ...limits, keyPrefix: "own:" }),
  iovalkey: ofIoredis(Iovalkey, { ...limits, keyPrefix: "own:" }),
};
const clusters = {
  ioredis: ofCluster(Cluster),
  iovalkey: ofCluster(IovalkeyCluster),
};

let stage;
let engine;
beforeAll(async () => {
  stage = new Stage();
  engine = await startEngine(stage);
});
afterAll(() => stage.end());

describe.each(Object.entries(libraries))(
  "a store in Redis over %s",
  (_, connect) => {
    let clients;
    beforeAll(async () => {
      clients = [await connect(engine.port), await connect(engine.port)];
    });
    afterAll(() => clients.forEach(({ close }) => close()));

    it.each(storeCases)("$name", ({ run }) => {
      const [one, two] = clients.map(({ client }) => valkey(client));
      const stores = [one, two];
      const disconnect = () => command(engine.port, "CLIENT KILL TYPE normal");
      return run({ open: () => stores.shift(), disconnect });
    });
  },
);

let scene;
beforeEach(() => void (scene = new Stage()));
afterEach(() => scene.end());

/** A store on a port, and what its follower was told. */
async function openStore(connect, port, options) {
  const { client, close } = await connect(port);
  scene.defer(close);
  const duplicates = vi.spyOn(client, "duplicate");
  const store = valkey(client, options);
  const events = [];
  // A busy engine may need longer than the time limit of a test.
  const stop = await until("the position in the log", () =>
    store.follow(
      "log",
      ({ value }) => events.push(value),
      () => events.push("lost"),
    ),
  );
  scene.defer(stop);
  return { store, events, duplicates };
}

const write = (store, version, replaces) =>
  store.put("key", version, { ttl: 60_000, version, replaces });
const append = (store, text) =>
  store.append("log", [text], { ttl: 60_000, keep: 100 });
/** Repeats what rejects, as a caller does. */
const eventually = (what, work) =>
  until(what, async () => {
    await work();
    return true;
  });

/**
 * Carries connections to an engine that can change, as the name of a primary
 * engine does.
 */
async function startSwitch(port) {
  let current = port;
  const server = createServer((socket) => {
    const target = connectTo(current, "127.0.0.1");
    pipeline(socket, target, socket, () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  scene.defer(() => server.close());
  return { port: server.address().port, to: (other) => void (current = other) };
}

describe.each(Object.entries(libraries))("a store over %s", (_, connect) => {
  it("rejects within its time while the engine is silent, and tells its follower afterwards", async () => {
    const wire = await startWire(scene, engine.port);
    const { store, events, duplicates } = await openStore(connect, wire.port, {
      timeout: 1000,
    });
    wire.stall();
    const calls = [
      store.get("key"),
      write(store, "a"),
      append(store, "a"),
      store.follow("log", () => {}),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(
      calls.map(() => "rejected"),
    );
    expect(results[0].reason.message).toBe(
      "The engine did not answer within 1000 ms.",
    );
    const before = duplicates.mock.calls.length;
    await until(
      "the next connection",
      () => duplicates.mock.calls.length > before,
    );
    wire.pass();
    await until("the call of `lost`", () => events.includes("lost"));
    await eventually("an entry", () => append(store, "later"));
    await until("the entry of later", () => events.includes("later"));
  });

  it("loses no value that it was told is written when the engine is killed, and goes on", async () => {
    const own = await startEngine(scene);
    const { store, events } = await openStore(connect, own.port);
    expect(await write(store, "a", "")).toBe(true);
    await own.kill();
    await expect(write(store, "b", "a")).rejects.toThrow(/[a-z]/);
    await own.restart();
    await until("the value", async () =>
      ["a", "b"].includes((await store.get("key")).version),
    );
    await until("the call of `lost`", () => events.includes("lost"));
    await eventually("an entry", () => append(store, "later"));
    await until("the entry of later", () => events.includes("later"));
  });

  it("keeps no command while the engine is down that nobody waits for any more", async () => {
    const own = await startEngine(scene);
    const { store, events } = await openStore(connect, own.port, {
      timeout: 100,
    });
    await eventually("an entry", () => append(store, "first"));
    await until("the first entry", () => events.length > 0);
    await own.kill();
    // ioredis sends again what it has sent when it learns of this.
    await expect(append(store, "on its way")).rejects.toThrow(/[a-z]/);
    for (let i = 0; i < 5; i++)
      await expect(append(store, `given up ${i}`)).rejects.toThrow(/[a-z]/);
    // node-redis forgets a command a moment later.
    await pause(200);
    await own.restart();
    await until("the call of `lost`", () => events.includes("lost"));
    await eventually("an entry", () => append(store, "later"));
    await until("the entry of later", () => events.includes("later"));
    expect(events.filter((one) => one.startsWith("given up"))).toEqual([]);
  });

  it("follows a log that begins anew at an earlier position, as in an engine that was replaced", async () => {
    const own = await startEngine(scene);
    const { store, events } = await openStore(connect, own.port);
    await append(store, "first");
    await until("the first entry", () => events.includes("first"));
    await command(own.port, "FLUSHALL");
    await command(own.port, "XADD mcpgen:1:{app}:log:log 1-1 v earlier");
    await command(own.port, "CLIENT KILL TYPE normal");
    await until("the entry of the new log", () => events.includes("earlier"));
    expect(events).toEqual(["first", "lost", "earlier"]);
  });

  it("removes entries from a log whose time is over, though newer ones come", async () => {
    const own = await startEngine(scene);
    const { store } = await openStore(connect, own.port);
    const entries = Array.from(
      { length: 500 },
      (_, i) => `${i} ${"x".repeat(1000)}`,
    );
    await store.append("old", entries, { ttl: 1000, keep: 10_000 });
    await eventually("the end of old entries", async () => {
      await store.append("old", ["new"], { ttl: 1000, keep: 10_000 });
      const length = await command(own.port, "XLEN mcpgen:1:{app}:log:old");
      // The engine removes them in groups.
      if (Number(length.slice(1)) > 200) throw new Error(length);
    });
  });

  it("connects again when its engine has become a replica", async () => {
    const [first, second] = [
      await startEngine(scene, "first"),
      await startEngine(scene, "second"),
    ];
    const target = await startSwitch(first.port);
    const { store, events } = await openStore(connect, target.port, {
      timeout: 1000,
    });
    await write(store, "a");
    target.to(second.port);
    await command(first.port, `REPLICAOF 127.0.0.1 ${second.port}`);
    await expect(write(store, "b", "a")).rejects.toThrow("READONLY");
    await eventually("a write to the other engine", () => write(store, "c"));
    expect(
      await command(second.port, "GET mcpgen:1:{app}:value:key"),
    ).toContain("c\nc");
    await until("the call of `lost`", () => events.includes("lost"));
    await eventually("an entry", () => append(store, "later"));
    await until("the entry of later", () => events.includes("later"));
  });

  it("says yes to a write that the library sends again after the connection broke", async () => {
    const wire = await startWire(scene, engine.port);
    const { store } = await openStore(connect, wire.port, { app: "again" });
    await write(store, "0");
    for (let count = 1; count <= 20; count++) {
      const writing = Promise.allSettled([
        write(store, String(count), String(count - 1)),
      ]);
      if (count % 5 === 0) wire.cut();
      await writing;
      await eventually("a write", async () => {
        expect(await write(store, String(count), String(count - 1))).toBe(true);
      });
    }
  });
});

/**
 * Checks all methods. A follower must not hear that its connection broke while
 * there is nothing to receive.
 */
async function checkMethods(connect, port) {
  const { store, events } = await openStore(connect, port, { timeout: 1000 });
  // Without a queue, a client refuses what comes before it is connected.
  await eventually("the first write", () => write(store, "a", ""));
  expect(await write(store, "b", "a")).toBe(true);
  expect(await write(store, "c", "a")).toBe(false);
  expect(await store.get("key")).toEqual({ value: "b", version: "b" });
  await append(store, "first");
  await until("the first entry", () => events.length > 0);
  await pause(1000);
  await append(store, "second");
  await until("the second entry", () => events.length > 1);
  expect(events).toEqual(["first", "second"]);
}

describe("a store over a client with time limits, types and prefixes of its user", () => {
  it.each(Object.entries(settled))(
    "does as any other over %s",
    async (_, connect) => {
      const own = await startEngine(scene);
      await checkMethods(connect, own.port);
    },
  );

  it.each(Object.entries(clusters))(
    "does as any other over a cluster of %s",
    async (_, connect) => {
      const options = [
        "--cluster-enabled",
        "yes",
        "--cluster-announce-ip",
        "127.0.0.1",
      ];
      const own = await startEngine(scene, "engine", [
        ...options,
        "--cluster-port",
        String(await freePort()),
      ]);
      await command(own.port, "CLUSTER ADDSLOTSRANGE 0 16383");
      await until("the start of the cluster", async () =>
        (await command(own.port, "CLUSTER INFO")).includes("cluster_state:ok"),
      );
      await checkMethods(connect, own.port);
    },
  );
});

describe("the store of the guide whose values are in a replica, too", () => {
  it("writes what a replica has within its time, and rejects otherwise", async () => {
    const first = await startEngine(scene, "first");
    const replica = await startEngine(scene, "second", [
      "--replicaof",
      "127.0.0.1",
      String(first.port),
    ]);
    const { client, close } = await libraries["node-redis"](first.port);
    scene.defer(close);
    const store = replicated(client);
    await eventually("a write with a replica", () => write(store, "a"));
    expect(
      await command(replica.port, "GET mcpgen:1:{app}:value:key"),
    ).toContain("a\na");
    expect(await write(store, "c", "b")).toBe(false);
    await replica.kill();
    await expect(write(store, "b", "a")).rejects.toThrow(
      "No replica has the value yet.",
    );
  });
});

describe("valkey", () => {
  it("rejects a follower that the engine does not let wait for entries", async () => {
    const own = await startEngine(scene);
    await command(own.port, "ACL SETUSER default -xread");
    for (const connect of Object.values(libraries)) {
      const { client, close } = await connect(own.port);
      scene.defer(close);
      const following = valkey(client).follow("log", () => {});
      await expect(following).rejects.toThrow("NOPERM");
    }
  });

  it("warns once of an engine that may remove values, and names the policy", async () => {
    const own = await startEngine(scene, "engine", [
      "--maxmemory-policy",
      "allkeys-lru",
    ]);
    const warnings = [];
    const options = { onWarning: (text) => warnings.push(text) };
    const { store } = await openStore(
      libraries["node-redis"],
      own.port,
      options,
    );
    await write(store, "a");
    expect(warnings).toEqual([expect.stringContaining("allkeys-lru removes")]);
    const { store: other } = await openStore(
      libraries.ioredis,
      engine.port,
      options,
    );
    await write(other, "a");
    expect(warnings.length).toBe(1);
  });

  it("refuses at once what node-redis makes for several connections", () => {
    const sentinelRootNodes = [{ host: "127.0.0.1", port: 1 }];
    const others = [
      createCluster({ rootNodes: [] }),
      createSentinel({ name: "one", sentinelRootNodes }),
      createClientPool(),
    ];
    for (const other of others)
      expect(() => valkey(other)).toThrow("(`createClient`)");
  });

  it("has the clients of the libraries as parameters, by their own types", () => {
    const file = join(import.meta.dirname, "node_modules/.types.mts");
    writeFileSync(file, typed);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(
      process.execPath,
      [tsc, ...compilerOptions, file],
      { encoding: "utf8" },
    );
    expect(stdout).toBe("");
  });
});
