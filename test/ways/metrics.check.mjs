import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../free-port.ts";
import { root } from "../repository.ts";
import { begin, printed, shellIn } from "./kit.mjs";
import { until } from "../runtime/kit/watch.js";

const page = "test/examples/metrics/README.md";
const text = readFileSync(join(root, page), "utf8");

let all;
let shell;
beforeAll(async () => {
  all = await begin();
  shell = shellIn(join(all.folder, "weather"), all.tarballs);
  await shell.pass(
    "npm init --yes && npm pkg set type=module",
    "npm install @mcpgen/runtime",
    "npm install -D mcpgen tsx typescript @types/node",
    printed("test/examples/README.md", "npx mcpgen --version all "),
    printed(page, "npm install prom-client"),
  );
});
afterAll(() => all.end());

it("a server that counts with prom-client compiles, and shows at /metrics what the page says", async () => {
  const port = await freePort();
  const name = "prometheus.ts";
  const block = new RegExp(`\`\`\`ts\n// ${name}\n([^]*?)\`\`\``);
  const [, program] = block.exec(text);
  writeFileSync(join(shell.folder, name), program.replace("3000", port));
  const compile = printed("test/examples/README.md", "npx tsc --noEmit ");
  await shell.pass(compile.replace("server.ts client.ts", name));
  const start = printed(page, `npx tsx ${name}`).split(" ");
  const up = await shell.start(start, "");
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/metrics`)).status === 200);
  const call = await shell.pass(`npx mcpgen call --url ${url}/mcp forecast`);
  expect(call.out).toBe("Sunny\n");
  const other = await callOf("nothing", `${url}/mcp`);
  expect(other).toMatchObject({ error: { code: -32602 } });
  const shown = await (await fetch(`${url}/metrics`)).text();
  expect(shown).not.toContain("nothing");
  // What the page shows is the number of these calls.
  const [, line] = /at `\/metrics`[^]*?```\n(.*)\n/.exec(text);
  expect(shown.split("\n")).toContain(line);
  await up.stop();
});

/** What a server answers to a call that no client checked before. */
async function callOf(name, url) {
  const version = "2026-07-28";
  const key = (name) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [key("protocolVersion")]: version,
    [key("clientInfo")]: { name: "prober", version: "1.0.0" },
    [key("clientCapabilities")]: {},
  };
  const method = "tools/call";
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: { name, arguments: {}, _meta },
  };
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": version,
      "mcp-method": method,
      "mcp-name": name,
    },
    body: JSON.stringify(message),
  });
  return await answer.json();
}
