// A client that calls the bare echo server:
// `node stdio-client.mjs limit|ours|sdk-v1|sdk-v2`. For each line of its input,
// a number, it makes as many calls, and prints the CPU time of one of them in
// microseconds.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { info } from "./echo.mjs";
import { generated } from "./generated.mjs";

const [peer] = process.argv.slice(2);
const server = [fileURLToPath(new URL("stdio-limit.mjs", import.meta.url))];
const params = { name: "echo", arguments: { text: "hello" } };

const peers = {
  limit: () => {
    const child = spawn(process.execPath, server, {
      stdio: ["pipe", "pipe", "ignore"],
    });
    const waiting = new Map();
    let rest = "";
    let next = 0;
    let out = "";
    const flush = () => {
      child.stdin.write(out);
      out = "";
    };
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const { id, result } = JSON.parse(line);
        waiting.get(id)(result);
        waiting.delete(id);
      }
    });
    const call = () =>
      new Promise((resolve) => {
        const id = next++;
        waiting.set(id, resolve);
        if (out === "") setImmediate(flush);
        out += `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
      });
    return { call, close: () => child.kill() };
  },
  ours: async () => {
    const { stdio } = await import("@mcpgen/runtime/stdio");
    const { Client } = await import(join(await generated(), "client.js"));
    const client = await Client.connect(stdio(process.execPath, server), {
      info,
    });
    return { call: () => client.callTool(params), close: () => client.close() };
  },
  "sdk-v1": async () => {
    const { Client } =
      await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } =
      await import("@modelcontextprotocol/sdk/client/stdio.js");
    const client = new Client(info);
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: server }),
    );
    return { call: () => client.callTool(params), close: () => client.close() };
  },
  "sdk-v2": async () => {
    const { Client } = await import("@modelcontextprotocol/client");
    const { StdioClientTransport } =
      await import("@modelcontextprotocol/client/stdio");
    const client = new Client(info);
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: server }),
    );
    return { call: () => client.callTool(params), close: () => client.close() };
  },
};

const { call, close } = await peers[peer]();
const many = async (calls) => {
  let remaining = calls;
  const lane = async () => {
    while (remaining-- > 0) await call();
  };
  await Promise.all(Array.from({ length: 64 }, lane));
};
for await (const line of createInterface(process.stdin)) {
  const count = Number(line);
  const before = process.cpuUsage();
  await many(count);
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / count);
}
await close();
