import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import { freePort } from "../../free-port.js";
import { Protected, withBrowser, withoutBrowser } from "../../protected.js";
import { programForNode } from "../../sources.js";
import { until } from "../kit/watch.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const readme = readFileSync(join(root, "src/auth/client/README.md"), "utf8");

/** The programs of the page, by the heading above each. */
const programs = new Map(
  [...readme.matchAll(/^## (.+)\n(?:(?!^## )[^])*?^```ts\n([^]*?)^```$/gm)].map(
    ([, title = "", text = ""]) => [title, text],
  ),
);

let folder = "";
let server: Protected;
const running: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcpgen-authorization-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  server = await Protected.start();
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
  server.stop();
});

/**
 * Starts a program of the page with the server of this test in place of the one
 * that it names.
 */
async function start(
  title: string,
  environment: Record<string, string>,
  changes: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  let text = programs.get(title) ?? "";
  const all = {
    "https://mcp.example.com/mcp": server.url,
    "./gen/": `${root}/generated/`,
    ...changes,
  };
  for (const [before, after] of Object.entries(all)) {
    expect(text).toContain(before);
    text = text.replaceAll(before, after);
  }
  const outfile = join(folder, `${title.replaceAll(" ", "-")}.mjs`);
  await build({
    stdin: { contents: text, loader: "ts", resolveDir: root },
    outfile,
    ...programForNode,
  });
  const env = { PATH: process.env["PATH"], ...environment };
  const child = spawn(process.execPath, [outfile], {
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
  running.push(child);
  return child;
}

async function run(
  ...args: Parameters<typeof start>
): Promise<{ out: string; errors: string }> {
  const child = await start(...args);
  if (!child.stdout || !child.stderr)
    throw new Error("The program has no output.");
  const [out, errors] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
  ]);
  return { out, errors };
}

const printed = "[ 'echo' ]\n";

describe("the page on authorization", () => {
  it("has a program for each situation", () => {
    expect([...programs.keys()]).toEqual([
      "A person at a laptop",
      "A remote shell",
      "A job of CI",
      "A workload",
      "A web application with many users",
    ]);
  });

  it("signs in a person at a laptop once, and the next run needs no sign-in", async () => {
    const title = "A person at a laptop";
    expect(await run(title, withBrowser(folder))).toMatchObject({
      out: printed,
    });
    server.live.clear();
    expect(await run(title, withoutBrowser(folder))).toEqual({
      out: printed,
      errors: "",
    });
    expect(server.seen).toEqual(["authorization_code", "refresh_token"]);
  });

  it("signs in a person in a remote shell with a code", async () => {
    const { out, errors } = await run(
      "A remote shell",
      withoutBrowser(join(folder, "remote")),
    );
    expect(out).toBe(printed);
    expect(errors).toMatch(
      /^Open http:\/\/127\.0\.0\.1:\d+\/enter on any device, and enter ABCD-EFGH\.\n$/,
    );
  });

  it("authorizes a job of CI with its secret", async () => {
    const environment = {
      CLIENT_ID: "robot",
      CLIENT_SECRET: "s3cret-of-the-robot",
    };
    const changes = { "https://login.example.com": new URL(server.url).origin };
    expect(await run("A job of CI", environment, changes)).toEqual({
      out: printed,
      errors: "",
    });
    expect(server.seen).toEqual(["client_credentials"]);
  });

  it("authorizes a workload with the token in its file", async () => {
    const token = join(folder, "token");
    writeFileSync(token, "jwt-of-the-platform\n");
    const changes = {
      "/var/run/secrets/tokens/mcp": token,
      "https://login.example.com": new URL(server.url).origin,
    };
    expect(await run("A workload", {}, changes)).toEqual({
      out: printed,
      errors: "",
    });
    expect(server.seen).toEqual([
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
    ]);
  });

  it("signs in each user of a web application, and rejects a user with the callback URL of another one", async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const changes = {
      "http://127.0.0.1:8787": origin,
      "port: 8787": `port: ${port}`,
    };
    await start("A web application with many users", {}, changes);
    const ask = (url: string, cookie: string): Promise<Response> =>
      fetch(url, { redirect: "manual", headers: { cookie } });
    const first = await until(() => ask(`${origin}/tools`, "ann"));
    const page = first.headers.get("location") ?? "";
    const back = (await ask(page, "")).headers.get("location") ?? "";
    expect((await ask(back, "bob")).status).toBe(500);
    expect((await ask(back, "ann")).headers.get("location")).toBe(
      `${origin}/tools`,
    );
    expect(await (await ask(`${origin}/tools`, "ann")).json()).toEqual([
      "echo",
    ]);
    expect((await ask(`${origin}/tools`, "bob")).status).toBe(302);
  });
});
