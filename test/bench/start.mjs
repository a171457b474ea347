// The time of a stdio server from the start of its process to its first
// answered tools/call, compared with a bare loop and its peers: compiled file
// by file, and bundled into one file.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, compile, generate } from "./bundle.mjs";
import { Driven, pathOf } from "./processes.mjs";
import { above, compare, inScratch, revision, root, table } from "./shared.mjs";

const starts = Number(process.env.ROUNDS ?? 31);
const budget = 1.15;

const server = `
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./gen/server.js";
await serveStdio(createServer({
  info: { name: "bench", version: "1.0.0" },
  handlers: {
    "tools/list": () => ({
      tools: [{ name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } }],
    }),
    "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }),
  },
}));
`;
const peers = [
  ["bare loop", () => pathOf("stdio-limit")],
  ["mcpgen", project],
  ["SDK v1", () => pathOf("stdio-sdk-v1")],
  ["SDK v2", () => pathOf("stdio-sdk-v2")],
  ["fastmcp", () => pathOf("stdio-fastmcp")],
];

/**
 * Creates a compiled project with this server, and the runtime as npm installs
 * it. Returns the file of the server.
 */
async function project(scratch) {
  const source = join(scratch, "source");
  const out = join(scratch, "project");
  mkdirSync(source);
  writeFileSync(join(source, "server.ts"), server);
  generate(revision, join(source, "gen"));
  const files = readdirSync(join(source, "gen")).filter((name) =>
    name.endsWith(".ts"),
  );
  await compile(
    [
      join(source, "server.ts"),
      ...files.map((name) => join(source, "gen", name)),
    ],
    source,
    out,
  );
  writeFileSync(join(out, "package.json"), '{"type":"module"}');
  const installed = join(out, "node_modules/@mcpgen/runtime");
  for (const name of ["package.json", "dist"])
    cpSync(join(root, "src/runtime", name), join(installed, name), {
      recursive: true,
    });
  return join(out, "server.js");
}

async function startTime(file) {
  const began = performance.now();
  const driven = new Driven(file);
  await driven.open();
  await driven.call();
  const time = performance.now() - began;
  await driven.close();
  return time;
}

await inScratch(async (scratch) => {
  const plain = [];
  const bundled = [];
  for (const [name, make] of peers) {
    const file = await make(scratch);
    plain.push(file);
    const one = join(scratch, `${name.replaceAll(" ", "-")}.mjs`);
    writeFileSync(one, await bundle(file, { withRequire: true }));
    bundled.push(one);
  }
  const times = await compare([...plain, ...bundled], starts, startTime);
  const row = (i, times) => {
    const ratio = times[i] / times[0];
    return [
      times[i].toFixed(1),
      `${ratio.toFixed(2)} ×`,
      peers[i][0] === "mcpgen" ? above(ratio, budget) : "",
    ];
  };
  console.log(
    `Process start to first tools/call answered, over stdio, median of ${starts}`,
  );
  table(
    ["server", "ms", "of the limit", "", "bundled, ms", "of the limit"],
    peers.map(([name], i) => [
      name,
      ...row(i, times.slice(0, peers.length)),
      ...row(i, times.slice(peers.length)).slice(0, 2),
    ]),
  );
});
