import { spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeCases } from "@mcpgen/runtime/cluster/test";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresStore } from "../examples/own-store/postgres.ts";
import { freePort } from "../free-port.ts";
import { root } from "../repository.ts";
import { Stage } from "./stage.ts";
import { until } from "./topology.ts";

const page = join(root, "test/examples/own-store/postgres.ts");

/** Where Debian and Homebrew keep the programs of the server. */
const debian = "/usr/lib/postgresql";
const programs = [
  ...(existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, "bin"))
    : []),
  "/opt/homebrew/opt/postgresql@15/bin",
  "/usr/local/opt/postgresql@15/bin",
  ...(process.env.PATH ?? "").split(":"),
].find((folder) => existsSync(join(folder, "initdb")));
if (programs === undefined)
  throw new Error("initdb not found. On Debian: apt-get install postgresql");

/** The server refuses to run as root. */
const asUser =
  process.getuid() === 0
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    : [];
const command = (program, ...args) => [
  ...asUser,
  join(programs, program),
  ...args,
];

const run = ([name, ...args]) => {
  const { status, stderr, error } = spawnSync(name, args, {
    encoding: "utf8",
    cwd: "/",
  });
  if (status !== 0) throw error ?? new Error(stderr);
};

async function startPostgres(stage) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-postgres-"));
  stage.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (asUser.length > 0) {
    const id = (flag) =>
      Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
    chownSync(folder, id("-u"), id("-g"));
  }
  const data = join(folder, "data");
  // A container may have another locale in its environment than those that are
  // installed.
  const settled = ["--locale=C", "-E", "UTF8", "-A", "trust", "--no-sync"];
  run(command("initdb", "-D", data, "-U", "postgres", ...settled));
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `port=${port}`,
  ];
  const [name, ...args] = command(
    "postgres",
    "-D",
    data,
    ...settings.flatMap((one) => ["-c", one]),
  );
  stage.start("postgres", name, args);
  const options = {
    host: "127.0.0.1",
    port,
    user: "postgres",
    query_timeout: 2000,
  };
  const admin = new pg.Pool(options);
  admin.on("error", () => {});
  await until("the start of Postgres", () => admin.query("select 1"));
  stage.defer(() => admin.end());
  return { options, admin };
}

describe("the store in Postgres of the guide", () => {
  const stage = new Stage();
  const stores = [];
  let admin;
  let connection;
  let disconnect;
  beforeAll(async () => {
    const { options, admin: own } = await startPostgres(stage);
    admin = own;
    connection = options;
    const pools = [1, 2].map(() => new pg.Pool({ ...options, max: 30 }));
    for (const pool of pools) stage.defer(() => pool.end());
    // As two processes do that start at once.
    stores.push(
      ...(await Promise.all(pools.map((pool) => postgresStore(pool)))),
    );
    disconnect = () =>
      admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
      );
  });
  afterAll(() => stage.end());

  it.each(storeCases)("$name", ({ run: check }) => {
    let count = 0;
    return check({ open: () => stores[count++ % 2], disconnect });
  });

  it("needs no connection of its own in a pooler, which sends each transaction over the next one", async () => {
    const servers = [1, 2, 3, 4].map(() => new pg.Client(connection));
    for (const server of servers) {
      stage.defer(() => server.end());
      server.on("error", () => {});
      await server.connect();
    }
    let count = 0;
    const pooled = {
      on() {},
      release() {},
      query: (...args) => servers[count++ % 4].query(...args),
    };
    const open = () =>
      postgresStore({ ...pooled, connect: async () => pooled });
    const [one, two] = [await open(), await open()];
    const values = [];
    const stop = await two.follow(
      "pooled",
      ({ value }) => values.push(value),
      () => {},
    );
    await one.append("pooled", ["a"], { ttl: 60_000, keep: 5 });
    await until("the entry", () => values.includes("a"));
    stop();
  });

  it("removes values that have ended and entries that nobody needs", async () => {
    const [store] = stores;
    await store.put("ended", "value", { ttl: 1, version: "a" });
    const entry = { ttl: 60_000, keep: 5 };
    await until("the removal", async () => {
      await store.append("short", ["entry"], entry);
      const { rows } = await admin.query(
        "select (select count(*) from mcpgen_values where ends < now()) + (select count(*) from mcpgen_entries where log = 'short') as rest",
      );
      return Number(rows[0].rest) <= 5;
    });
  });

  it("is at most 220 lines of 80 columns, which compile with the types of `pg`", () => {
    expect(readFileSync(page, "utf8").split("\n").length).toBeLessThanOrEqual(
      220,
    );
    const copy = join(import.meta.dirname, "node_modules/.types.postgres.ts");
    cpSync(page, copy);
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2022",
    ];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect(
      spawnSync(process.execPath, [tsc, ...options, copy], { encoding: "utf8" })
        .stdout,
    ).toBe("");
  });
});
