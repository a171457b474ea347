import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import { freePort } from "../free-port.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "test/examples/protected");
const readme = readFileSync(join(example, "README.md"), "utf8");

/**
 * A browser with a person in front of it, who signs in and agrees. It writes
 * down the scopes of each page.
 */
const browser = `#!${process.execPath}
import(${JSON.stringify(pathToFileURL(join(root, "test/auth/person.mjs")).href)}).then(async ({ Person }) => {
  const page = new URL(process.argv.at(-1));
  const person = new Person();
  person.uri = page.searchParams.get("redirect_uri");
  require("node:fs").appendFileSync(process.env.VISITS, page.searchParams.get("scope") + "\\n");
  const answer = await person.visit(page);
  await fetch(person.uri + "?" + answer);
});
`;

let place = "";
/** The folder of the person: browser, tokens, visits. */
let home = "";
const running = [];

beforeAll(() => {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  place = mkdtempSync(join(root, "node_modules/.cache/protected-"));
  for (const name of readdirSync(example).filter(
    (entry) => !/^(node_modules|dist)$/.test(entry),
  ))
    cpSync(join(example, name), join(place, name), { recursive: true });
  symlinkSync(
    join(example, "node_modules"),
    join(place, "node_modules"),
    "junction",
  );
  for (const script of ["generate", "build"])
    execFileSync("npm", ["run", script], {
      cwd: place,
      stdio: "pipe",
      shell: process.platform === "win32",
    });
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "mcpgen-protected-"));
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(home, name), browser);
    chmodSync(join(home, name), 0o755);
  }
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
  rmSync(home, { recursive: true, force: true });
});

/**
 * Starts a program of the example, and returns the first line that it prints.
 */
async function start(name, env) {
  const child = spawn(process.execPath, [`dist/${name}.mjs`], {
    cwd: place,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  running.push(child);
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`${name} printed nothing.`);
}

/**
 * Starts an authorization server and the server of notes; returns their URLs.
 */
async function startServers() {
  const port = String(await freePort());
  const resource = `http://127.0.0.1:${port}/mcp`;
  const issuer = `http://127.0.0.1:${await freePort()}`;
  expect(
    await start("authorization-server", { ISSUER: issuer, RESOURCE: resource }),
  ).toBe(issuer);
  expect(await start("server", { ISSUER: issuer, PORT: port })).toBe(resource);
  return { issuer, resource };
}

/** Runs the client of the example to its end. */
async function runClient(resource) {
  const env = {
    PATH: `${home}${delimiter}${process.env.PATH}`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "settings"),
    DISPLAY: ":0",
    VISITS: join(home, "visits"),
  };
  const child = spawn(process.execPath, ["dist/client.mjs", resource], {
    cwd: place,
    env,
  });
  running.push(child);
  const [out, errors] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
  ]);
  return {
    out,
    errors,
    visits: readFileSync(join(home, "visits"), "utf8").trim().split("\n"),
  };
}

describe("the example of a protected server", () => {
  it("has programs that a strict compiler passes", () => {
    const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    const run = spawnSync(process.execPath, [tsc, "-p", "."], {
      cwd: place,
      encoding: "utf8",
    });
    expect(run.stdout).toBe("");
  });

  it("rejects a request without a token, and says where to get one", async () => {
    const { issuer, resource } = await startServers();
    const response = await fetch(resource, { method: "POST", body: "{}" });
    const { origin } = new URL(resource);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    expect([response.status, response.headers.get("www-authenticate")]).toEqual(
      [
        401,
        `Bearer scope="notes:read", resource_metadata="${metadata}", DPoP scope="notes:read", resource_metadata="${metadata}", algs="ES256"`,
      ],
    );
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource,
      authorization_servers: [issuer],
      scopes_supported: ["notes:read"],
    });
  });

  it("signs a person in for reading, asks them again for writing, and needs nobody the next time", async () => {
    const { resource } = await startServers();
    const first = await runClient(resource);
    expect(first.out).toBe(/```text\n([^`]*)```/.exec(readme)?.[1]);
    // The authorization server issues refresh tokens for `offline_access`.
    expect(first.visits.map((scope) => scope.split(" ").sort())).toEqual([
      ["notes:read", "offline_access"],
      ["notes:read", "notes:write", "offline_access"],
    ]);
    const second = await runClient(resource);
    expect(second.visits).toEqual(first.visits);
    expect(second.errors).toBe("");
    expect(second.out).toContain(
      "list_notes: Water the plants.\nWater the plants.\n",
    );
  });
});
