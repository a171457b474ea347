// What a call costs when a server runs in several processes behind haproxy, and
// what becomes of calls when one of three is killed. `node cluster.mjs SDK`
// measures the servers whose names start with SDK. Needs redis-server and
// haproxy.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";
import { pathOf } from "./processes.mjs";
import { inScratch, median, modern, revision, root, table } from "./shared.mjs";

const servers = [
  {
    name: `mcpgen, ${modern}, with an engine`,
    file: "cluster",
    mode: "modern",
    front: "turns",
    hasEngine: true,
  },
  {
    name: `mcpgen, ${revision}, sealed only`,
    file: "cluster",
    mode: "stateful",
    front: "turns",
  },
  {
    name: `mcpgen, ${revision}, with an engine`,
    file: "cluster",
    mode: "stateful",
    front: "turns",
    hasEngine: true,
  },
  {
    name: `SDK v1, ${revision}`,
    file: "http-sdk-v1",
    mode: "stateful",
    front: "turns",
  },
  {
    name: `SDK v1, ${revision}, hashing balancer`,
    file: "http-sdk-v1",
    mode: "stateful",
    front: "hashed",
  },
  {
    name: `SDK v1, ${revision}, balancer with a table`,
    file: "http-sdk-v1",
    mode: "stateful",
    front: "kept",
  },
  {
    name: `SDK v2, ${modern}`,
    file: "http-sdk-v2",
    mode: "modern",
    front: "turns",
  },
];
/**
 * While CPU time is measured: the number of processes, the calls per second
 * that are offered to each, and for how many seconds.
 */
const processCount = 4;
const rate = 400;
const seconds = 5;
const rounds = 5;
/**
 * The calls that each process has answered before, on average, so that the
 * engine of JavaScript has compiled what it runs.
 */
const warmCalls = 15_000;
const clients = 32;

const prefix = "io.modelcontextprotocol";
const _meta = {
  [`${prefix}/protocolVersion`]: modern,
  [`${prefix}/clientCapabilities`]: {},
  [`${prefix}/clientInfo`]: { name: "bench", version: "1.0.0" },
};

/**
 * One client with one connection. In a session, it opens a new one once the
 * server does not know its own.
 */
class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #url;
  #isModern;
  #session;
  #id = 0;

  constructor(url, mode) {
    this.#url = url;
    this.#isModern = mode === "modern";
  }

  #send(method, params, headers) {
    return new Promise((resolve, reject) => {
      const text = JSON.stringify({
        jsonrpc: "2.0",
        id: ++this.#id,
        method,
        params,
      });
      const sent = request(this.#url, {
        method: "POST",
        agent: this.#agent,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "content-length": text.length,
          ...headers,
        },
      });
      sent.on("error", reject).on("response", (response) => {
        let body = "";
        response.on("data", (chunk) => (body += chunk)).on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body,
          }),
        );
      });
      sent.end(text);
    });
  }

  async #open() {
    const clientInfo = { name: "bench", version: "1.0.0" };
    const hello = { protocolVersion: revision, capabilities: {}, clientInfo };
    const { headers } = await this.#send("initialize", hello, {});
    this.#session = headers["mcp-session-id"];
  }

  /** True if the call succeeded. */
  async call() {
    const params = { name: "echo", arguments: { text: "hello" } };
    try {
      if (this.#isModern) {
        const headers = {
          "mcp-protocol-version": modern,
          "mcp-method": "tools/call",
          "mcp-name": "echo",
        };
        const { body } = await this.#send(
          "tools/call",
          { ...params, _meta },
          headers,
        );
        return body.includes('"hello"');
      }
      if (this.#session === undefined) await this.#open();
      const headers = {
        "mcp-session-id": this.#session,
        "mcp-protocol-version": revision,
      };
      const { status, body } = await this.#send("tools/call", params, headers);
      if (status === 404 || status === 400) this.#session = undefined;
      return body.includes('"hello"');
    } catch {
      return false;
    }
  }

  close() {
    this.#agent.destroy();
  }
}

/** The CPU time of a process with its threads and children, in microseconds. */
function cpuOf(pid) {
  const own = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const path = `/proc/${pid}/task/${thread}`;
    const children = readFileSync(`${path}/children`, "utf8")
      .split(" ")
      .filter(Boolean);
    const [nanoseconds] = readFileSync(`${path}/schedstat`, "utf8").split(" ");
    return children.reduce(
      (sum, child) => sum + cpuOf(child),
      Number(nanoseconds) / 1000,
    );
  });
  return own.reduce((sum, one) => sum + one, 0);
}

async function listening(child) {
  let text = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const port = /^port (\d+)$/m.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("A server ended before it said its port.");
}

/**
 * Starts a server in `count` processes behind a balancer, as often as `groups`,
 * and passes them on. Groups share nothing but the engine.
 */
async function withGroups(
  { Stage, startBalancer, startEngine },
  server,
  groups,
  count,
  run,
) {
  const { file, mode, front, hasEngine } = server;
  const stages = Array.from({ length: groups }, () => new Stage());
  try {
    const engine = hasEngine ? await startEngine(stages[0]) : undefined;
    const startGroup = async (stage, i) => {
      const args = [
        pathOf(file),
        mode,
        ...(engine ? [String(engine.port), `group-${i}`] : []),
      ];
      const processes = Array.from({ length: count }, () => {
        const child = spawn(process.execPath, args, {
          stdio: ["ignore", "pipe", "inherit"],
        });
        stage.defer(() => child.kill("SIGKILL"));
        return child;
      });
      const balancer = await startBalancer(
        stage,
        await Promise.all(processes.map(listening)),
        "",
      );
      const all = Array.from(
        { length: clients / groups },
        () => new Client(balancer[front], mode),
      );
      stage.defer(() => all.forEach((client) => client.close()));
      return { processes, balancer, clients: all };
    };
    const all = await Promise.all(stages.map(startGroup));
    const pids = {
      server: all.flatMap(({ processes }) => processes.map(({ pid }) => pid)),
      balancer: all.map(({ balancer }) => balancer.pid),
      engine: engine ? [engine.pid] : [],
    };
    // The next call goes to the next group, as a balancer sends it to the next
    // process.
    const inTurn = all[0].clients.flatMap((_, i) =>
      all.map((group) => group.clients[i]),
    );
    return await run({ ...all[0], clients: inTurn, pids });
  } finally {
    for (const stage of stages.reverse()) await stage.end();
  }
}

/**
 * The CPU time per call of each part, in microseconds, when `count` processes
 * share the calls. There are always four processes with the same rate of calls:
 * four servers of one process, two of two, or one of four. So the processes
 * disturb each other equally.
 */
function costOf(topology, server, count) {
  return withGroups(
    topology,
    server,
    processCount / count,
    count,
    async ({ clients: all, pids }) => {
      const total = rate * processCount;
      const interval = (clients / total) * 1000;
      const offer = async (client, i) => {
        const start = performance.now() + (i * interval) / clients;
        for (let turn = 0; turn * interval < seconds * 1000; turn++) {
          await pause(Math.max(0, start + turn * interval - performance.now()));
          await client.call();
        }
      };
      const warmUp = async (client) => {
        for (let call = 0; call < (warmCalls * processCount) / clients; call++)
          await client.call();
      };
      await Promise.all(all.map(warmUp));
      const read = (part) =>
        pids[part].reduce((sum, pid) => sum + cpuOf(pid), 0);
      const parts = Object.keys(pids);
      const before = parts.map(read);
      await Promise.all(all.map(offer));
      const after = parts.map(read);
      return Object.fromEntries(
        parts.map((part, i) => [
          part,
          (after[i] - before[i]) / (total * seconds),
        ]),
      );
    },
  );
}

/**
 * What becomes of calls, as many as can be, when one of three processes is
 * killed and stays away.
 */
function killOne(topology, server) {
  return withGroups(
    topology,
    server,
    1,
    3,
    async ({ processes, clients: all }) => {
      const calls = [];
      const end = performance.now() + 10_000;
      const work = all.map(async (client) => {
        while (performance.now() < end) {
          const isDone = await client.call();
          calls.push({ at: performance.now(), isDone });
          if (!isDone) await pause(10);
        }
      });
      await pause(5000);
      const killed = performance.now();
      processes[0].kill("SIGKILL");
      await Promise.all(work);
      const before = calls.filter(
        ({ at }) => at < killed && at > killed - 3000,
      );
      const failed = calls.filter(({ at, isDone }) => at >= killed && !isDone);
      return {
        perSecond: before.filter(({ isDone }) => isDone).length / 3,
        failedBefore:
          before.filter(({ isDone }) => !isDone).length / before.length,
        failed: failed.length,
        recovery: failed.length === 0 ? 0 : failed.at(-1).at - killed,
      };
    },
  );
}

await inScratch(async (folder) => {
  const outfile = join(folder, "topology.mjs");
  const stdin = {
    contents: 'export * from "./stage.ts"; export * from "./topology.ts";',
    resolveDir: join(root, "test/cluster"),
  };
  await build({
    stdin,
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const topology = await import(outfile);
  const [filter = ""] = process.argv.slice(2);
  const chosen = servers.filter(({ name }) => name.startsWith(filter));
  const costs = new Map();
  // Peers run in one round only, because noise cannot hide such a difference.
  for (let round = 0; round < rounds; round++)
    for (const server of chosen.filter(
      ({ file }) => round === 0 || file === "cluster",
    ))
      for (const count of [1, 2, 4]) {
        const key = `${server.name} ${count}`;
        costs.set(key, [
          ...(costs.get(key) ?? []),
          await costOf(topology, server, count),
        ]);
      }
  const part = (name, count, of) =>
    costs.get(`${name} ${count}`).map((cost) => cost[of]);
  const typical = (times) => median(times).toFixed(0);
  /** A time with its ratio to that of one process, taken within each round. */
  const compared = (name, count) => {
    const alone = part(name, 1, "server");
    const times = part(name, count, "server");
    return `${typical(times)} (× ${median(times.map((time, i) => time / alone[i])).toFixed(2)})`;
  };
  console.log(
    `CPU time per call in µs when 1, 2 or 4 of ${processCount} processes share the calls, ${rate} calls per second to each process, medians of ${rounds} runs with their ratios to one process, of peers one run`,
  );
  table(
    ["server", "1 process", "2 processes", "4 processes", "balancer", "engine"],
    chosen.map(({ name }) => [
      name,
      typical(part(name, 1, "server")),
      compared(name, 2),
      compared(name, 4),
      typical(part(name, 2, "balancer")),
      typical(part(name, 2, "engine")),
    ]),
  );
  console.log(`\n${clients} clients, three processes, one is killed`);
  const rows = [];
  for (const server of chosen) {
    const { perSecond, failedBefore, failed, recovery } = await killOne(
      topology,
      server,
    );
    const percent = `${(failedBefore * 100).toFixed(0)} %`;
    rows.push([
      server.name,
      perSecond.toFixed(0),
      percent,
      failed,
      `${recovery.toFixed(0)} ms`,
    ]);
  }
  table(
    [
      "server",
      "calls per second",
      "fail before",
      "fail after the kill",
      "the last one after",
    ],
    rows,
  );
});
