import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { freePort } from "../free-port.ts";
import { begin, printed, shellIn, stagesOf, stepAfter } from "./kit.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const init = printed("README.md", "npx mcpgen init --server greeter");

let all;
let shell;
/** What `init` has printed. */
let advice = "";
const stepOf = (what) => stepAfter(what, advice);
const read = (file) => readFileSync(join(shell.folder, file), "utf8");

beforeAll(async () => {
  all = await begin();
  shell = shellIn(join(all.folder, "greeter"), all.tarballs);
  // The page says how to install from a clone.
  await shell.run("npm install -D mcpgen");
  advice = (await shell.pass(init)).err;
  await shell.pass(...stepOf("install what is missing").split(" && "));
});
afterAll(() => all.end());

/** Calls `greet` at a URL as mcpgen prints it. */
const callAt = (url, ...more) =>
  shell.run(
    ["npx mcpgen call --url", url, "greet name=Ada", ...more].join(" "),
  );

describe("the way from init --server to a server that others use", () => {
  it("begins with a project whose test passes, also with one more tool", async () => {
    await shell.pass(stepOf("test it"));
    const tool = /^ {6}\{\n {8}name: "greet"[^]*?^ {6}\},\n/m;
    writeFileSync(
      join(shell.folder, "src/server.ts"),
      read("src/server.ts").replace(
        tool,
        (own) => own + own.replace("greet", "part").replace("Greets", "Leaves"),
      ),
    );
    await shell.pass(stepOf("test it"));
  });

  it("serves over HTTP, and answers a probe and a call", async () => {
    const port = await freePort();
    const words = stepOf("serve it over HTTP").split(" ");
    const up = await shell.start(words, "Listening on", { PORT: port });
    const health = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect([health.status, await health.text()]).toEqual([200, "ok"]);
    expect(await callAt(`http://localhost:${port}/mcp`)).toMatchObject({
      code: 0,
      out: "Hello, Ada!\n",
    });
    await up.stop();
  });

  it("compiles, and is started by the official clients with the entries that init prints", async () => {
    await shell.pass(stepOf("compile it for hosts"));
    const [claude, code] = [...advice.matchAll(/^ {2}(\{.*\})$/gm)].map(
      ([, text]) => JSON.parse(text),
    );
    const info = { name: "host", version: "1.0.0" };
    for (const [client, transport] of [
      [new Client1(info), new Stdio1(claude.mcpServers.greeter)],
      [new Client2(info), new Stdio2(code.servers.greeter)],
    ]) {
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["greet", "part"]);
      const called = { name: "greet", arguments: { name: "Ada" } };
      const { content } = await client.callTool(called);
      expect(content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
      await client.close();
    }
  });

  it("fits the container that its Dockerfile describes, which names a host that it refuses and ends at SIGTERM", async () => {
    const [build, image] = stagesOf(read("Dockerfile"));
    const ignored = read(".dockerignore").trim().split("\n");
    const built = shellIn(join(all.folder, "build"), all.tarballs);
    for (const name of [...build.copies[0].slice(0, -1), "."]) {
      const filter = (path) =>
        !ignored.some((one) => path.startsWith(join(shell.folder, one)));
      cpSync(join(shell.folder, name), join(built.folder, name), {
        recursive: true,
        filter,
      });
    }
    await built.pass(...build.runs);
    const place = join(all.folder, "image");
    for (const [, from, to] of image.copies)
      cpSync(
        from.replace("/app", built.folder),
        join(place, to === "./" ? basename(from) : to),
        {
          recursive: true,
        },
      );
    const port = await freePort();
    const env = { ...image.env, PORT: port };
    const up = await shell.start(image.command, "Listening on", env, place);
    expect(await callAt(`http://localhost:${port}/mcp`)).toMatchObject({
      out: "Hello, Ada!\n",
    });
    expect(await statusFor(port, "mcp.example.com")).toBe(403);
    await expect
      .poll(up.printed)
      .toContain(
        'The host "mcp.example.com" is not allowed. To allow it, add it to allowedHosts.',
      );
    expect(await up.stop()).toBe(0);
  });

  it("has a snapshot without a finding, and a card", async () => {
    await shell.pass(
      'npx mcpgen pull --stdio "node dist/main.js" -o greeter.mcp.json',
      "npx mcpgen lint greeter.mcp.json",
      "npm pkg set name=@example/greeter version=1.0.0 description=Greets mcpName=com.example/greeter bin.greeter=dist/main.js",
      "npx mcpgen card greeter.mcp.json",
    );
    expect(JSON.parse(read("server.json")).name).toBe("com.example/greeter");
  });

  it("passes the workflow that init --ci github writes, run by hand", async () => {
    await shell.pass("npx mcpgen init --ci github");
    const workflow = parse(read(".github/workflows/mcpgen-check.yml"));
    const lines = workflow.jobs.check.steps.flatMap(({ run = [] }) => run);
    expect(lines).toHaveLength(2);
    await shell.pass(...lines);
  });
});

/** The status of a request that was sent to another name of the server. */
const statusFor = (port, host) =>
  new Promise((resolve, reject) => {
    const sent = request({ port, path: "/mcp", headers: { host } });
    sent.on("response", ({ statusCode }) => resolve(statusCode));
    sent.on("error", reject).end();
  });

const bin = join(here, "node_modules/.bin");
const node24 = join(here, "node_modules/node/bin/node");
const cli = "node_modules/mcpgen/dist/cli.js";
it.each([
  ["Node.js 24", "node", [node24, cli], "node src/main.ts"],
  ["Bun", "bun", [join(bin, "bun"), cli], "bun src/main.ts"],
  [
    "Deno",
    "deno",
    [join(bin, "deno"), "run", "-A", cli],
    "deno run -A src/main.ts",
  ],
])(
  "a project that init writes on %s starts and tests itself there without tsx",
  async (_, name, words, start) => {
    const own = shellIn(join(all.folder, name), all.tarballs, node24);
    for (const path of ["node_modules", "package.json", "package-lock.json"])
      cpSync(join(shell.folder, path), join(own.folder, path), {
        recursive: true,
      });
    await own.run("npm pkg delete scripts");
    const line = [...words, "init", "--server", "greeter"].join(" ");
    await own.pass(line);
    const manifest = readFileSync(join(own.folder, "package.json"), "utf8");
    expect(JSON.parse(manifest).scripts.start).toBe(start);
    const path = {
      PATH: [bin, join(node24, ".."), process.env.PATH].join(":"),
    };
    expect(await own.run("npm test", path)).toMatchObject({ code: 0 });
    const call = `node ${cli} call --stdio "${start}" greet name=Ada`;
    expect((await own.run(call, path)).out).toBe("Hello, Ada!\n");
  },
);
