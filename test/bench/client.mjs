// The CPU time of a client per call over HTTP with 64 calls in flight, compared
// with bare node:http and the official SDKs.
// `node client.mjs limit|ours|sdk-v1|sdk-v2 <url> <calls>` measures one of
// them, and prints microseconds per call.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { info } from "./servers/echo.mjs";
import { generated } from "./servers/generated.mjs";
import { above, here, median, table } from "./shared.mjs";

const names = {
  limit: "bare node:http",
  ours: "mcpgen",
  "sdk-v1": "SDK v1",
  "sdk-v2": "SDK v2",
};
const calls = 10_000;
const rounds = 3;
const budget = 1.6;
const params = { name: "echo", arguments: { text: "hello" } };

const peers = {
  limit: (url) => {
    const agent = new Agent({ keepAlive: true });
    const { hostname: host, port, pathname: path } = new URL(url);
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    let next = 0;
    const call = () =>
      new Promise((resolve, reject) => {
        const sent = request(
          { host, port, path, agent, headers, method: "POST" },
          (response) => {
            let body = "";
            response.setEncoding("utf8").on("data", (chunk) => (body += chunk));
            response.on("end", () => resolve(JSON.parse(body).result));
          },
        );
        sent.on("error", reject);
        sent.end(
          JSON.stringify({
            jsonrpc: "2.0",
            id: next++,
            method: "tools/call",
            params,
          }),
        );
      });
    return { call, close: () => agent.destroy() };
  },
  ours: async (url) => {
    const { http } = await import("@mcpgen/runtime/http");
    const { Client } = await import(join(await generated(), "client.js"));
    const client = await Client.connect(http(url), { info });
    return { call: () => client.callTool(params), close: () => client.close() };
  },
  "sdk-v1": async (url) => {
    const { Client } =
      await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } =
      await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return { call: () => client.callTool(params), close: () => client.close() };
  },
  "sdk-v2": async (url) => {
    const { Client, StreamableHTTPClientTransport } =
      await import("@modelcontextprotocol/client");
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return { call: () => client.callTool(params), close: () => client.close() };
  },
};

async function measureOne(peer, url, count) {
  const { call, close } = await peers[peer](url);
  const many = async (total) => {
    let remaining = total;
    const lane = async () => {
      while (remaining-- > 0) await call();
    };
    await Promise.all(Array.from({ length: 64 }, lane));
  };
  await many(count / 2);
  const before = process.cpuUsage();
  await many(count);
  const { user, system } = process.cpuUsage(before);
  await close();
  return (user + system) / count;
}

/** Every peer runs in every round, so that all have the same conditions. */
async function measureAll() {
  const server = spawn(process.execPath, [
    join(here, "servers/http-limit.mjs"),
    "stateful",
  ]);
  const [line] = await once(server.stdout, "data");
  const url = `http://127.0.0.1:${/\d+/.exec(String(line))[0]}/mcp`;
  const results = Object.fromEntries(
    Object.keys(peers).map((peer) => [peer, []]),
  );
  try {
    for (let round = 0; round < rounds; round++) {
      for (const peer of Object.keys(peers)) {
        const args = [fileURLToPath(import.meta.url), peer, url, String(calls)];
        // One of them prints a warning for each call.
        const { stdout, status } = spawnSync(process.execPath, args, {
          stdio: ["ignore", "pipe", "ignore"],
        });
        if (stdout.length === 0)
          throw new Error(
            `${peer} ended with code ${status} and measured nothing.`,
          );
        results[peer].push(Number(String(stdout)));
      }
    }
  } finally {
    server.kill();
  }
  const limit = median(results.limit);
  const rows = Object.entries(results).map(([peer, costs]) => {
    const cost = median(costs);
    const ratio = cost / limit;
    return [
      names[peer],
      cost.toFixed(1),
      `${ratio.toFixed(2)} ×`,
      peer === "ours" ? above(ratio, budget) : "",
    ];
  });
  console.log("HTTP client, echo tools/call, 64 in flight");
  table(["client", "µs of CPU per call", "of the limit", ""], rows);
}

const [peer, url, count] = process.argv.slice(2);
if (peer === undefined) await measureAll();
else process.stdout.write(String(await measureOne(peer, url, Number(count))));
