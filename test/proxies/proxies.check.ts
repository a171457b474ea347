import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { http } from "@mcpgen/runtime/http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "../../generated/index.js";
import { bundle } from "../adapters/bundle.js";
import { examples, fencesOf } from "../examples/kit/pages.js";
import { folderInCheckout } from "../files.js";
import { freePort } from "../free-port.js";
import { root } from "../repository.js";
import { textOf } from "../runtime/kit/index.js";

for (const name of ["nginx", "haproxy"])
  if (spawnSync(name, ["-v"]).error)
    throw new Error(`${name} is not installed. On Debian: apt-get install nginx-light haproxy`);

const page = readFileSync(join(examples, "proxies/README.md"), "utf8");
const block = (language: string): string =>
  fencesOf(page).find((fence) => fence.language === language)?.text ?? "";
const certificate = readFileSync(join(root, "test/update/localhost.cert.pem"), "utf8");
const key = readFileSync(join(root, "test/update/localhost.key.pem"), "utf8");

const folder = folderInCheckout("proxies");
/** As root, nginx starts its workers as another user, who cannot use the folder. */
const asRoot = process.getuid?.() === 0 ? "user root;\n" : "";
const running: ChildProcess[] = [];
const start = (command: string, ...args: string[]): void =>
  void running.push(spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], cwd: folder }));

/** A client that asks for the public name of the page, at a port of this machine. */
const fetchAt =
  (port: number): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host: url.host };
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
    const [answer] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    const { statusCode: status = 0, headers: received } = answer;
    const body = [204, 304].includes(status) ? null : (ReadableStream.from(answer) as ReadableStream);
    return new Response(body, { status, headers: received as Record<string, string> });
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
  vi.waitFor(() => fetchAt(port)("https://mcp.example.com/readyz"), { timeout: 20_000, interval: 50 });

/** The page's server on a port, which also answers the health check of the page on health. */
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
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/readyz`), { timeout: 20_000, interval: 50 });
}

describe.each(["nginx", "haproxy"])("the lines of the page for %s", (name) => {
  let port = 0;
  beforeAll(async () => {
    const [front, one, two] = [await freePort(), await freePort(), await freePort()];
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
    const file = join(folder, `${name}.conf`);
    if (name === "nginx") {
      const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (one) => `${one}_temp_path ${folder}/${one};`,
      );
      const http = `http {\n${places.join("\n")}\naccess_log off;\n${own(block("nginx"))}}`;
      writeFileSync(
        file,
        `${asRoot}daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\n${http}\n`,
      );
      start("nginx", "-c", file);
    } else {
      writeFileSync(file, own(block("ini")));
      start("haproxy", "-f", file);
    }
    await listens(port);
  });
  afterAll(async () => {
    // Workers of nginx outlive a master that is killed.
    for (const one of running.splice(0)) if (one.kill("SIGTERM")) await once(one, "exit");
  });

  it.each<Mode>(["2025-11-25", "2026-07-28"])("serve clients of %s under the public name", async (mode) => {
    expect(await call(port, mode)).toBe("Hello!");
  });

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
    expect(textOf(await client.callTool({ name: "greet", arguments: arguments_ }))).toBe("Hello!");
    await client.close();
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
