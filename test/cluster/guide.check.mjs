import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { http } from "@mcpgen/runtime/http";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import { connect } from "../../generated/index.js";
import { bundle } from "../adapters/bundle.ts";
import { examples, fencesOf } from "../examples/kit/pages.ts";
import { freePort } from "../free-port.ts";
import { Stage } from "./stage.ts";
import { startEngine, until } from "./topology.ts";

const page = readFileSync(join(examples, "replicas/README.md"), "utf8");
const [connecting, closing] = fencesOf(page)
  .filter(({ language }) => language === "js")
  .map(({ text }) => text);
const [beginning, ...ending] = closing.split("\n");

/** The program of the page, changed as the page says. */
function withStore(text) {
  const parts = [/^const shared = .*$/m, /^await serveHttp\(/m];
  for (const part of parts)
    if (!part.test(text))
      throw new Error(`The program of the page lacks ${part}.`);
  const [shared, serving] = parts;
  const own = text
    .replace(shared, () => connecting)
    .replace(serving, beginning.replace("…);", ""));
  return `${own}\n${ending.join("\n")}`;
}

let folder;
let stage;
beforeAll(async () => {
  // Where it finds the library for the engine.
  folder = mkdtempSync(join(import.meta.dirname, "node_modules/.guide-"));
  await bundle(
    "replicas",
    "cluster-server.ts",
    join(folder, "server.mjs"),
    withStore,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => void (stage = new Stage()));
afterEach(() => stage.end());

const start = (
  name,
  port,
  engine,
  secret = "a secret of the tests, of 32 bytes or more",
) => {
  const variables = [
    `PORT=${port}`,
    `MCP_SECRET=${secret}`,
    `VALKEY_URL=redis://127.0.0.1:${engine}`,
  ];
  return stage.start(name, "env", [
    ...variables,
    process.execPath,
    join(folder, "server.mjs"),
  ]);
};
const isReady = (port) => async () =>
  (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;

async function greeting(port) {
  const options = {
    info: { name: "test", version: "1.0.0" },
    mode: "2025-11-25",
  };
  const client = await connect(http(`http://127.0.0.1:${port}/mcp`), options);
  const { content } = await client.callTool({ name: "greet" });
  await client.close();
  return content[0].text;
}

describe("the server of the guide with a store", () => {
  it("answers calls before its engine is there and after it has gone, and ends at SIGTERM", async () => {
    const engine = await startEngine(stage);
    await engine.kill();
    const port = await freePort();
    const server = start("server", port, engine.port);
    await until("the start of the server", isReady(port));
    expect(await greeting(port)).toBe("Hello!");
    await until("an error of the library", () =>
      stage.log("server").includes("ECONNREFUSED"),
    );
    await engine.restart();
    await until(
      "an entry of the server",
      async () => (await engine.calls()).get("xadd") > 0,
    );
    await engine.kill();
    expect(await greeting(port)).toBe("Hello!");
    await server.end("SIGTERM");
    expect(server.child.exitCode).toBe(0);
  });

  it("does not start without a secret, and says how to make one", async () => {
    const server = start("server", await freePort(), await freePort(), "");
    await until("the end of the server", () => server.hasEnded());
    expect(server.child.exitCode).toBe(1);
    expect(stage.log("server")).toContain(
      "got 0. Make one with `openssl rand -base64 32`.",
    );
  });

  it("warns in each process of another one that has another secret", async () => {
    const engine = await startEngine(stage);
    for (const name of ["one", "two"]) {
      const port = await freePort();
      start(
        name,
        port,
        engine.port,
        `the secret of process ${name}, of 32 bytes or more`,
      );
      await until(`the start of ${name}`, isReady(port));
    }
    for (const name of ["one", "two"])
      await until(`the warning of ${name}`, () =>
        stage
          .log(name)
          .includes(
            "another process has other secrets. Give all the same ones.",
          ),
      );
  });
});
