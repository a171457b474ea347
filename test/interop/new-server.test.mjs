import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderInCheckout, put } from "../files.ts";
import { program, root } from "../repository.ts";
import { programForNode } from "../sources.ts";

const node = (place, ...args) =>
  spawnSync(process.execPath, args, { cwd: place, encoding: "utf8" });
const info = { name: "peer", version: "1.0.0" };

/** The official clients with their default options. */
const peers = [
  ["SDK v1", () => new Client1(info), (command) => new Stdio1(command)],
  ["SDK v2", () => new Client2(info), (command) => new Stdio2(command)],
];

/** `init --server` is in `test/ways/`. */
describe("the server that mcpgen init --server-from-file writes", () => {
  const main = "src/mcp/notes/main.ts";
  let place = "";
  const bundled = async (path) => {
    const outfile = join(
      place,
      "out",
      path.replaceAll("/", "-").replace(".ts", ".mjs"),
    );
    await build({
      entryPoints: [join(place, path)],
      outfile,
      ...programForNode,
    });
    return outfile;
  };
  beforeAll(() => {
    place = folderInCheckout("new-server");
    mkdirSync(join(place, "node_modules"));
    symlinkSync(
      join(root, "test/interop/node_modules/zod"),
      join(place, "node_modules/zod"),
    );
    // The checkout has a tsconfig.json of its own above, so that the command
    // writes none here.
    put(
      join(place, "tsconfig.json"),
      readFileSync(join(root, "templates/init/server/compiler.json"), "utf8"),
    );
    const { status, stderr } = node(
      place,
      program,
      "init",
      "--server-from-file",
      "notes",
    );
    if (status !== 0) throw new Error(stderr);
    const handler = "({ name }) => `Hello, ${name}!`";
    const type = 'NotesHandlers["tools"]["greet"]';
    const text = `import type { NotesHandlers } from "../../server.js";\nexport const greet: ${type} = ${handler};\n`;
    put(join(place, "src/mcp/notes/handlers/tools/greet.ts"), text);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it("compiles", () => {
    expect(
      node(place, join(root, "node_modules/typescript/bin/tsc"), "-p", place)
        .stdout,
    ).toBe("");
  }, 300_000);

  it.each(peers)(
    "answers a call of the client of %s",
    async (_, open, transport) => {
      const client = open();
      await client.connect(
        transport({
          command: process.execPath,
          args: [await bundled(main)],
          stderr: "inherit",
        }),
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        "greet",
      ]);
      const call = async (args) =>
        await client.callTool({ name: "greet", arguments: args });
      expect((await call({ name: "Ada" })).content).toEqual([
        { type: "text", text: "Hello, Ada!" },
      ]);
      expect((await call({ name: "" })).isError).toBe(true);
      await client.close();
    },
  );
});
