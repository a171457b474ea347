// What a call over stdio costs a server and a client, in CPU time, with 64 of them in flight, beside a bare loop and the
// official SDKs; and how long a server takes from its start to its first answer.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { here, median, revision, table } from "./shared.mjs";

const servers = ["stdio-limit", "stdio", "stdio-sdk-v1", "stdio-sdk-v2"];
const clients = ["limit", "ours", "sdk-v1", "sdk-v2"];
const names = ["bare loop", "mcpgen", "SDK v1", "SDK v2"];
const calls = 40_000;
const rounds = 5;
const starts = 11;

const pathOf = (name) => join(here, "servers", `${name}.mjs`);
/** A clock tick of the kernel's accounts, in microseconds. */
const tick = 1_000_000 / Number(spawnSync("getconf", ["CLK_TCK"]).stdout.toString() || 100);

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** A server in the hands of the bench, spoken to by lines. */
class Driven {
  #waiting = new Map();
  #rest = "";
  #id = 0;
  #name;

  constructor(name) {
    this.#name = name;
    this.child = spawn(process.execPath, [pathOf(name)], { stdio: ["pipe", "pipe", "ignore"] });
    this.child.on("exit", this.#gone);
    this.child.stdout.setEncoding("utf8").on("data", (chunk) => {
      const lines = (this.#rest + chunk).split("\n");
      this.#rest = lines.pop();
      for (const line of lines) {
        const { id } = JSON.parse(line);
        this.#waiting.get(id)?.();
        this.#waiting.delete(id);
      }
    });
  }

  #gone = (code) => {
    throw new Error(`${this.#name} ended with code ${code}.`);
  };

  ask(method, params) {
    const id = ++this.#id;
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async open() {
    const clientInfo = { name: "bench", version: "1.0.0" };
    await this.ask("initialize", { protocolVersion: revision, capabilities: {}, clientInfo });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  call() {
    return this.ask("tools/call", { name: "echo", arguments: { text: "hello" } });
  }

  async close() {
    this.child.off("exit", this.#gone);
    this.child.kill();
    await once(this.child, "close");
  }
}

async function many(count, call) {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: 64 }, lane));
}

async function serverCost(name) {
  const server = new Driven(name);
  await server.open();
  await many(calls / 2, () => server.call());
  const before = cpuOf(server.child.pid);
  await many(calls, () => server.call());
  const cost = (cpuOf(server.child.pid) - before) / calls;
  await server.close();
  return cost;
}

function clientCost(name) {
  const { stdout, stderr } = spawnSync(process.execPath, [pathOf("stdio-client"), name, String(calls)]);
  if (stdout.length === 0) throw new Error(stderr.toString());
  return Number(stdout.toString());
}

async function startTime(name) {
  const began = performance.now();
  const server = new Driven(name);
  await server.open();
  await server.call();
  const time = performance.now() - began;
  await server.close();
  return time;
}

/** The median of each peer over rounds in which every peer has its turn, so that all meet the same weather. */
async function compare(peers, count, measure) {
  const found = peers.map(() => []);
  for (let round = 0; round < count; round++) {
    for (const [i, peer] of peers.entries()) found[i].push(await measure(peer));
  }
  return found.map(median);
}

const rows = (measured, digits) =>
  measured.map((value, i) => [names[i], value.toFixed(digits), `${(value / measured[0]).toFixed(2)} ×`]);

console.log("stdio server, echo tools/call, 64 in flight");
table(["server", "µs of CPU per call", "of the limit"], rows(await compare(servers, rounds, serverCost), 1));
console.log("\nstdio client, the same");
table(["client", "µs of CPU per call", "of the limit"], rows(await compare(clients, rounds, clientCost), 1));
console.log("\nprocess start to first tools/call answered, not bundled");
table(["server", "ms", "of the limit"], rows(await compare(servers, starts, startTime), 0));
