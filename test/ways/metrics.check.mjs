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
  const shown = await (await fetch(`${url}/metrics`)).text();
  // What the page shows is the number of these calls.
  const [, line] = /at `\/metrics`[^]*?```\n(.*)\n/.exec(text);
  expect(shown.split("\n")).toContain(line);
  await up.stop();
});
