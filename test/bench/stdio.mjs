// The CPU time of a server and of a client per call over stdio with 64 calls in
// flight, compared with a bare loop and peers. All servers, and then all
// clients, are alive and take turns.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { cpuOf, Driven, pathOf } from "./processes.mjs";
import { generated } from "./servers/generated.mjs";
import { above, inTurns, table } from "./shared.mjs";

const servers = [
  ["bare loop", "stdio-limit"],
  ["mcpgen", "stdio"],
  ["SDK v1", "stdio-sdk-v1"],
  ["SDK v2", "stdio-sdk-v2"],
  ["fastmcp", "stdio-fastmcp"],
];
const clients = [
  ["bare loop", "limit"],
  ["mcpgen", "ours"],
  ["SDK v1", "sdk-v1"],
  ["SDK v2", "sdk-v2"],
];
const turns = { warm: 20_000, rounds: 40, burst: 2000 };
const budget = 1.2;

async function serverOf([name, file]) {
  const server = new Driven(pathOf(file));
  await server.open();
  const run = async (count) => {
    let remaining = count;
    const lane = async () => {
      while (remaining-- > 0) await server.call();
    };
    const before = cpuOf(server.child.pid);
    await Promise.all(Array.from({ length: 64 }, lane));
    return (cpuOf(server.child.pid) - before) / count;
  };
  return { name, run, close: () => server.close() };
}

/**
 * A client in a process, which makes as many calls as a line of its input says,
 * and answers with the CPU time of one.
 */
function clientOf([name, peer]) {
  const child = spawn(process.execPath, [pathOf("stdio-client"), peer], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const run = async (count) => {
    child.stdin.write(`${count}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name}: the client has ended.`);
    return Number(value);
  };
  return { name, run, close: () => child.stdin.end() };
}

async function print(what, peers) {
  const costs = await inTurns(peers, turns);
  const rows = peers.map(({ name }, i) => {
    const { cost, ratio } = costs[i];
    return [
      name,
      cost.toFixed(1),
      `${ratio.toFixed(2)} ×`,
      name === "mcpgen" ? above(ratio, budget) : "",
    ];
  });
  for (const { close } of peers) await close();
  table([what, "µs of CPU per call", "of the limit", ""], rows);
}

// Our server does not check whether its code is up to date.
await generated();
console.log(
  "stdio server, echo tools/call, 64 in flight, in turns: test/bench/stdio.mjs",
);
await print("server", await Promise.all(servers.map(serverOf)));
console.log("\nstdio client, the same");
await print("client", clients.map(clientOf));
