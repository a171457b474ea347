// The CPU time of a server per call over HTTP, with 64 connections that each wait for one answer, compared with bare
// node:http and its peers, and its memory afterwards. `node http.mjs SDK` measures the limits and the peers whose names start with SDK.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Line, post } from "./line.mjs";
import { cpuOf, memoryOf, pathOf } from "./processes.mjs";
import { above, median, modern, revision, table } from "./shared.mjs";

// Peers that are several times slower run in one round only, because noise cannot hide such a difference.
const peers = [
  { name: "bare node:http", file: "http-limit", mode: "stateless", rounds: 3, goesOn: true },
  { name: `bare node:http, ${modern}`, file: "http-limit", mode: "modern", rounds: 3, goesOn: true },
  { name: "mcpgen, stateless", file: "http", mode: "stateless", rounds: 3, goesOn: true },
  { name: "mcpgen, stateful", file: "http", mode: "stateful", rounds: 3, goesOn: true },
  { name: `mcpgen, ${modern}`, file: "http", mode: "modern", rounds: 3, goesOn: true },
  { name: "SDK v1, stateless", file: "http-sdk-v1", mode: "stateless", rounds: 1, goesOn: false },
  { name: "SDK v1, stateful", file: "http-sdk-v1", mode: "stateful", rounds: 1, goesOn: false },
  { name: "SDK v2, stateless", file: "http-sdk-v2", mode: "stateless", rounds: 1, goesOn: false },
  { name: "SDK v2, stateful", file: "http-sdk-v2", mode: "stateful", rounds: 1, goesOn: false },
  { name: `SDK v2, ${modern}`, file: "http-sdk-v2", mode: "modern", rounds: 1, goesOn: false },
  { name: "fastmcp, stateless", file: "http-fastmcp", mode: "stateless", rounds: 1, goesOn: false },
  { name: "fastmcp, stateful", file: "http-fastmcp", mode: "stateful", rounds: 1, goesOn: false },
];
/** The calls of a round: the warm-up and the measured ones. Memory is read after both. */
const warm = 10_000;
const measured = 20_000;
/** The number of calls after which memory is read again, to see whether it grows. */
const long = 90_000;
const connections = 64;
const budgets = { cost: 1.3, memory: 1.2 };

const params = { name: "echo", arguments: { text: "hello" } };
const prefix = "io.modelcontextprotocol";

async function start(file, mode) {
  const child = spawn(process.execPath, [pathOf(file), mode], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const port = /^port (\d+)$/m.exec(text)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
  }
  throw new Error(`${file} ended before it said its port.`);
}

/** The headers of all requests after the handshake, if there is one. */
async function open(port, mode) {
  if (mode === "modern")
    return { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": params.name };
  if (mode === "stateless") return { "mcp-protocol-version": revision };
  const line = new Line(port);
  const clientInfo = { name: "bench", version: "1.0.0" };
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo };
  const answer = await line.send(post({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello }));
  const id = /mcp-session-id: (\S+)/i.exec(answer)[1];
  const headers = { "mcp-session-id": id, "mcp-protocol-version": revision };
  await line.send(post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers));
  line.close();
  return headers;
}

async function measure({ name, file, mode, goesOn }, isLast) {
  const { child, port } = await start(file, mode);
  const headers = await open(port, mode);
  const _meta = {
    [`${prefix}/protocolVersion`]: modern,
    [`${prefix}/clientCapabilities`]: {},
    [`${prefix}/clientInfo`]: { name: "bench", version: "1.0.0" },
  };
  const callParams = mode === "modern" ? { ...params, _meta } : params;
  const lines = Array.from({ length: connections }, () => new Line(port));
  let id = 0;
  const many = async (count) => {
    let remaining = count;
    await Promise.all(
      lines.map(async (line) => {
        while (remaining-- > 0) {
          const body = { jsonrpc: "2.0", id: ++id, method: "tools/call", params: callParams };
          const answer = await line.send(post(body, headers));
          if (!answer.includes('"hello"')) throw new Error(`${name}: ${answer}`);
        }
      }),
    );
  };
  await many(warm);
  const before = cpuOf(child.pid);
  await many(measured);
  const cost = (cpuOf(child.pid) - before) / measured;
  const memory = memoryOf(child.pid);
  if (goesOn && isLast) await many(long - warm - measured);
  const later = goesOn && isLast ? memoryOf(child.pid) : undefined;
  for (const line of lines) line.close();
  child.kill();
  await once(child, "close");
  return { cost, memory, later };
}

const [filter] = process.argv.slice(2);
const selectedPeers = peers.filter(
  ({ name, file }) => file === "http-limit" || filter === undefined || name.startsWith(filter),
);
// All others run in every round, so that all have the same conditions.
const runsByPeer = new Map(selectedPeers.map((peer) => [peer, []]));
for (let round = 1; round <= Math.max(...selectedPeers.map(({ rounds }) => rounds)); round++) {
  for (const peer of selectedPeers.filter(({ rounds }) => rounds >= round))
    runsByPeer.get(peer).push(await measure(peer, round === peer.rounds));
}

const results = selectedPeers.map((peer) => {
  const runs = runsByPeer.get(peer);
  return {
    peer,
    cost: median(runs.map(({ cost }) => cost)),
    memory: median(runs.map(({ memory }) => memory)),
    later: runs.at(-1).later,
  };
});

/** The bare server with the same requests: those of 2026-07-28 are larger and have more headers. */
const limitOf = (mode) =>
  results.find(({ peer }) => peer.file === "http-limit" && (peer.mode === "modern") === (mode === "modern"));

function row({ peer: { name, rounds, file, mode }, cost, memory, later }) {
  const isOurs = file === "http";
  const limit = limitOf(mode);
  const [costs, holds] = [cost / limit.cost, memory / limit.memory];
  return [
    name,
    `${rounds} × ${measured / 1000},000`,
    cost.toFixed(1),
    `${costs.toFixed(2)} ×`,
    isOurs ? above(costs, budgets.cost) : "",
    memory.toFixed(0),
    later?.toFixed(0) ?? "",
    `${holds.toFixed(2)} ×`,
    isOurs ? above(Math.max(holds, later / limit.later), budgets.memory) : "",
  ];
}

console.log(`HTTP server, echo tools/call, ${connections} connections`);
table(
  [
    "server",
    "calls measured",
    "µs of CPU per call",
    "of the limit",
    "",
    "MB after 30,000",
    "after 90,000",
    "of the limit",
    "",
  ],
  results.map(row),
);
