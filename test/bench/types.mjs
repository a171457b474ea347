// What a hello-world client and server cost a compiler, and what they weigh when bundled.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { table } from "./measure.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const here = fileURLToPath(new URL("./", import.meta.url));
const folder = mkdtempSync(join(here, ".hello-"));

const settings = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: "NodeNext",
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ["hello.ts"],
};

function instantiations() {
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder, "--extendedDiagnostics"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stdout);
  return /Instantiations:\s+(\d+)/.exec(stdout)[1];
}

async function weight(entry) {
  const result = await build({
    stdin: { contents: entry, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "silent",
  });
  return `${(gzipSync(result.outputFiles[0].contents, { level: 9 }).length / 1000).toFixed(1)} kB`;
}

const hello = `import { memoryPair, serve } from "@mcpgen/runtime";
import { Client } from "./gen/client.js";
import { createServer } from "./gen/server.js";

const server = createServer({
  info: { name: "greeter", version: "1.0.0" },
  handlers: {
    "tools/list": () => ({ tools: [{ name: "greet", inputSchema: { type: "object" } }] }),
    "tools/call": ({ name }) => ({ content: [{ type: "text", text: name }] }),
  },
});
const [a, b] = memoryPair();
await serve(a, server);
const client = await Client.connect(b, { info: { name: "hello", version: "1.0.0" } });
console.log(await client.callTool({ name: "greet" }));
await client.close();`;
const client = `
  import { stdio } from "@mcpgen/runtime/stdio";
  import { Client } from "./gen/client.js";
  const client = await Client.connect(stdio("node", ["server.js"]), { info: { name: "a", version: "1" } });
  console.log(await client.callTool({ name: "echo" }));`;
const server = `
  import { serveStdio } from "@mcpgen/runtime/stdio";
  import { createServer } from "./gen/server.js";
  await serveStdio(createServer({ info: { name: "a", version: "1" }, handlers: { "tools/call": () => ({ content: [] }) } }));`;

try {
  mkdirSync(join(folder, "node_modules", "@mcpgen"), { recursive: true });
  symlinkSync(join(root, "src", "runtime"), join(folder, "node_modules", "@mcpgen", "runtime"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  writeFileSync(join(folder, "hello.ts"), hello);
  const rows = [];
  const revisions = readdirSync(join(root, "generated"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of revisions) {
    rmSync(join(folder, "gen"), { recursive: true, force: true });
    cpSync(join(root, "generated", name), join(folder, "gen"), { recursive: true });
    cpSync(join(root, "generated", "validate.ts"), join(folder, "validate.ts"));
    rows.push([name, instantiations(), await weight(client), await weight(server)]);
  }
  console.log(
    "\nA hello-world client and server: type instantiations of both, bundles minified and gzipped\n",
  );
  table(["revision", "instantiations", "stdio client", "stdio server"], rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
