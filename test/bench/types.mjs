// The cost of a hello-world client and server for the type checker:
// instantiations and types.
import { join } from "node:path";
import ts from "typescript";
import { generate } from "./bundle.mjs";
import { theirs } from "./programs.mjs";
import {
  above,
  here,
  inScratch,
  revision,
  revisions,
  root,
  table,
} from "./shared.mjs";
import { instantiations, project } from "./tsc.mjs";

/** The budget of instantiations of a client and a server together. */
const budget = 600;

const ours = {
  "client.ts": `
import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./gen/client.js";
const client = await Client.connect(stdio("node", ["server.js"]), { info: { name: "hello", version: "1" } });
const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
for (const block of result.content) if (block.type === "text") console.log(block.text);
await client.close();
`,
  "server.ts": `
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./gen/server.js";
const server = createServer({
  info: { name: "hello", version: "1" },
  handlers: {
    "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
    "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }),
  },
});
await serveStdio(server);
`,
};

await inScratch(async (scratch) => {
  const modules = Object.fromEntries(
    ["@types/node", "undici-types"].map((name) => [
      name,
      join(root, "node_modules", name),
    ]),
  );
  const installed = [
    "@modelcontextprotocol/sdk",
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/server",
  ];
  const foreign = Object.fromEntries(
    [...installed, "fastmcp", "zod"].map((name) => [
      name,
      join(here, "node_modules", name),
    ]),
  );
  const names = revisions();
  for (const name of names) {
    project(join(scratch, name), ours, {
      ...modules,
      "@mcpgen/runtime": join(root, "src/runtime"),
    });
    generate(name, join(scratch, name, "gen"));
  }
  for (const name of ["SDK v1", "SDK v2", "fastmcp"]) {
    // fastmcp only supports servers.
    const files = {
      "client.ts": theirs[`${name}, stdio client`] ?? "",
      "server.ts": theirs[`${name}, stdio server`],
    };
    project(join(scratch, name), files, { ...modules, ...foreign });
  }
  project(
    join(scratch, "empty"),
    { "empty.ts": `console.log("hello");\n` },
    modules,
  );

  const [base, ...rest] = instantiations(join(scratch, "empty"), ["empty.ts"]);
  const row = (name, folder, files, most = Infinity) => {
    const [count, types, seconds] = instantiations(
      join(scratch, folder),
      files,
    );
    return [
      name,
      count,
      count - base,
      types,
      `${seconds.toFixed(2)} s`,
      above(count, most, ""),
    ];
  };
  const [client, server, both] = [
    ["client.ts"],
    ["server.ts"],
    ["client.ts", "server.ts"],
  ];
  console.log(
    `Hello-world programs of ${revision}, TypeScript ${ts.version}\n`,
  );
  table(
    [
      "program",
      "instantiations",
      "beyond an empty one",
      "types",
      "check time",
      "",
    ],
    [
      ["an empty program", base, 0, rest[0], `${rest[1].toFixed(2)} s`, ""],
      row("ours, client", revision, client, budget),
      row("ours, server", revision, server, budget),
      ...names.map((name) => row(`ours, both, ${name}`, name, both, budget)),
      ...["SDK v1", "SDK v2"].flatMap((name) => [
        row(`${name}, client`, name, client),
        row(`${name}, server`, name, server),
        row(`${name}, both`, name, both),
      ]),
      row("fastmcp, server", "fastmcp", server),
    ],
  );
});
