// What a call costs when a server runs in several processes behind haproxy, and what becomes of calls when one of three is killed.
// `node cluster.mjs SDK` measures the servers whose names start with SDK. Needs redis-server and haproxy.
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
  { name: `mcpgen, ${revision}, sealed only`, file: "cluster", mode: "stateful", front: "turns" },
  {
    name: `mcpgen, ${revision}, with an engine`,
    file: "cluster",
    mode: "stateful",
    front: "turns",
    hasEngine: true,
  },
  { name: `SDK v1, ${revision}`, file: "http-sdk-v1", mode: "stateful", front: "turns" },
  { name: `SDK v1, ${revision}, hashing balancer`, file: "http-sdk-v1", mode: "stateful", front: "hashed" },
  {
    name: `SDK v1, ${revision}, balancer with a table`,
    file: "http-sdk-v1",
    mode: "stateful",
    front: "kept",
  },
  { name: `SDK v2, ${modern}`, file: "http-sdk-v2", mode: "modern", front: "turns" },
];
/** The calls per second that are offered to each process while CPU time is measured, and for how many seconds. */
const rate = 400;
const seconds = 5;
const rounds = 5;
const clients = 32;

const prefix = "io.modelcontextprotocol";
const _meta = {
  [`${prefix}/protocolVersion`]: modern,
  [`${prefix}/clientCapabilities`]: {},
  [`${prefix}/clientInfo`]: { name: "bench", version: "1.0.0" },
};

/** One client with one connection. In a session, it opens a new one once the server does not know its own. */
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
      const text = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params });
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
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
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
        const headers = { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": "echo" };
        const { body } = await this.#send("tools/call", { ...params, _meta }, headers);
        return body.includes('"hello"');
      }
      if (this.#session === undefined) await this.#open();
      const headers = { "mcp-session-id": this.#session, "mcp-protocol-version": revision };
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
    const children = readFileSync(`${path}/children`, "utf8").split(" ").filter(Boolean);
    const [nanoseconds] = readFileSync(`${path}/schedstat`, "utf8").split(" ");
    return children.reduce((sum, child) => sum + cpuOf(child), Number(nanoseconds) / 1000);
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

/** Starts a server in several processes, with what it needs, and passes it on. */
async function withServer(
  { Stage, startBalancer, startEngine },
  { file, mode, front, hasEngine },
  count,
  run,
) {
  const stage = new Stage();
  try {
    const engine = hasEngine ? await startEngine(stage) : undefined;
    const args = [pathOf(file), mode, ...(engine ? [String(engine.port)] : [])];
    const processes = Array.from({ length: count }, () => {
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      stage.defer(() => child.kill("SIGKILL"));
      return child;
    });
    const ports = await Promise.all(processes.map(listening));
    const balancer = await startBalancer(stage, ports, "");
    const all = Array.from({ length: clients }, () => new Client(balancer[front], mode));
    stage.defer(() => all.forEach((client) => client.close()));
    return await run({ processes, balancer, engine, clients: all });
  } finally {
    await stage.end();
  }
}

/** The CPU time per call of each part, in microseconds, at the same rate of calls for each process. */
function costOf(topology, server, count) {
  return withServer(topology, server, count, async ({ processes, balancer, engine, clients: all }) => {
    const interval = (clients / rate / count) * 1000;
    const offer = async (client, i, length) => {
      const start = performance.now() + (i * interval) / clients;
      for (let turn = 0; turn * interval < length; turn++) {
        await pause(Math.max(0, start + turn * interval - performance.now()));
        await client.call();
      }
    };
    let warm = count * 3000;
    const warmUp = async (client) => {
      while (warm-- > 0) await client.call();
    };
    await Promise.all(all.map(warmUp));
    const read = () => ({
      server: processes.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      balancer: cpuOf(balancer.pid),
      engine: engine ? cpuOf(engine.pid) : 0,
    });
    const before = read();
    await Promise.all(all.map((client, i) => offer(client, i, seconds * 1000)));
    const after = read();
    return Object.fromEntries(
      Object.keys(after).map((part) => [part, (after[part] - before[part]) / (rate * count * seconds)]),
    );
  });
}

/** What becomes of calls, as many as can be, when one of three processes is killed and stays away. */
function killOne(topology, server) {
  return withServer(topology, server, 3, async ({ processes, clients: all }) => {
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
    const before = calls.filter(({ at }) => at < killed && at > killed - 3000);
    const failed = calls.filter(({ at, isDone }) => at >= killed && !isDone);
    return {
      perSecond: before.filter(({ isDone }) => isDone).length / 3,
      failedBefore: before.filter(({ isDone }) => !isDone).length / before.length,
      failed: failed.length,
      recovery: failed.length === 0 ? 0 : failed.at(-1).at - killed,
    };
  });
}

await inScratch(async (folder) => {
  const outfile = join(folder, "topology.mjs");
  const stdin = {
    contents: 'export * from "./stage.ts"; export * from "./topology.ts";',
    resolveDir: join(root, "test/cluster"),
  };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  const topology = await import(outfile);
  const [filter = ""] = process.argv.slice(2);
  const chosen = servers.filter(({ name }) => name.startsWith(filter));
  const costs = new Map();
  // Peers run in one round only, because noise cannot hide such a difference.
  for (let round = 0; round < rounds; round++)
    for (const server of chosen.filter(({ file }) => round === 0 || file === "cluster"))
      for (const count of [1, 2, 4]) {
        const key = `${server.name} ${count}`;
        costs.set(key, [...(costs.get(key) ?? []), await costOf(topology, server, count)]);
      }
  const part = (name, count, of) => median(costs.get(`${name} ${count}`).map((cost) => cost[of])).toFixed(0);
  console.log(
    `CPU time per call in µs at ${rate} calls per second and process, medians of ${rounds} runs, of peers one run`,
  );
  table(
    ["server", "1 process", "2 processes", "4 processes", "balancer", "engine"],
    chosen.map(({ name }) => [
      name,
      ...[1, 2, 4].map((count) => part(name, count, "server")),
      part(name, 2, "balancer"),
      part(name, 2, "engine"),
    ]),
  );
  console.log(`\n${clients} clients, three processes, one is killed`);
  const rows = [];
  for (const server of chosen) {
    const { perSecond, failedBefore, failed, recovery } = await killOne(topology, server);
    const percent = `${(failedBefore * 100).toFixed(0)} %`;
    rows.push([server.name, perSecond.toFixed(0), percent, failed, `${recovery.toFixed(0)} ms`]);
  }
  table(["server", "calls per second", "fail before", "fail after the kill", "the last one after"], rows);
});
