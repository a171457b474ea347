// What a call over HTTP costs a server, in CPU time, with 64 connections that each wait for one answer, beside a bare
// node:http and the official SDKs; and what memory it holds after 30,000 of them. `node http.mjs ours stateful` measures one.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { here, median, revision, table } from "./shared.mjs";

const peers = [
  ["bare node:http", "http-limit", "stateless"],
  ["mcpgen, stateless", "http", "stateless"],
  ["mcpgen, stateful", "http", "stateful"],
  ["mcpgen, 2026-07-28", "http", "modern"],
  ["SDK v1, stateless", "http-sdk-v1", "stateless"],
  ["SDK v1, stateful", "http-sdk-v1", "stateful"],
];
const calls = 30_000;
const rounds = 3;
const connections = 64;
/** A clock tick of the kernel's accounts, in microseconds. */
const tick = 1_000_000 / Number(spawnSync("getconf", ["CLK_TCK"]).stdout.toString() || 100);

const params = { name: "echo", arguments: { text: "hello" } };
const modern = "2026-07-28";
const prefix = "io.modelcontextprotocol";

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

const memoryOf = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

/** One connection that is kept. Costs the bench next to nothing, so that the server has a core of its own. */
class Line {
  #socket;
  #text = "";
  #answered;

  constructor(port) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay();
    this.#socket.setEncoding("latin1").on("data", (chunk) => {
      this.#text += chunk;
      const head = this.#text.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = /content-length: (\d+)/i.exec(this.#text)?.[1];
      const end = length === undefined ? this.#text.indexOf("0\r\n\r\n") + 5 : head + 4 + Number(length);
      if (end < 5 || this.#text.length < end) return;
      const answer = this.#text;
      this.#text = "";
      this.#answered(answer);
    });
  }

  send(text) {
    this.#socket.write(text);
    return new Promise((resolve) => (this.#answered = resolve));
  }

  close() {
    this.#socket.destroy();
  }
}

function post(body, headers) {
  const text = JSON.stringify(body);
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": text.length,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}

async function start(file, mode) {
  const args = [join(here, "servers", `${file}.mjs`), mode];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  return { child, port: Number(/port (\d+)/.exec(String(line))[1]) };
}

/** The headers of all requests after the handshake, where there is one. */
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

async function measure([name, file, mode]) {
  const { child, port } = await start(file, mode);
  const headers = await open(port, mode);
  const _meta = {
    [`${prefix}/protocolVersion`]: modern,
    [`${prefix}/clientCapabilities`]: {},
    [`${prefix}/clientInfo`]: { name: "bench", version: "1.0.0" },
  };
  const given = mode === "modern" ? { ...params, _meta } : params;
  const lines = Array.from({ length: connections }, () => new Line(port));
  let id = 0;
  const many = async (count) => {
    let left = count;
    await Promise.all(
      lines.map(async (line) => {
        while (left-- > 0) {
          const body = { jsonrpc: "2.0", id: ++id, method: "tools/call", params: given };
          const answer = await line.send(post(body, headers));
          if (!answer.includes('"hello"')) throw new Error(`${name}: ${answer}`);
        }
      }),
    );
  };
  await many(calls / 2);
  const before = cpuOf(child.pid);
  await many(calls);
  const cost = (cpuOf(child.pid) - before) / calls;
  const memory = memoryOf(child.pid);
  for (const line of lines) line.close();
  child.kill();
  await once(child, "close");
  return { cost, memory };
}

const [asked, how] = process.argv.slice(2);
const wanted = peers.filter(
  ([name, , mode]) => asked === undefined || (name.startsWith(asked) && (how === undefined || mode === how)),
);
// All have their turn in every round, so that all meet the same weather.
const found = wanted.map(() => []);
for (let round = 0; round < rounds; round++)
  for (const [i, peer] of wanted.entries()) found[i].push(await measure(peer));

const medians = found.map((one) => ({
  cost: median(one.map(({ cost }) => cost)),
  memory: median(one.map(({ memory }) => memory)),
}));
const [limit] = medians;
console.log(`HTTP server, echo tools/call, ${connections} connections`);
table(
  ["server", "µs of CPU per call", "of the limit", "MB after 30,000", "of the limit"],
  wanted.map(([name], i) => {
    const { cost, memory } = medians[i];
    return [
      name,
      cost.toFixed(1),
      `${(cost / limit.cost).toFixed(2)} ×`,
      memory.toFixed(0),
      `${(memory / limit.memory).toFixed(2)} ×`,
    ];
  }),
);
