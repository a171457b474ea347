// The CPU time of a server and of a client per call over stdio with 64 calls in flight, compared with a bare loop and peers.
import { spawnSync } from "node:child_process";
import { cpuOf, Driven, pathOf } from "./processes.mjs";
import { generated } from "./servers/generated.mjs";
import { above, compare, table } from "./shared.mjs";

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
const calls = 40_000;
const rounds = 5;
const budget = 1.2;

async function many(count, call) {
  let remaining = count;
  const lane = async () => {
    while (remaining-- > 0) await call();
  };
  await Promise.all(Array.from({ length: 64 }, lane));
}

async function serverCost([, name]) {
  const server = new Driven(pathOf(name));
  await server.open();
  await many(calls / 2, () => server.call());
  const before = cpuOf(server.child.pid);
  await many(calls, () => server.call());
  const cost = (cpuOf(server.child.pid) - before) / calls;
  await server.close();
  return cost;
}

function clientCost([, name]) {
  const { stdout, stderr } = spawnSync(process.execPath, [pathOf("stdio-client"), name, String(calls)]);
  if (stdout.length === 0) throw new Error(stderr.toString());
  return Number(stdout.toString());
}

function print(what, peers, costs) {
  const rows = peers.map(([name], i) => {
    const ratio = costs[i] / costs[0];
    return [
      name,
      costs[i].toFixed(1),
      `${ratio.toFixed(2)} ×`,
      name === "mcpgen" ? above(ratio, budget) : "",
    ];
  });
  table([what, "µs of CPU per call", "of the limit", ""], rows);
}

// Our server does not check whether its code is up to date.
await generated();
console.log("stdio server, echo tools/call, 64 in flight");
print("server", servers, await compare(servers, rounds, serverCost));
console.log("\nstdio client, the same");
print("client", clients, await compare(clients, rounds, clientCost));
