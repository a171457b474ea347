// The CPU time of a server per call over HTTP, with 64 connections that each
// wait for one answer, compared with bare node:http and its peers, and its
// memory afterwards. All servers are alive and take turns. `node http.mjs SDK`
// measures the limits and the peers whose names start with SDK.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Line, post } from "./line.mjs";
import { cpuOf, memoryOf, pathOf } from "./processes.mjs";
import { above, inTurns, modern, revision, table } from "./shared.mjs";

const all = [
  {
    name: "bare node:http",
    file: "http-limit",
    mode: "stateless",
    goesOn: true,
  },
  {
    name: `bare node:http, ${modern}`,
    file: "http-limit",
    mode: "modern",
    goesOn: true,
  },
  { name: "mcpgen, stateless", file: "http", mode: "stateless", goesOn: true },
  { name: "mcpgen, stateful", file: "http", mode: "stateful", goesOn: true },
  { name: `mcpgen, ${modern}`, file: "http", mode: "modern", goesOn: true },
  { name: "SDK v1, stateless", file: "http-sdk-v1", mode: "stateless" },
  { name: "SDK v1, stateful", file: "http-sdk-v1", mode: "stateful" },
  { name: "SDK v2, stateless", file: "http-sdk-v2", mode: "stateless" },
  { name: "SDK v2, stateful", file: "http-sdk-v2", mode: "stateful" },
  { name: `SDK v2, ${modern}`, file: "http-sdk-v2", mode: "modern" },
  { name: "fastmcp, stateless", file: "http-fastmcp", mode: "stateless" },
  { name: "fastmcp, stateful", file: "http-fastmcp", mode: "stateful" },
];
/**
 * The calls of each server: the warm-up, and the turns. Memory is read after
 * both.
 */
const turns = { warm: 10_000, rounds: 40, burst: 500 };
/**
 * The number of further calls after which memory is read again, to see whether
 * it grows.
 */
const more = 60_000;
const connections = 64;
const budgets = { cost: 1.3, memory: 1.2 };

const params = { name: "echo", arguments: { text: "hello" } };
const prefix = "io.modelcontextprotocol";

async function start(file, mode) {
  const child = spawn(process.execPath, [pathOf(file), mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
    return {
      "mcp-protocol-version": modern,
      "mcp-method": "tools/call",
      "mcp-name": params.name,
    };
  if (mode === "stateless") return { "mcp-protocol-version": revision };
  const line = new Line(port);
  const clientInfo = { name: "bench", version: "1.0.0" };
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo };
  const answer = await line.send(
    post({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello }),
  );
  const id = /mcp-session-id: (\S+)/i.exec(answer)[1];
  const headers = { "mcp-session-id": id, "mcp-protocol-version": revision };
  await line.send(
    post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers),
  );
  line.close();
  return headers;
}

/**
 * Starts a server, to which `run` sends a number of calls. It returns the CPU
 * time of one of them in microseconds.
 */
async function peerOf({ name, file, mode, goesOn }) {
  const { child, port } = await start(file, mode);
  const headers = await open(port, mode);
  const _meta = {
    [`${prefix}/protocolVersion`]: modern,
    [`${prefix}/clientCapabilities`]: {},
    [`${prefix}/clientInfo`]: { name: "bench", version: "1.0.0" },
  };
  const callParams = mode === "modern" ? { ...params, _meta } : params;
  let id = 0;
  // A server closes connections that are idle while the others have their
  // turns, so each turn has new ones.
  const run = async (count) => {
    const lines = Array.from({ length: connections }, () => new Line(port));
    let remaining = count;
    const before = cpuOf(child.pid);
    await Promise.all(
      lines.map(async (line) => {
        while (remaining-- > 0) {
          const body = {
            jsonrpc: "2.0",
            id: ++id,
            method: "tools/call",
            params: callParams,
          };
          const answer = await line.send(post(body, headers));
          if (!answer.includes('"hello"'))
            throw new Error(`${name}: ${answer}`);
        }
      }),
    );
    const cost = (cpuOf(child.pid) - before) / count;
    for (const line of lines) line.close();
    return cost;
  };
  return { name, file, mode, goesOn, child, run };
}

const [filter] = process.argv.slice(2);
const peers = await Promise.all(
  all
    .filter(
      ({ name, file }) =>
        file === "http-limit" ||
        filter === undefined ||
        name.startsWith(filter),
    )
    .map(peerOf),
);
/**
 * The bare server with the same requests: those of the newest revision are
 * larger and have more headers.
 */
const limitOf = ({ mode }) =>
  peers.find(
    (peer) =>
      peer.file === "http-limit" &&
      (peer.mode === "modern") === (mode === "modern"),
  );
const costs = await inTurns(peers, turns, limitOf);
for (const peer of peers) peer.memory = memoryOf(peer.child.pid);
for (const peer of peers.filter(({ goesOn }) => goesOn)) {
  await peer.run(more);
  peer.later = memoryOf(peer.child.pid);
}
for (const { child } of peers) {
  child.kill();
  await once(child, "close");
}

function row(peer, i) {
  const { name, file, memory, later } = peer;
  const { cost, ratio } = costs[i];
  const isOurs = file === "http";
  const limit = limitOf(peer);
  const holds = memory / limit.memory;
  return [
    name,
    `${turns.rounds} × ${turns.burst}`,
    cost.toFixed(1),
    `${ratio.toFixed(2)} ×`,
    isOurs ? above(ratio, budgets.cost) : "",
    memory.toFixed(0),
    later?.toFixed(0) ?? "",
    `${holds.toFixed(2)} ×`,
    isOurs ? above(Math.max(holds, later / limit.later), budgets.memory) : "",
  ];
}

console.log(
  `HTTP server, echo tools/call, ${connections} connections, in turns: test/bench/http.mjs`,
);
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
  peers.map(row),
);
