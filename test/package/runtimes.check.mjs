// The packed packages on other runtimes: clients of both eras on Node.js, Bun
// and Deno call a server over stdio and over HTTP, and mcpgen pulls its
// snapshot there.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const project = mkdtempSync(join(tmpdir(), "mcpgen-runtimes-"));
const bin = (name) => join(here, "node_modules/.bin", name);
const runtimes = {
  "Node.js": [process.execPath],
  Bun: [bin("bun")],
  Deno: [bin("deno"), "run", "--allow-all"],
};
const revisions = ["2025-11-25", "2026-07-28"];

/** Answers with its process id. With the word "http", it prints its address. */
const server = `
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "packed", version: "1.0.0" },
  handlers: {
    "tools/list": () => ({ tools: [{ name: "pid", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: String(process.pid) }] }),
  },
});
if (process.argv[2] === "http") console.log((await serveHttp(createHttpHandler(servers), { port: 0 })).url);
else await serveStdio(servers);
`;

/**
 * Prints the revision and the answer of a tool, for the words <revision>, and
 * the URL of a server over HTTP.
 */
const client = `
import { http } from "@mcpgen/runtime/http";
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const [revision, url] = process.argv.slice(2);
const transport = url === undefined ? stdio("node", ["server.js"]) : http(url);
const client = await connect(transport, { info: { name: "caller", version: "1.0.0" }, revisions: [revision] });
const { content } = await client.callTool({ name: "pid" });
console.log(client.revision, content[0].text);
await client.close();
`;

let listening;
let address = "";

beforeAll(async () => {
  const args = [
    "run",
    "--silent",
    "pack",
    "--",
    "--json",
    "--pack-destination",
    project,
  ];
  const packages = JSON.parse(
    execFileSync("npm", args, { cwd: root, encoding: "utf8" }),
  );
  const tarballs = packages.map(({ filename }) => join(project, filename));
  writeFileSync(
    join(project, "package.json"),
    '{ "type": "module", "private": true }',
  );
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...tarballs], {
    cwd: project,
    stdio: "ignore",
  });
  const words = [
    "--version",
    revisions.join(),
    "--out",
    "source",
    "--emit",
    "client,server",
  ];
  execFileSync(
    process.execPath,
    ["node_modules/mcpgen/dist/cli.js", ...words],
    {
      cwd: project,
      stdio: "ignore",
    },
  );
  await build({
    entryPoints: [join(project, "source/**/*.ts")],
    outdir: join(project, "gen"),
  });
  writeFileSync(join(project, "server.js"), server);
  writeFileSync(join(project, "client.js"), client);
  listening = spawn(process.execPath, ["server.js", "http"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  [address] = await once(createInterface({ input: listening.stdout }), "line");
});
afterAll(() => {
  listening?.kill();
  rmSync(project, { recursive: true, force: true });
});

describe.each(Object.entries(runtimes))("on %s", (_, [program, ...words]) => {
  const run = async (...args) => {
    const { stdout } = await promisify(execFile)(program, [...words, ...args], {
      cwd: project,
    });
    return stdout;
  };

  it.each(revisions)(
    "a client of %s calls a server over stdio, which ends with it",
    async (revision) => {
      const [used, pid] = (await run("client.js", revision)).trim().split(" ");
      expect(used).toBe(revision);
      expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
    },
  );

  it.each(revisions)(
    "a client of %s calls a server over HTTP",
    async (revision) => {
      expect(await run("client.js", revision, address)).toBe(
        `${revision} ${listening.pid}\n`,
      );
    },
  );

  it("mcpgen pulls the snapshot of a server over stdio", async () => {
    const out = `${basename(program)}.mcp.json`;
    await run(
      "node_modules/mcpgen/dist/cli.js",
      "pull",
      "--stdio",
      "node server.js",
      "-o",
      out,
    );
    expect(
      JSON.parse(readFileSync(join(project, out), "utf8")).tools,
    ).toHaveLength(1);
  });
});
