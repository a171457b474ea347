import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { isTransportError } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../generated/index.js";
import { bundle } from "../adapters/bundle.js";
import { examples, fencesOf } from "../examples/kit/pages.js";
import { folderInCheckout } from "../files.js";
import { freePort } from "../free-port.js";
import { root } from "../repository.js";
import { textOf } from "../runtime/kit/index.js";
import { until } from "../runtime/kit/watch.js";

for (const name of ["nginx", "haproxy"])
  if (spawnSync(name, ["-v"]).error)
    throw new Error(
      `${name} is not installed. On Debian: apt-get install nginx-light haproxy`,
    );

const page = readFileSync(join(examples, "proxies/README.md"), "utf8");
const block = (language: string): string =>
  fencesOf(page).find((fence) => fence.language === language)?.text ?? "";
const certificate = readFileSync(
  join(root, "test/update/localhost.cert.pem"),
  "utf8",
);
const key = readFileSync(join(root, "test/update/localhost.key.pem"), "utf8");

const folder = folderInCheckout("proxies");
/**
 * As root, nginx starts its workers as another user, who cannot use the folder.
 */
const asRoot = process.getuid?.() === 0 ? "user root;\n" : "";
const running: ChildProcess[] = [];
const start = (command: string, ...args: string[]): void =>
  void running.push(
    spawn(command, args, {
      stdio: ["ignore", "inherit", "inherit"],
      cwd: folder,
    }),
  );

/**
 * A client that asks for the public name of the page, at a port of this
 * machine.
 */
const fetchAt =
  (port: number): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      host: url.host,
    };
    const agent = new Agent({ ca: certificate, servername: "localhost" });
    const sent = request({
      port,
      host: "127.0.0.1",
      path: url.pathname,
      method: init.method,
      headers,
      agent,
    });
    init.signal?.addEventListener("abort", () => sent.destroy());
    sent.end(init.body as string | undefined);
    const [answer] = (await once(sent, "response")) as [
      import("node:http").IncomingMessage,
    ];
    const { statusCode: status = 0, headers: received } = answer;
    const body = [204, 304].includes(status)
      ? null
      : (ReadableStream.from(answer) as ReadableStream);
    return new Response(body, {
      status,
      headers: received as Record<string, string>,
    });
  };

type Mode = "2025-06-18" | "2025-11-25" | "2026-07-28";
const url = "https://mcp.example.com/mcp";
const call = async (port: number, mode: Mode): Promise<string> => {
  const client = await connect(http(url, { fetch: fetchAt(port) }), {
    info: { name: "test", version: "1.0.0" },
    mode,
  });
  const text = textOf(await client.callTool({ name: "greet" }));
  await client.close();
  return text;
};
const listens = (port: number): Promise<unknown> =>
  until(() => fetchAt(port)("https://mcp.example.com/readyz"));

/**
 * The page's server on a port, which also answers the health check of the page
 * on health.
 */
async function serve(port: number): Promise<void> {
  const outfile = join(folder, `server-${port}.mjs`);
  await bundle("proxies", "server.ts", outfile, (text) =>
    text
      .replace("3000", String(port))
      .replace(
        "serveHttp(handler,",
        'serveHttp({ "/mcp": handler, "/readyz": () => new Response("ready") },',
      ),
  );
  start(process.execPath, outfile);
  await until(() => fetch(`http://127.0.0.1:${port}/readyz`));
}

/** Starts nginx or haproxy with these lines. */
function startBalancer(name: string, lines: string): void {
  const file = join(folder, `${name}.conf`);
  if (name === "haproxy") {
    writeFileSync(file, lines);
    return start("haproxy", "-f", file);
  }
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  const text = `http {\n${places.join("\n")}\naccess_log off;\n${lines}}`;
  writeFileSync(
    file,
    `${asRoot}daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\n${text}\n`,
  );
  start("nginx", "-c", file);
}

describe.each(["nginx", "haproxy"])("the lines of the page for %s", (name) => {
  let port = 0;
  beforeAll(async () => {
    const [front, one, two] = [
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    port = front;
    await Promise.all([serve(one), serve(two)]);
    writeFileSync(join(folder, "fullchain.pem"), certificate);
    writeFileSync(join(folder, "privkey.pem"), key);
    writeFileSync(join(folder, "mcp.pem"), certificate + key);
    const own = (text: string): string =>
      text
        .replaceAll("3000", String(one))
        .replaceAll("3001", String(two))
        .replace("listen 443", `listen 127.0.0.1:${port}`)
        .replace("bind :443", `bind 127.0.0.1:${port}`)
        .replaceAll(/\/etc\/(nginx\/tls|haproxy)/g, folder);
    startBalancer(name, own(block(name === "nginx" ? "nginx" : "ini")));
    await listens(port);
  });
  afterAll(async () => {
    // Workers of nginx outlive a master that is killed.
    for (const one of running.splice(0))
      if (one.kill("SIGTERM")) await once(one, "exit");
  });

  it.each<Mode>(["2025-11-25", "2026-07-28"])(
    "serve clients of %s under the public name",
    async (mode) => {
      expect(await call(port, mode)).toBe("Hello!");
    },
  );

  it.each<Mode>(name === "haproxy" ? ["2025-06-18"] : [])(
    "keep each session of %s with its process",
    async (mode) => {
      for (let i = 0; i < 4; i++) expect(await call(port, mode)).toBe("Hello!");
    },
  );

  it("let a body of 3 MB pass", async () => {
    const arguments_ = { text: "x".repeat(3_000_000) };
    const client = await connect(http(url, { fetch: fetchAt(port) }), {
      info: { name: "test", version: "1.0.0" },
    });
    expect(
      textOf(await client.callTool({ name: "greet", arguments: arguments_ })),
    ).toBe("Hello!");
    await client.close();
  });
});

const clusterPage = readFileSync(join(examples, "replicas/README.md"), "utf8");
const blocks = (language: string): string[] =>
  fencesOf(clusterPage)
    .filter((fence) => fence.language === language)
    .map(({ text }) => text);

describe("the lines for haproxy in Compose of the page on several processes", () => {
  it("are valid beside the others", () => {
    const [whole = "", , servers = ""] = blocks("ini");
    const file = join(folder, "compose.cfg");
    writeFileSync(
      file,
      `${whole.replaceAll(/^ {2}server .*\n/gm, "")}${servers}`,
    );
    const { stderr, status } = spawnSync("haproxy", ["-c", "-f", file], {
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
  });
});

describe.each(["nginx", "haproxy"])(
  "the lines for %s of the page on several processes",
  (name) => {
    const configOf = (isHashed: boolean): string => {
      if (name === "haproxy") {
        const [whole = "", hash = ""] = blocks("ini");
        return isHashed ? whole.replace("  balance roundrobin\n", hash) : whole;
      }
      const [whole = "", map = "", hash = ""] = blocks("nginx");
      return isHashed ? map + whole.replace("  least_conn;\n", hash) : whole;
    };
    afterEach(async () => {
      for (const one of running.splice(0))
        if (one.kill("SIGTERM")) await once(one, "exit");
    });

    it.each([
      ["send a session to any process, and go on when one is killed", false],
      [
        "send a session to one process by its id, and go on with another one when it is killed",
        true,
      ],
    ])("%s", async (_, isHashed) => {
      const [front, one, two] = [
        await freePort(),
        await freePort(),
        await freePort(),
      ];
      const processes = new Map<string, ChildProcess>();
      for (const port of [one, two]) {
        const outfile = join(folder, "cluster.mjs");
        await bundle("replicas", "cluster-server.ts", outfile, (text) =>
          text.replace('"Hello!"', "String(process.pid)"),
        );
        const secret = "a secret of the tests, of 32 bytes or more";
        const env = { ...process.env, PORT: String(port), MCP_SECRET: secret };
        const child = spawn(process.execPath, [outfile], {
          env,
          stdio: "inherit",
        });
        running.push(child);
        processes.set(String(child.pid), child);
        await until(() => fetch(`http://127.0.0.1:${port}/readyz`));
      }
      const own = configOf(isHashed)
        .replaceAll("3000", String(one))
        .replaceAll("3001", String(two))
        .replace("listen 8080", `listen 127.0.0.1:${front}`)
        .replace("bind :8080", `bind 127.0.0.1:${front}`);
      startBalancer(name, own);
      const place = `http://127.0.0.1:${front}/mcp`;
      await until(async () =>
        expect((await fetch(place)).status).toBeLessThan(500),
      );
      for (const mode of ["2025-03-26", "2025-11-25", "2026-07-28"] as const) {
        const client = await connect(http(place), {
          info: { name: "test", version: "1.0.0" },
          mode,
        });
        const called = new Set<string>();
        for (let i = 0; i < 8; i++)
          called.add(textOf(await client.callTool({ name: "greet" })));
        expect(called.size, mode).toBe(
          isHashed && mode !== "2026-07-28" ? 1 : 2,
        );
        if (mode === "2025-11-25") {
          const [pid = ""] = called;
          const killed = processes.get(pid) as ChildProcess;
          killed.kill("SIGKILL");
          await once(killed, "exit");
          const left: string[] = [];
          const failed: unknown[] = [];
          // A balancer that finds out closes connections, also that of a call
          // on its way.
          while (left.length < 8 && failed.length < 4)
            await client.callTool({ name: "greet" }).then(
              (result) => left.push(textOf(result)),
              (error: unknown) => failed.push(error),
            );
          expect(
            failed.filter(
              (error) => !(isTransportError(error) && error.isRetryable),
            ),
          ).toEqual([]);
          expect([...new Set(left)]).toEqual(
            [...processes.keys()].filter((other) => other !== pid),
          );
          await client.close();
          return;
        }
        await client.close();
      }
    });
  },
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));
