import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../free-port.js";
import { timeLimit } from "../time-limit.js";
import { type Program, requirePrograms, type Stage } from "./stage.js";

/**
 * `MCPGEN_ENGINE_PROGRAM` names another one with the same protocol and options,
 * such as valkey-server.
 */
const engineProgram = process.env["MCPGEN_ENGINE_PROGRAM"] ?? "redis-server";
requirePrograms({ [engineProgram]: engineProgram, haproxy: "haproxy" });

/**
 * Waits until a condition holds. Throws after three minutes, or more on a busy
 * machine, with what did not happen.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const end = performance.now() + timeLimit(180_000);
  for (;;) {
    const result = await Promise.resolve()
      .then(condition)
      .catch(() => undefined);
    if (result) return result;
    if (performance.now() > end)
      throw new Error(`In three minutes or more, ${what} did not happen.`);
    await pause(20);
  }
}

/**
 * Sends a command in the inline form of the protocol and returns the first
 * bytes of the reply.
 */
export async function command(port: number, line: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  try {
    socket.write(`${line}\r\n`);
    let text = "";
    for await (const chunk of socket) {
      text += String(chunk);
      const size = /^\$(\d+)\r\n/.exec(text);
      if (
        size
          ? text.length >= size[0].length + Number(size[1])
          : text.endsWith("\r\n")
      )
        return text;
    }
    throw new Error(`The engine closed the connection after ${line}.`);
  } finally {
    socket.destroy();
  }
}

/** A Redis or Valkey server with an append-only file. */
export interface Engine {
  /** Changes with `failOver`. */
  readonly port: number;
  readonly pid: number;
  /** Kills it at once. */
  kill(): Promise<void>;
  /** Starts it again with what its file has. */
  restart(): Promise<void>;
  /**
   * Makes a replica the primary server. The old one is its replica for a
   * second, and then ends.
   */
  failOver(): Promise<void>;
  /** The calls of each command since the start. */
  calls(): Promise<Map<string, number>>;
  /** All that it has written to the disk. */
  written(): string;
}

export async function startEngine(
  stage: Stage,
  name = "engine",
  options: readonly string[] = [],
): Promise<Engine> {
  const folders: string[] = [];
  const start = async (
    port: number,
    more: readonly string[] = [],
  ): Promise<Program> => {
    const folder = join(stage.folder, `${name}-${port}`);
    mkdirSync(folder, { recursive: true });
    folders.push(folder);
    const args = [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--dir",
      folder,
      "--save",
      "",
    ];
    const durable = ["--appendonly", "yes", "--maxmemory-policy", "noeviction"];
    const program = stage.start(name, engineProgram, [
      ...args,
      ...durable,
      ...options,
      ...more,
    ]);
    await until(`the start of ${name}`, async () =>
      (await command(port, "PING")).startsWith("+PONG"),
    );
    return program;
  };
  let port = await freePort();
  let program = await start(port);
  return {
    get port() {
      return port;
    },
    get pid() {
      return program.pid;
    },
    kill: () => program.end(),
    async restart() {
      program = await start(port);
    },
    async failOver() {
      const next = await freePort();
      const replica = await start(next, [
        "--replicaof",
        "127.0.0.1",
        String(port),
      ]);
      await until("a copy in the replica", async () =>
        (await command(next, "INFO replication")).includes(
          "master_link_status:up",
        ),
      );
      await command(next, "REPLICAOF NO ONE");
      await command(port, `REPLICAOF 127.0.0.1 ${next}`);
      port = next;
      await pause(1000);
      await program.end();
      program = replica;
    },
    async calls() {
      const rows = (await command(port, "INFO commandstats")).matchAll(
        /^cmdstat_([^:]+):calls=(\d+)/gm,
      );
      return new Map(
        [...rows].map(([, command = "", calls]) => [command, Number(calls)]),
      );
    },
    written: () =>
      folders
        .flatMap((folder) =>
          readdirSync(folder, { recursive: true, withFileTypes: true }),
        )
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) =>
          readFileSync(join(parentPath, name), "latin1"),
        )
        .join("\n"),
  };
}

/** The fronts of one balancer. */
export interface Balancer {
  /** Sends each request to the next process. */
  readonly turns: string;
  /**
   * Sends the requests with one id of a session to one process while it lives;
   * the request that opens a session has none.
   */
  readonly hashed: string;
  /** Remembers which process gave the id of a session. */
  readonly kept: string;
  readonly pid: number;
  /** Starts new workers with the same file, as after a change of it. */
  reload(): void;
  /**
   * Closes the connections of the process at a place, as
   * `on-marked-down shutdown-sessions` does.
   */
  cut(place: number): void;
}

/**
 * A balancer that never sends a request a second time, except if the process
 * refused the connection. `check` is the request that tells whether a process
 * is healthy; "" if a connection tells it. Without
 * `on-marked-down shutdown-sessions`, because that closes also what haproxy 2.6
 * has sent to another process after the first refused it.
 */
export async function startBalancer(
  stage: Stage,
  ports: readonly number[],
  check = "GET /health",
): Promise<Balancer> {
  const [turns, hashed, kept] = [
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const servers = ports
    .map((port, i) => `  server s${i} 127.0.0.1:${port}`)
    .join("\n");
  const file = join(stage.folder, "haproxy.cfg");
  const socket = join(stage.folder, "haproxy.sock");
  const backend = (name: string, lines: string): string => `backend ${name}
${lines}
${check === "" ? "" : `  option httpchk ${check}`}
  option redispatch 1
  retries 3
  retry-on conn-failure
  default-server check inter 200 fall 2 rise 1
${servers}
`;
  // Without `maxconn`, haproxy takes memory for as many files as it may open,
  // which in some containers are a billion.
  const text = `global
  maxconn 400
  stats socket ${socket} mode 600 level admin expose-fd listeners
  hard-stop-after 30s
defaults
  mode http
  timeout connect 500ms
  timeout check 1s
  timeout client 120s
  timeout server 120s
  timeout http-keep-alive 600s
frontend turns
  bind 127.0.0.1:${turns}
  default_backend turns
frontend hashed
  bind 127.0.0.1:${hashed}
  default_backend hashed
frontend kept
  bind 127.0.0.1:${kept}
  default_backend kept
${backend("turns", "  balance roundrobin")}
${backend("hashed", "  balance hdr(Mcp-Session-Id)\n  hash-type consistent")}
${backend(
  "kept",
  `  balance roundrobin
  stick-table type string len 1024 size 100k expire 30m
  stick store-response res.hdr(Mcp-Session-Id)
  stick match req.hdr(Mcp-Session-Id)`,
)}`;
  writeFileSync(file, text);
  const { child, pid } = stage.start("haproxy", "haproxy", [
    "-W",
    "-db",
    "-f",
    file,
  ]);
  const url = (port: number): string => `http://127.0.0.1:${port}/mcp`;
  await until(
    "the start of haproxy",
    async () => (await fetch(url(turns))).status !== 503,
  );
  return {
    turns: url(turns),
    hashed: url(hashed),
    kept: url(kept),
    pid,
    reload: () => void child.kill("SIGUSR2"),
    cut(place) {
      const backends = ["turns", "hashed", "kept"];
      const lines = backends.map(
        (name) => `shutdown sessions server ${name}/s${place}`,
      );
      connect(socket)
        .on("error", () => {})
        .end(`${lines.join(";")}\n`);
    },
  };
}

/** A proxy of TCP with the faults of a network. */
export interface Wire {
  readonly port: number;
  /** Keeps what is sent in both directions until `pass`. */
  stall(): void;
  /** Carries everything later, in milliseconds. */
  delay(time: number): void;
  /** Loses the replies that are on their way, and resets all connections. */
  cut(): void;
  /** Resets all connections, also new ones, until `pass`. */
  drop(): void;
  pass(): void;
}

export async function startWire(
  stage: Stage,
  target: number | (() => number),
): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isDown = false;
  let time = 0;
  let gate = Promise.resolve();
  let open = (): void => {};
  const carry = (from: Socket, to: Socket): void => {
    let last = Promise.resolve();
    sockets.add(from);
    from.on("data", (chunk) => {
      last = last.then(async () => {
        if (time > 0) await pause(time);
        await gate;
        to.write(chunk);
      });
    });
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      void last.then(() => to.destroy());
    });
  };
  const cut = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  const server = createServer((one) => {
    if (isDown) return void one.resetAndDestroy();
    const two = connect(
      typeof target === "number" ? target : target(),
      "127.0.0.1",
    );
    carry(one, two);
    carry(two, one);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const pass = (): void => {
    isDown = false;
    time = 0;
    open();
  };
  stage.defer(() => {
    pass();
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => void (gate = new Promise((resolve) => (open = resolve))),
    delay: (milliseconds) => void (time = milliseconds),
    cut,
    drop() {
      isDown = true;
      cut();
    },
    pass,
  };
}
