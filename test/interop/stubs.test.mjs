import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { project, revision } from "../stubs/project.ts";
import { load } from "../view/generated.ts";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest =
  require.resolve("@modelcontextprotocol/server-everything/package.json");
const command = {
  command: process.execPath,
  args: [
    join(dirname(manifest), Object.values(require(manifest).bin)[0]),
    "stdio",
  ],
  stderr: "ignore",
};
const info = { name: "peer", version: "1.0.0" };

/** The official clients, and the adapter of each. */
const peers = [
  {
    name: "SDK v1",
    adapter: "fromSdkV1",
    open: () => new Client1(info),
    transport: () => new Stdio1(command),
  },
  {
    name: "SDK v2",
    adapter: "fromSdkV2",
    open: () => new Client2(info),
    transport: () => new Stdio2(command),
  },
];

/** The snapshot of the server, read with one of the clients. */
async function snapshotBy(client) {
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const capabilities = client.getServerCapabilities();
  const server = { name: "everything", version: "1.0.0" };
  const lists = { tools, prompts, resources, resourceTemplates };
  return JSON.stringify({
    format: 1,
    revision: "2025-11-25",
    server,
    capabilities,
    ...lists,
  });
}

describe.each(peers)(
  "the client of a project with the client of $name",
  ({ name, adapter, open, transport }) => {
    let client;
    let stubs;
    let typed;
    beforeAll(async () => {
      client = open();
      await client.connect(transport());
      stubs = await project(await snapshotBy(client), {
        emit: ["client", "adapters"],
        protocol: await revision("2025-11-25"),
      });
      const { createEverythingClient } = await load(stubs.files, "client.ts");
      const adapters = await load(stubs.files, "adapters.ts");
      typed = createEverythingClient(adapters[adapter](client));
    });
    afterAll(() => client.close());

    it("calls a tool with the result of a raw call, validates arguments and can be aborted", async () => {
      const result = await typed.tools.echo({ message: "é 🎲" });
      const params = { name: "echo", arguments: { message: "é 🎲" } };
      expect(result.content).toEqual((await client.callTool(params)).content);
      await expect(typed.tools.echo({ message: 7 })).rejects.toThrow(
        "expected a string",
      );
      const stop = new AbortController();
      stop.abort(new Error("enough"));
      await expect(
        typed.tools.echo({ message: "x" }, { signal: stop.signal }),
      ).rejects.toThrow(/enough|abort/i);
    });

    it("gets prompts, reads resources, completes arguments and subscribes", async () => {
      const [prompt] = Object.keys(typed.prompts).filter(
        (one) => typed.prompts[one].length === 1,
      );
      expect((await typed.prompts[prompt]()).messages.length).toBeGreaterThan(
        0,
      );
      const [resource] = Object.keys(typed.resources).filter(
        (one) => typed.resources[one].length === 1,
      );
      expect(
        (await typed.resources[resource]()).contents.length,
      ).toBeGreaterThan(0);
      const watching = await typed.subscribe[resource]();
      expect(watching.uri).toMatch(/^\w+:/);
      await watching.close();
      const [completing] = Object.values(typed.complete.resources);
      expect(Array.isArray((await completing("resourceId", "1")).values)).toBe(
        true,
      );
    });

    it("accepts the client with the types of the SDK", () => {
      const folder = mkdtempSync(join(root, "test/interop/types-"));
      try {
        for (const [path, text] of stubs.files) {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), text);
        }
        const module =
          name === "SDK v1"
            ? "@modelcontextprotocol/sdk/client/index.js"
            : "@modelcontextprotocol/client";
        writeFileSync(
          join(folder, "use.ts"),
          `import { Client } from "${module}";
import { ${adapter} } from "./adapters.js";
import { createEverythingClient } from "./client.js";
export const use = (client: Client): unknown => createEverythingClient(${adapter}(client)).tools.echo({ message: "x" });
`,
        );
        const options = {
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          skipLibCheck: true,
          target: "ES2022",
          module: "NodeNext",
          types: ["node"],
          typeRoots: [join(root, "node_modules/@types")],
          paths: {
            "@mcpgen/runtime": [join(root, "src/runtime/index.ts")],
            "@mcpgen/runtime/*": [join(root, "src/runtime/*.ts")],
          },
        };
        writeFileSync(
          join(folder, "tsconfig.json"),
          JSON.stringify({ compilerOptions: options, files: ["use.ts"] }),
        );
        const tsc = join(root, "node_modules/typescript/bin/tsc");
        const run = () =>
          execFileSync(process.execPath, [tsc, "-p", folder], {
            encoding: "utf8",
          });
        try {
          run();
        } catch (error) {
          expect(error.stdout).toBe("");
          throw error;
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
);
