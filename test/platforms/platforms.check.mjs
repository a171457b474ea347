// The packed packages on each platform: Node.js 20, 22 and 24, Bun, Deno,
// Cloudflare Workers and a browser. On each, a client of both eras calls a
// server of Node.js, and a client of Node.js calls a server of the platform.
// In CI a sample: each platform, with one version of Node.js and one Worker.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../browser/chromium.mjs";
import { freePort } from "../free-port.js";
import { isSample, sampleOf } from "../sample.js";
import * as programs from "./programs.mjs";
import { until } from "../runtime/kit/watch.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const project = mkdtempSync(join(tmpdir(), "mcpgen-platforms-"));
const revisions = ["2025-11-25", "2026-07-28"];
const bin = (name) => join(here, "node_modules/.bin", name);
const node = (name) => join(root, "test/node/node_modules", name, "bin/node");

/** The platforms with processes. */
const runtimes = sampleOf(
  "runtimes",
  [
    ["Node.js, as it runs here", [process.execPath]],
    ["node20", [node("node20")]],
    ["node22", [node("node22")]],
    ["node24", [node("node24")]],
    ["Bun", [bin("bun")]],
    ["Deno", [bin("deno"), "run", "--allow-all"]],
  ],
  ([name]) => !name.startsWith("node"),
  ([name]) => name,
);

/**
 * Workers, by their date and flags. Before that of 2024, `nodejs_compat` has
 * few modules; since 2025 it has `node:http`, whose responses have no socket.
 */
const workers = sampleOf(
  "Workers",
  [
    [
      "a Worker with nodejs_compat and node:http",
      "2026-11-01",
      ["nodejs_compat"],
    ],
    ["a Worker with nodejs_compat", "2024-11-01", ["nodejs_compat"]],
    ["a Worker with few modules of Node.js", "2024-07-01", ["nodejs_compat"]],
    ["a Worker without flags", "2026-11-01", []],
  ],
  (_, i) => i === 0,
  ([name]) => name,
);

const started = [];
/** Starts a program, and resolves with the first line that it prints. */
async function start(command, words) {
  const child = spawn(command, words, {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return line;
}

async function run([program, ...words], ...args) {
  const { stdout } = await promisify(execFile)(program, [...words, ...args], {
    cwd: project,
  });
  return stdout;
}

/** The result of the calls of a client. */
const came = (revision, where) => ({
  revision,
  tools: 3,
  where,
  steps: [1, 2, 3],
  stopped: "stopped",
  after: 3,
});

/** The address of a server of Node.js, and its name. */
let address = "";
let nodeServer = "";
const onNode = [process.execPath, "client.js"];
const callFromNode = async (revision, url) =>
  JSON.parse(await run(onNode, revision, url));

beforeAll(async () => {
  const nodes = join(root, "test/node");
  if (!isSample && !existsSync(join(nodes, "node_modules")))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: nodes });
  const packing = ["run", "--silent", "pack", "--", "--json"];
  const packed = execFileSync(
    "npm",
    [...packing, "--pack-destination", project],
    { cwd: root, encoding: "utf8" },
  );
  const tarballs = JSON.parse(packed).map(({ filename }) =>
    join(project, filename),
  );
  writeFileSync(
    join(project, "package.json"),
    '{ "type": "module", "private": true }',
  );
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...tarballs], {
    cwd: project,
    stdio: "ignore",
  });
  const cli = "node_modules/mcpgen/dist/cli.js";
  const words = ["--version", revisions.join(), "--out", "source"];
  execFileSync(process.execPath, [cli, ...words, "--emit", "client,server"], {
    cwd: project,
    stdio: "ignore",
  });
  await build({
    entryPoints: [join(project, "source/**/*.ts")],
    outdir: join(project, "gen"),
  });
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(project, `${name}.js`), text);
  await build({
    entryPoints: ["worker", "page"].map((name) => join(project, `${name}.js`)),
    outdir: join(project, "bundled"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
  });
  address = await start(process.execPath, ["server.js", "http"]);
  nodeServer = String(started[0].pid);
});
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(project, { recursive: true, force: true });
});

describe.each(runtimes)("on %s", (_, command) => {
  const [program] = command;

  it.each(revisions)(
    "a client of %s calls a server over HTTP",
    async (revision) => {
      const text = await run([...command, "client.js"], revision, address);
      expect(JSON.parse(text)).toEqual(came(revision, nodeServer));
    },
  );

  it("a server answers clients of both eras over HTTP", async () => {
    const [name, ...words] = command;
    const url = await start(name, [...words, "server.js", "http"]);
    for (const revision of revisions) {
      const { where, ...rest } = await callFromNode(revision, url);
      expect({ ...rest, where }).toEqual(came(revision, where));
      expect(where).toMatch(/^\d+$/);
    }
  });

  it.each(revisions)(
    "a client of %s calls a server over stdio, which ends with it",
    async (revision) => {
      const printed = await run([...command, "stdioClient.js"], revision);
      const [used, pid] = printed.trim().split(" ");
      expect(used).toBe(revision);
      expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
    },
  );

  it("mcpgen pulls the snapshot of a server over stdio", async () => {
    const out = `${basename(program)}.mcp.json`;
    const cli = [...command, "node_modules/mcpgen/dist/cli.js"];
    await run(cli, "pull", "--stdio", "node server.js", "-o", out);
    const { tools } = JSON.parse(readFileSync(join(project, out), "utf8"));
    expect(tools).toHaveLength(3);
  });
});

describe("on workerd", () => {
  const addresses = new Map();

  beforeAll(async () => {
    const ports = await Promise.all(workers.map(() => freePort()));
    const texts = workers.map(([name, date, flags], i) => {
      addresses.set(name, `http://127.0.0.1:${ports[i]}`);
      return `
    ( name = "worker${i}", worker = (
      modules = [(name = "worker", esModule = embed "bundled/worker.js")],
      compatibilityDate = "${date}", compatibilityFlags = ${JSON.stringify(flags)},
      globalOutbound = "network" ) )`;
    });
    const sockets = ports.map(
      (port, i) =>
        `( name = "http${i}", address = "127.0.0.1:${port}", http = (), service = "worker${i}" )`,
    );
    const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "network", network = (allow = ["public", "private"]) ),${texts}
  ],
  sockets = [${sockets}]
);`;
    writeFileSync(join(project, "workers.capnp"), config);
    const child = spawn(bin("workerd"), ["serve", "workers.capnp"], {
      cwd: project,
      stdio: ["ignore", "ignore", "inherit"],
    });
    started.push(child);
    for (const url of addresses.values()) await until(() => fetch(url));
  });

  describe.each(workers)("%s", (name) => {
    it.each(revisions)(
      "has a client of %s that calls a server over HTTP",
      async (revision) => {
        const query = new URLSearchParams({ revision, url: address });
        const response = await fetch(`${addresses.get(name)}/call?${query}`);
        expect(await response.json()).toEqual(came(revision, nodeServer));
      },
    );

    it.each(revisions)(
      "has a server that a client of %s calls",
      async (revision) => {
        const url = `${addresses.get(name)}/mcp`;
        expect(await callFromNode(revision, url)).toEqual(
          came(revision, "a Worker"),
        );
      },
    );
  });
});

describe("in a browser", () => {
  let browser;
  let tab;
  const site = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader(
      "content-type",
      isScript ? "text/javascript" : "text/html",
    );
    response.end(
      isScript
        ? readFileSync(join(project, "bundled/page.js"))
        : '<script type="module" src="/page.js"></script>',
    );
  });

  beforeAll(async () => {
    const executablePath = findChromium();
    if (executablePath === null)
      throw new Error(
        "there is no chromium; test/browser/chromium.mjs says how to get one",
      );
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${site.address().port}/`);
    await tab.waitForFunction(() => "callServer" in globalThis);
  });
  afterAll(async () => {
    await browser?.close();
    site.close();
  });

  it.each(revisions)(
    "a client of %s calls a server over HTTP",
    async (revision) => {
      const result = await tab.evaluate(
        ([revision, url]) => globalThis.callServer(revision, url),
        [revision, address],
      );
      expect(result).toEqual(came(revision, nodeServer));
    },
  );

  it.each(revisions)(
    "a client of %s calls a server in the same page",
    async (revision) => {
      const result = await tab.evaluate(
        (revision) => globalThis.callPage(revision),
        revision,
      );
      expect(result).toEqual(came(revision, "a page"));
    },
  );
});
