import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revisions } from "../repository.ts";
import { programForNode } from "../sources.ts";
import { project } from "../stubs/project.ts";

/**
 * A file as `mcpgen init --server-from-file` writes it, without `format`. The
 * revisions are those of a file without any.
 */
const file = JSON.stringify({
  server: { name: "desk", version: "1.0.0" },
  revisions,
  tools: [
    {
      name: "greet",
      inputSchema: {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
      },
    },
    { name: "book", inputSchema: { type: "object" } },
  ],
});

const main = `
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createDeskServer } from "./server.js";

const servers = createDeskServer({
  tools: {
    greet: ({ name }) => \`Hello, \${name}!\`,
    book: async (_args, context) => {
      const answer = await context.request("elicitation/create", {
        message: "Which day?",
        requestedSchema: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
      });
      return \`Booked \${String(answer.content?.["day"])}\`;
    },
  },
});
if (process.argv[2] === "stdio") await serveStdio(servers);
else console.log((await serveHttp(createHttpHandler(servers), { port: 0 })).url);
`;

const info = { name: "peer", version: "1.0.0" };
const options = { capabilities: { elicitation: {} } };
const answer = () => ({ action: "accept", content: { day: "Monday" } });

/** The official clients with the options that they have by default. */
const peers = [
  {
    name: "SDK v1",
    open() {
      const client = new Client1(info, options);
      client.setRequestHandler(ElicitRequestSchema, answer);
      return client;
    },
    stdio: (command) => new Stdio1(command),
    http: (url) => new Http1(new URL(url)),
  },
  {
    name: "SDK v2",
    open() {
      const client = new Client2(info, options);
      client.setRequestHandler("elicitation/create", answer);
      return client;
    },
    stdio: (command) => new Stdio2(command),
    http: (url) => new Http2(new URL(url)),
  },
];

describe("a server that a person designs in a file, which names no revision", () => {
  let folder = "";
  let program = "";
  let server;
  let url = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "mcpgen-designed-"));
    const { all } = await project(file, { emit: ["server"] });
    for (const [path, text] of [...all, ["main.ts", main]]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    program = join(folder, "main.mjs");
    await build({
      entryPoints: [join(folder, "main.ts")],
      outfile: program,
      ...programForNode,
    });
    server = spawn(process.execPath, [program, "http"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    [url] = await once(createInterface(server.stdout), "line");
  });
  afterAll(() => {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(
    peers.flatMap((peer) =>
      ["stdio", "http"].map((carrier) => ({ ...peer, carrier })),
    ),
  )(
    "answers a client of $name over $carrier with its default options, and asks its user",
    async ({ open, carrier, ...transports }) => {
      const client = open();
      const where =
        carrier === "stdio"
          ? transports.stdio({
              command: process.execPath,
              args: [program, "stdio"],
              stderr: "inherit",
            })
          : transports.http(url);
      await client.connect(where);
      expect(
        (await client.listTools()).tools.map(({ name }) => name).sort(),
      ).toEqual(["book", "greet"]);
      const call = async (name, args = {}) =>
        await client.callTool({ name, arguments: args });
      expect((await call("greet", { name: "Ada" })).content).toEqual([
        { type: "text", text: "Hello, Ada!" },
      ]);
      expect((await call("greet", { name: 5 })).isError).toBe(true);
      expect((await call("book")).content).toEqual([
        { type: "text", text: "Booked Monday" },
      ]);
      await client.close();
    },
  );
});
