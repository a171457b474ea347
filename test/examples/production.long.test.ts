import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bundle } from "../adapters/bundle.js";
import { filesIn, folderInCheckout } from "../files.js";
import { freePort } from "../free-port.js";
import { root } from "../repository.js";
import { sendNode } from "../runtime/http/kit/exchange.js";
import { ask, call, modernPost } from "../runtime/http/kit/messages.js";
import { type Json, modern, resultOf, textOf } from "../runtime/kit/index.js";
import { examples, fencesOf, readGuides } from "./kit/pages.js";
import { until } from "../runtime/kit/watch.js";

/** The sources in a folder of the repository, as one text. */
const sourcesOf = (folder: string): string =>
  Object.entries(filesIn(join(root, folder)))
    .filter(([path]) => path.endsWith(".ts") && !path.startsWith("dist/"))
    .map(([, text]) => text)
    .join("\n");
const pageOf = (name: string): string =>
  readFileSync(join(examples, name, "README.md"), "utf8");

describe("the server of the page on health", () => {
  let folder = "";
  let port = 0;
  let child: ChildProcess;
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/${path}`)).status;

  beforeAll(async () => {
    folder = folderInCheckout("health");
    port = await freePort();
    await bundle("health", "server.ts", join(folder, "server.mjs"), (text) =>
      text.replace("3000", String(port)),
    );
  });
  // The tests use one port, in any order.
  afterEach(async () => {
    const ended = once(child, "exit");
    if (child.kill("SIGKILL")) await ended;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(noticeTime: number): Promise<void> {
    const env = { ...process.env, NOTICE_TIME: String(noticeTime) };
    child = spawn(process.execPath, [join(folder, "server.mjs")], {
      env,
      stdio: "inherit",
    });
    await until(async () => expect(await statusOf("readyz")).toBe(200));
  }

  it("answers an open call after SIGTERM, while its database is open, and ends with code 0", async () => {
    await start(0);
    const answer = sendNode(port, modernPost(modern, call(1, "work")));
    // The call has arrived before these requests are answered.
    expect([await statusOf("healthz"), await statusOf("healthz")]).toEqual([
      200, 200,
    ]);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(textOf(resultOf(await (await answer).json()))).toBe("done");
    expect(await ended).toEqual([0, null]);
  });

  it("is not ready after SIGTERM, and is healthy until it closes", async () => {
    await start(3_600_000);
    child.kill("SIGTERM");
    await until(async () => expect(await statusOf("readyz")).toBe(503));
    expect(await statusOf("healthz")).toBe(200);
  });
});

describe("the access log of the page on metrics", () => {
  it("has a line for each request, also for one that is refused, with the text of the client escaped", async () => {
    const folder = folderInCheckout("log");
    const port = await freePort();
    await bundle(
      "metrics",
      "log-server.ts",
      join(folder, "server.mjs"),
      (text) => text.replace("3000", String(port)),
    );
    const child = spawn(process.execPath, [join(folder, "server.mjs")], {
      stdio: ["ignore", "inherit", "pipe"],
    });
    try {
      const lines = createInterface(child.stderr)[Symbol.asyncIterator]();
      const post = (message: Json): Promise<unknown> =>
        sendNode(port, modernPost(modern, message));
      await until(() => post(call(1, "forecast")));
      await post(ask(2, "none", { name: 'c"d' }));
      const printed = [await lines.next(), await lines.next()].map(
        ({ value }) => String(value),
      );
      expect(printed.map((line) => line.replace(/ \d+ ms$/, ""))).toEqual([
        "received - tools/call forecast ok -",
        String.raw`received - none c\"d error -32601`,
      ]);
    } finally {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("the server with TLS of the page on proxies", () => {
  it("answers over HTTPS, and ends at SIGTERM with code 0", async () => {
    const folder = folderInCheckout("tls");
    const port = await freePort();
    await bundle("proxies", "tls-server.ts", join(folder, "server.mjs"));
    copyFileSync(
      join(root, "test/update/localhost.key.pem"),
      join(folder, "privkey.pem"),
    );
    copyFileSync(
      join(root, "test/update/localhost.cert.pem"),
      join(folder, "fullchain.pem"),
    );
    const child = spawn(process.execPath, ["server.mjs"], {
      cwd: folder,
      env: { ...process.env, PORT: String(port) },
      stdio: "inherit",
    });
    try {
      const ca = readFileSync(join(folder, "fullchain.pem"));
      const { headers, body } = modernPost(modern, call(1, "greet"));
      const send = async (): Promise<string> => {
        const sent = request({
          port,
          ca,
          host: "localhost",
          path: "/mcp",
          method: "POST",
          agent: false,
          headers: {
            ...(headers as Record<string, string>),
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
        });
        sent.end(JSON.stringify(body));
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        const chunks = await response.setEncoding("utf8").toArray();
        return chunks.join("");
      };
      const answer = await until(send);
      expect(textOf(resultOf(JSON.parse(answer) as Json))).toBe("Hello!");
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("the numbers of the pages on production", () => {
  const sources = sourcesOf("src/runtime");
  /** The numbers that the code takes if an option is missing. */
  const defaultsOf = (option: string): number[] =>
    [
      ...sources.matchAll(
        new RegExp(
          `\\b${option}(?: = | \\?\\? )(?:Math\\.min\\()?(\\d[\\d_]*)`,
          "g",
        ),
      ),
    ].map(([, digits = ""]) => Number(digits.replaceAll("_", "")));

  const rows = [
    ...pageOf("limits").matchAll(/^\| `(?:limits\.)?(\w+)` +\| +([\d,]+) \|/gm),
  ].map(
    ([, option = "", number = ""]) =>
      [option, Number(number.replaceAll(",", ""))] as const,
  );

  it.each(rows)(
    "have the default of %s, %i, as the code has it",
    (option, number) => {
      expect(defaultsOf(option)).toContain(number);
    },
  );

  it("have each limit of an HTTP endpoint and of a server that has a default", () => {
    const membersOf = (file: string, name: string): string[] => {
      const text = readFileSync(join(root, "src/runtime", file), "utf8");
      const [, body = ""] =
        new RegExp(`interface ${name}\\b[^{]*\\{([^]*?)^\\}`, "m").exec(text) ??
        [];
      return [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(
        ([, member = ""]) => member,
      );
    };
    const members = [
      ...membersOf("core/role/http-server/open-work.ts", "HttpLimits"),
      ...membersOf("core/role/http-server/serve-node.ts", "ListenLimits"),
      ...membersOf("core/jsonrpc/limits.ts", "Limits"),
      ...membersOf("core/jsonrpc/limits.ts", "ServerLimits"),
    ].filter((member) => defaultsOf(member).length > 0);
    expect(members.length).toBeGreaterThan(8);
    expect(
      members.filter((member) => !rows.some(([option]) => option === member)),
    ).toEqual([]);
  });

  it("have proxies whose limits are above those of the server", () => {
    const page = pageOf("proxies");
    expect(defaultsOf("bodyBytes")).toEqual([4 * 1024 * 1024]);
    expect(page).toContain("client_max_body_size 4m;");
    expect(Math.max(...defaultsOf("keepAliveTime"))).toBeLessThan(60_000);
    for (const line of [
      "proxy_read_timeout 60s;",
      "timeout client 60s",
      "timeout server 60s",
    ])
      expect(page).toContain(line);
    expect(
      Number(/keepAliveTimeout: ([\d_]+)/.exec(page)?.[1]?.replaceAll("_", "")),
    ).toBeGreaterThan(60_000);
    expect(sources).toContain('"x-accel-buffering": "no"');
  });
});

describe("the errors that pages quote", () => {
  const code = (sourcesOf("src/runtime") + sourcesOf("src/auth")).replaceAll(
    "\\`",
    "`",
  );
  /** The parts of a sentence that the code does not fill in. */
  const partsOf = (quote: string): string[] =>
    quote.split(/"[^"]*"|Mcp-Session-Id|tools\/call|maxTimeout|\d+/);
  const quotes = ["cors", "frameworks", "progress", "replicas"].flatMap(
    (name) =>
      [...pageOf(name).matchAll(/^> (.+)$/gm)].map(
        ([, text = ""]) => [name, text] as const,
      ),
  );

  it("are on the pages that cure them", () =>
    expect(quotes.length).toBeGreaterThan(4));
  it.each(quotes)("%s: %s", (_name, quote) => {
    expect(partsOf(quote).filter((part) => !code.includes(part))).toEqual([]);
  });
});

describe("the guides", () => {
  it("have only YAML that can be parsed", () => {
    const texts = readGuides()
      .flatMap(({ text }) => fencesOf(text))
      .filter(({ language }) => language === "yaml");
    expect(texts.length).toBeGreaterThan(0);
    for (const { text } of texts)
      expect(() => parse(text) as unknown).not.toThrow();
  });
});
