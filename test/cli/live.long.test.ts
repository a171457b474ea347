import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import {
  createServer as createHttp,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createSseHandler, sse } from "@mcpgen/runtime/sse";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../runtime/kit/watch.js";
import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { json } from "node:stream/consumers";
import { connect, createServers } from "../../generated/index.js";
import { filesIn } from "../files.js";
import { pull, token } from "./pulling.js";
import { directory, ended, mcpgen, start } from "./support.js";

/** A server with one tool; `instructions` may repeat a secret. */
function serversOf(
  instructions = "Be kind.",
): ReturnType<typeof createServers> {
  return createServers({
    info: { name: "Étoile / Server!", version: "1.0.0" },
    instructions,
    handlers: {
      "tools/list": () => ({
        tools: [
          {
            name: "echo",
            inputSchema: { type: "object" },
            annotations: { readOnlyHint: true },
          },
        ],
      }),
      "tools/call": () => ({ content: [] }),
    },
  });
}

type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  base: string,
) => void;

interface Listening {
  readonly base: string;
  readonly requests: IncomingMessage[];
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that calls `answer` for each request. */
async function scripted(answer: Answer): Promise<Listening> {
  const requests: IncomingMessage[] = [];
  const server = createHttp((request, response) => {
    requests.push(request);
    request.resume();
    answer(request, response, base);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { base, requests };
}

/** A server that requires the token, with paths that redirect to it or fail. */
async function guarded(instructions?: string): Promise<Listening> {
  const handler = createHttpHandler(serversOf(instructions));
  const inner = await serveHttp({ "/mcp": handler }, { port: 0 });
  closing.push(() => inner.close());
  const { url: target } = inner;
  return await scripted((request, response, base) => {
    const { pathname } = new URL(request.url ?? "", base);
    if (pathname === "/moved")
      return void response.writeHead(308, { location: "/mcp" }).end();
    if (pathname === "/away")
      return void response.writeHead(308, { location: `${target}?a=b` }).end();
    if (pathname === "/none") return void response.writeHead(404).end();
    if (pathname === "/forbidden") return void response.writeHead(403).end();
    if (request.headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end();
    const passed = Object.entries(request.headers).filter(
      ([name]) => name !== "host",
    );
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body =
        request.method === "POST" ? { body: Buffer.concat(parts) } : {};
      const init = {
        method: request.method ?? "",
        headers: passed as [string, string][],
        ...body,
      };
      void fetch(target, init).then(async (answer) => {
        const type = answer.headers.get("content-type") ?? "application/json";
        const session = answer.headers.get("mcp-session-id");
        const more = session === null ? {} : { "mcp-session-id": session };
        response
          .writeHead(answer.status, { "content-type": type, ...more })
          .end(await answer.text());
      });
    });
  });
}

/**
 * A server that supports all revisions over HTTP+SSE, and answers 405 to a POST
 * of Streamable HTTP.
 */
async function servingSse(): Promise<string> {
  const sessions: Transport[] = [];
  const { base } = await scripted((request, response) => {
    const session =
      sessions[
        Number(
          new URL(request.url ?? "", base).searchParams.get("session") ?? -1,
        )
      ];
    if (request.method === "POST") {
      if (!session) return void response.writeHead(405).end();
      return void json(request).then((message) => {
        response.writeHead(202).end();
        void session.send(message);
      });
    }
    const [ours, theirs] = memoryPair();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(
      `event: endpoint\ndata: /?session=${sessions.push(ours) - 1}\n\n`,
    );
    void ours.start({
      message: (message) =>
        response.write(`data: ${JSON.stringify(message)}\n\n`),
      malformed: () => {},
      ended: () => {},
      closed: () => response.end(),
    });
    void serve(theirs, serversOf());
    response.on("close", () => void ours.close());
  });
  return base;
}

const authorized = [
  "--header",
  `Authorization: Bearer ${token}`,
  "--header",
  "X-Note: a, b",
];

describe("mcpgen pull --url", () => {
  let both: Awaited<ReturnType<typeof serveHttp>>;
  let base: string;
  beforeAll(async () => {
    const servers = serversOf();
    both = await serveHttp(
      { "/mcp": createHttpHandler(servers), "/old": createSseHandler(servers) },
      { port: 0 },
    );
    base = `http://127.0.0.1:${both.port}`;
  });
  afterAll(() => both.close());

  it("reads a server over Streamable HTTP, and a server that only supports HTTP+SSE", async () => {
    const place = directory();
    const [now, old] = [
      await pull(place, "--url", `${base}/mcp`),
      await pull(place, "--url", `${base}/old`, "-o", "old.json"),
    ];
    expect([now.code, now.err]).toEqual([
      0,
      expect.stringMatching(
        /^etoile-server\.mcp\.json: written, .*, revision 2026-07-28, 1 tool\nkeep it current: npx mcpgen add "http:[^"]*" --name [\w-]+\n$/,
      ),
    ]);
    expect([old.code, old.err]).toEqual([
      0,
      expect.stringMatching(
        /^old\.json: written, .*, revision 2025-11-25, 1 tool\nkeep it current: .*\n$/,
      ),
    ]);
    const [text, older] = ["etoile-server.mcp.json", "old.json"].map((name) =>
      readFileSync(join(place, name), "utf8"),
    );
    expect(text).toContain('"name": "echo"');
    expect(`${text}${older}`).not.toContain("127.0.0.1");
  });

  it("records the newest revision that both sides support over HTTP+SSE, as `connect` agrees on it", async () => {
    const base = await servingSse();
    const place = directory();
    const { code, err } = await pull(place, "--url", base, "-o", "sse.json");
    await using client = await connect(sse(base), {
      info: { name: "c", version: "1" },
    });
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^sse\.json: written, .*, revision 2026-07-28, 1 tool\nkeep it current: npx mcpgen add "http:[^"]*" --name [\w-]+\n$/,
      ),
    ]);
    const { revision } = JSON.parse(
      readFileSync(join(place, "sse.json"), "utf8"),
    ) as { revision: string };
    expect([revision, client.revision]).toEqual(["2026-07-28", "2026-07-28"]);
  });

  it("shows its progress in one line on a terminal", async () => {
    const looking = {
      NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true",
      TERM: "xterm",
    };
    const args = ["pull", "--url", `${base}/mcp`, "--no-color"];
    const shown = await mcpgen(args, {
      directory: directory(),
      environment: looking,
    });
    expect(shown.err).toMatch(
      /^\r\u001b\[Ktools: 1\r\u001b\[Ketoile-server\.mcp\.json: written, .*\nkeep it current: .*\n$/,
    );
    const dumb = await mcpgen(args, {
      directory: directory(),
      environment: { ...looking, TERM: "dumb" },
    });
    const quiet = await mcpgen([...args, "--quiet"], {
      directory: directory(),
      environment: looking,
    });
    expect([
      dumb.err.includes("\u001b"),
      quiet.err.replaceAll(/\r\u001b\[K/g, ""),
    ]).toEqual([false, ""]);
  });

  it("is not needed for stubs, which read a URL without a snapshot file", async () => {
    const place = directory();
    const { code, err } = await mcpgen(
      ["stubs", "--url", `${base}/mcp`, "--out", "gen"],
      {
        directory: place,
      },
    );
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("from 2026-07-28"),
    ]);
    expect(Object.values(filesIn(place)).join("\n")).not.toContain("127.0.0.1");
  });

  it("writes the snapshot into the given folder, named after the server", async () => {
    const place = directory();
    mkdirSync(join(place, "snapshots"));
    for (const out of ["snapshots", "snapshots/", "new/"]) {
      expect(
        (await pull(place, "--url", `${base}/mcp`, "--out", out)).code,
      ).toBe(0);
    }
    expect(Object.keys(filesIn(place))).toEqual([
      "new/etoile-server.mcp.json",
      "snapshots/etoile-server.mcp.json",
    ]);
  });
});

describe("mcpgen pull of a server that requires authentication", () => {
  it.each(["/mcp", "/moved"])(
    "reads the server with the given headers, and prints none of them: %s",
    async (path) => {
      const { base, requests } = await guarded();
      const place = directory();
      const { code, out, err } = await pull(
        place,
        "--url",
        `${base}${path}`,
        ...authorized,
        "--json",
      );
      expect(code, err).toBe(0);
      expect(
        requests.every(({ headers }) => headers["x-note"] === "a, b"),
      ).toBe(true);
      expect(`${out}${err}${JSON.stringify(filesIn(place))}`).not.toContain(
        token,
      );
    },
  );

  it.each([
    ["are missing", "/mcp", [], "MG732", "requires authentication (401)"],
    [
      "are wrong",
      "/mcp",
      ["--header", "authorization: Bearer wrong-secret"],
      "MG732",
      "rejects the Authorization header (401)",
    ],
    [
      "have too few rights",
      "/forbidden",
      authorized,
      "MG732",
      "denies access (403)",
    ],
    [
      "would be sent to another origin",
      "/away",
      authorized,
      "MG730",
      "redirects to another origin",
    ],
    [
      "are sent to a path without a server",
      "/none",
      authorized,
      "MG730",
      "404",
    ],
  ])(
    "exits with 3 and a diagnostic if the headers %s",
    async (_, path, headers, code, words) => {
      const { base } = await guarded();
      const place = directory();
      const ended = await pull(place, "--url", `${base}${path}`, ...headers);
      expect([ended.code, ended.err]).toEqual([
        3,
        expect.stringContaining(code),
      ]);
      expect(ended.err).toContain(words);
      expect(ended.err).not.toMatch(/tok-|wrong-secret/);
      expect(readdirSync(place)).toEqual([]);
    },
  );

  it("says that a server does not know its own host if it answers 403 for that, and not to sign in", async () => {
    const handler = createHttpHandler(serversOf(), {
      allowedHosts: ["mcp.example.com"],
    });
    const { url, close } = await serveHttp(handler, { port: 0 });
    closing.push(close);
    const { code, err } = await pull(directory(), "--url", url);
    expect([code, err]).toEqual([3, expect.stringContaining("MG732")]);
    expect(err).toContain(
      "hint: the server does not allow this host, whoever you are: add it to its option allowedHosts\n",
    );
    expect(err).not.toContain("login");
  });

  it("writes no snapshot if the server repeats a secret", async () => {
    const { base } = await guarded(`You are "${token}".`);
    const place = directory();
    const { code, err } = await pull(
      place,
      "--url",
      `${base}/mcp`,
      ...authorized,
    );
    expect([code, err]).toEqual([
      3,
      expect.stringContaining("contains the value of the header Authorization"),
    ]);
    expect([err.includes(token), readdirSync(place)]).toEqual([false, []]);
  });

  it("prints no secret of the URL if the server repeats it in an error", async () => {
    const { base } = await scripted((request, response) => {
      const error = {
        code: -32000,
        message: `no ${request.url} for ${request.headers.authorization}`,
      };
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
    });
    const url = `${base.replace("//", "//someone:pass%20word9@")}/s/AbC0123456789dEf/mcp?api_key=k-998877`;
    for (const args of [["pull"], ["stubs", "--out", "gen"]]) {
      const { code, out, err } = await mcpgen(
        [...args, "--json", "--url", url],
        { directory: directory() },
      );
      expect([code, err]).toEqual([
        3,
        expect.stringMatching(/ no \/s\/…\/mcp\?api_key=… for Basic …\n/),
      ]);
      expect(out + err).not.toMatch(
        /pass.*word9|AbC0|k-998|someone|c29tZW9uZTp/,
      );
    }
  });
});

describe("mcpgen pull of a server that does not answer", () => {
  const answers: Readonly<Record<string, Answer>> = {
    "at all": () => {},
    "more than a head": (_, response) =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .flushHeaders(),
    "to the end": (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"jsonrpc":"2.0","id":1,"res');
    },
  };

  it.each(Object.entries(answers))(
    "%s exits with 3 after --timeout",
    async (_, answer) => {
      const { base } = await scripted(answer);
      const place = directory();
      const { code, err } = await pull(
        place,
        "--url",
        base,
        "--timeout",
        "0.5",
      );
      expect([code, err]).toEqual([3, expect.stringContaining("MG733")]);
      expect(readdirSync(place)).toEqual([]);
    },
  );

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "is ended by %s with code %i, and leaves no file",
    async (signal, code) => {
      const { base, requests } = await scripted(() => {});
      const place = directory();
      const child = start(["pull", "--url", base, "-o", "x.json"], {
        directory: place,
      });
      const result = ended(child);
      await until(() => requests.length > 0);
      child.kill(signal);
      expect(await result).toMatchObject({
        code,
        err: "interrupted; nothing was written\n",
      });
      expect(readdirSync(place)).toEqual([]);
    },
  );
});

describe("the flags of mcpgen pull that name a server", () => {
  it.each([
    [["--url", "ftp://u:hush-hush@x/"], "MG702", "--url is not an HTTP URL"],
    [["--url", "http://u:hush-hush@"], "MG702", "--url is not an HTTP URL"],
    [
      ["--url", "http://x", "--header", "hush-hush"],
      "MG702",
      "--header must be a name, a colon and a value",
    ],
    [
      ["--url", "http://x", "--header", "Authorization: Bearer "],
      "MG702",
      "has no value",
    ],
    [
      ["--url", "http://x", "--header", "Content-Length: 5"],
      "MG702",
      "cannot be set",
    ],
    [
      ["--url", "http://x", "--header", "A: hush-hush\u0001"],
      "MG702",
      "has invalid characters",
    ],
    [
      ["--url", "http://x", "--stdio", "y"],
      "MG705",
      "--url and --stdio exclude each other",
    ],
    [
      ["--url", "http://x", "--timeout", "soon"],
      "MG702",
      "--timeout must be a number of seconds",
    ],
    [["--url", "http://x", "--env", "HOME"], "MG705", "--env requires --stdio"],
    [
      ["--stdio", "node x", "--header", "a: hush-hush"],
      "MG705",
      "--header requires --url",
    ],
    [
      ["--stdio", "node x", "--env", "A=hush-hush"],
      "MG702",
      "--env takes the name of a variable",
    ],
    [
      ["--stdio", "node x", "--env", "NOT_THERE"],
      "MG735",
      "NOT_THERE is not set",
    ],
    [[], "MG705", "no server is given"],
  ])(
    "are refused if they contradict each other or have a wrong value: %j",
    async (args, code, words) => {
      const { code: exit, err } = await pull(directory(), ...args);
      expect([exit, err]).toEqual([2, expect.stringContaining(code)]);
      expect(err).toContain(words);
      expect(err).not.toContain("hush");
    },
  );
});
