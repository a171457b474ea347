import { describe, expect, it } from "vitest";
import { migrated } from "./migrated.js";

const factory = `import express from "express";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
function createServer(name: string): McpServer {
  const server = new McpServer({ name, version: "1.0.0" });
  server.registerTool("a", {}, run);
  return server;
}
const app = express();
`;
const stateless = (
  transport: string,
): string => `app.post("/mcp", check, async (req, res) => {
  const transport = new ${transport}({ sessionIdGenerator: undefined });
  res.on("close", () => transport.close());
  await createServer("a").connect(transport);
  await transport.handleRequest(req, res, req.body);
});
app.get("/mcp", (req, res) => res.status(405).end());
`;
const sessions = `const transports = {};
app.post("/mcp", async (req, res) => {
  const id = req.headers["mcp-session-id"];
  if (!transports[id]) {
    const made = new StreamableHTTPServerTransport({ sessionIdGenerator, onsessioninitialized: (id) => (transports[id] = made), onsessionclosed: (id) => delete transports[id], eventStore });
    await createServer("a").connect(made);
    return made.handleRequest(req, res, req.body);
  }
  await transports[id].handleRequest(req, res, req.body);
});
`;
const sse = `app.get("/sse", async (req, res) => {
  const transport = new SSEServerTransport("/messages", res);
  await createServer("a").connect(transport);
});
`;
const once = `const transport = new StreamableHTTPServerTransport({ sessionIdGenerator });
await createServer("a").connect(transport);
http.createServer((req, res) => transport.handleRequest(req, res)).listen(3000);
`;
const [streamable, two, older] = [
  "sdk/server/streamableHttp.js",
  "node",
  "sdk/server/sse.js",
].map((name) => `@modelcontextprotocol/${name}`);

describe("a usual route over HTTP", () => {
  const v1 = "StreamableHTTPServerTransport";
  const v2 = `Node${v1}`;
  const get = `app.get("/mcp", async (req, res) => {
  const transport = transports[req.headers["mcp-session-id"]];
  if (!transport) return res.status(400).send("No session");
  await transport.handleRequest(req, res);
});
`;
  it.each([
    [
      "without sessions",
      streamable,
      v1,
      stateless(v1),
      `const listener = nodeListener(createHttpHandler(createServer("a"), { sessions: false })); app.all("/mcp", check, listener);`,
    ],
    [
      "of version 2",
      two,
      v2,
      stateless(v2).replace("check, ", ""),
      `const listener = nodeListener(createHttpHandler(createServer("a"), { sessions: false })); app.all("/mcp", listener);`,
    ],
    [
      "with sessions",
      streamable,
      v1,
      sessions + get,
      `const listener = nodeListener(createHttpHandler(createServer("a"))); app.all("/mcp", listener);`,
    ],
    [
      "beside an empty collection that another file may fill",
      streamable,
      v1,
      `export const shops = new Map<string, number>();\n${sessions}${get}`,
      `export const shops = new Map<string, number>(); const listener = nodeListener(createHttpHandler(createServer("a"))); app.all("/mcp", listener);`,
    ],
    [
      "whose handlers have names",
      streamable,
      v1,
      (sessions + get)
        .replace('app.post("/mcp", async', "const post = async")
        .replace("req.body);\n});", 'req.body);\n};\napp.post("/mcp", post);'),
      `const listener = nodeListener(createHttpHandler(createServer("a"))); app.all("/mcp", listener);`,
    ],
  ] as const)(
    "becomes one listener of one handler: %s",
    async (_, module, name = "", routes, expected) => {
      const { of, places } = await migrated({
        "server.ts": `${factory}import { ${name} } from "${module}";\n${routes}`,
      });
      expect(places).toEqual([]);
      expect(of("server.ts").split("const app = express(); ")[1]).toBe(
        expected,
      );
    },
  );

  it("keeps a handler that is exported, because another file may use it, and names what it still needs", async () => {
    const routes = (sessions + get)
      .replace('app.post("/mcp", async', "export const post = async")
      .replace("req.body);\n});", 'req.body);\n};\napp.post("/mcp", post);');
    const { of, places } = await migrated({
      "server.ts": `${factory}import { ${v1} } from "${streamable}";\n${routes}`,
    });
    expect(of("server.ts")).toContain("export const post = async");
    expect(of("server.ts")).toContain('app.all("/mcp", listener);');
    expect(places).toEqual([`${streamable} is still used`]);
  });

  it.each([
    [
      "a header of the caller",
      `if (req.headers.authorization !== key) return res.sendStatus(401);`,
    ],
    ["what a middleware found", `if (!res.locals.user) return res.end();`],
    ["the caller in another function", `if (!isKnown(req)) return res.end();`],
    [
      "what is called",
      `if (req.body.method === "tools/call") return res.end();`,
    ],
  ])(
    "stays if it reads %s, which may decide who is let in",
    async (_, line) => {
      const routes = sessions.replace("const id", `${line}\n  const id`);
      const { of, places } = await migrated({
        "server.ts": `${factory}import { ${v1} } from "${streamable}";\n${routes}`,
      });
      expect(places).toContain("this route over HTTP is not converted");
      expect(of("server.ts")).toContain(line);
    },
  );

  it.each([
    [
      "an option of the transport that checks hosts",
      "sessionIdGenerator,",
      "sessionIdGenerator, allowedHosts,",
    ],
    [
      "a server that depends on the request",
      'createServer("a")',
      "createServer(id)",
    ],
    [
      "another route of its path with other checks",
      "app.post",
      'app.get("/mcp", check, (req, res) => res.end());\napp.post',
    ],
  ])("stays with %s", async (_, from, to) => {
    const { places } = await migrated({
      "server.ts": `${factory}import { ${v1} } from "${streamable}";\n${sessions.replace(from, to)}`,
    });
    expect(places).toContain("this route over HTTP is not converted");
  });

  it("of the app of the official SDK is a route of an app of Express", async () => {
    const { of, places } = await migrated({
      "server.ts": `${factory.replace('import express from "express";\n', 'import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";\n').replace("express()", "createMcpExpressApp()")}import { ${v1} } from "${streamable}";\n${sessions}`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `import { default as express } from "express";`,
    );
    expect(of("server.ts")).toContain(
      `const app = express().use(express.json());`,
    );
  });
});

describe("the app of Hono that the official SDK makes", () => {
  const program = (app: string): string =>
    `import { createMcpHonoApp } from "@modelcontextprotocol/hono";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
const makeServer = () => {
  const server = new McpServer({ name: "a", version: "1.0.0" });
  server.registerTool("a", {}, async () => ({ content: [] }));
  return server;
};
const handler = createMcpHandler(makeServer);
const app = ${app};
app.all("/mcp", (c) => handler.fetch(c.req.raw));
`;

  it("becomes one that the package of Hono makes", async () => {
    const { of, places } = await migrated({
      "server.ts": program("createMcpHonoApp()"),
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(`import { Hono } from "hono";`);
    expect(of("server.ts")).toMatch(
      / const app = new Hono\(\); app\.all\("\/mcp", \(c\) => handler\(c\.req\.raw\)\);$/,
    );
  });

  it("stays if it has options, which may say who is let in", async () => {
    const app = `createMcpHonoApp({ allowedHosts: ["a.example"] })`;
    const { of, places } = await migrated({ "server.ts": program(app) });
    expect(places).toEqual(["@modelcontextprotocol/hono is still used"]);
    expect(of("server.ts")).toContain(`const app = ${app};`);
  });

  it.each([
    `app.get("/keys", (c) => c.json(keys));`,
    `app.use("/files", files);`,
    `app.route("/", others);`,
  ])("stays if it has another route, which it checks: %s", async (route) => {
    const { of, places } = await migrated({
      "server.ts": `${program("createMcpHonoApp()")}${route}\n`,
    });
    expect(places).toEqual([
      "@modelcontextprotocol/hono is still used",
      "this app checks the hosts and origins of other routes, too",
    ]);
    expect(of("server.ts")).toContain("const app = createMcpHonoApp();");
  });

  it("has no other route with a check of its own for all paths", async () => {
    const { places } = await migrated({
      "server.ts": `${program("createMcpHonoApp()")}app.use(cors());\n`,
    });
    expect(places).toEqual([]);
  });
});

describe("a route over HTTP", () => {
  it.each([
    [
      "of one transport for all requests",
      streamable,
      "StreamableHTTPServerTransport",
      once,
    ],
    ["of HTTP+SSE", older, "SSEServerTransport", sse],
  ])(
    "%s stays, and is named with what to write, and its server is converted",
    async (_, module, name, routes) => {
      const { of, places, hints } = await migrated({
        "server.ts": `${factory}import { ${name} } from "${module}";\n${routes}`,
      });
      expect(places).toEqual([
        `${module} is still used`,
        "this route over HTTP is not converted",
      ]);
      expect(hints[1]).toMatch(
        /^make the server once, outside of the route, and let the route call nodeListener\(createHttpHandler\(server\)\): https:/,
      );
      const text = of("server.ts");
      expect(text.endsWith(` ${routes.replaceAll(/\s+/g, " ").trim()}`)).toBe(
        true,
      );
      expect(text).toContain("createServers({");
    },
  );
});

describe("a start over HTTP", () => {
  it.each([
    ["{ port: PORT }", "createHttpHandler(server), { port: PORT }"],
    [
      '{ port, host: "::", endpoint: "/shop" }',
      'createHttpHandler(server), { port, host: "::", path: "/shop" }',
    ],
    [
      "{ port: 1, stateless: true, enableJsonResponse: true }",
      "createHttpHandler(server, { sessions: false }), { port: 1 }",
    ],
    ["{ port: 1, stateless: false }", "createHttpHandler(server), { port: 1 }"],
    ["{ port: 1, sslKey: key }", null],
    ["{ ...options }", null],
    ["options", null],
  ])(
    "of FastMCP with %s becomes serveHttp with the same options, or is named",
    async (options, expected) => {
      const start = `server.start({ transportType: "httpStream", httpStream: ${options} });`;
      const { of, places } = await migrated({
        "server.ts": `import { FastMCP } from "fastmcp";
const server = new FastMCP({ name: "a", version: "1.0.0" });
await ${start}
`,
      });
      expect(of("server.ts")).toContain(
        `await ${expected === null ? start : `serveHttp(${expected});`}`,
      );
      expect(places).toEqual(
        expected === null ? ["server.start is not converted"] : [],
      );
    },
  );

  it("of version 2 becomes one handler, as a listener and as a function", async () => {
    const { of, places } = await migrated({
      "server.ts": `import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
function make() {
  const server = new McpServer({ name: "a", version: "1.0.0" });
  server.registerTool("a", {}, run);
  return server;
}
const handler = createMcpHandler(() => make());
const other = createMcpHandler(make);
const third = createMcpHandler(() => {
  const server = new McpServer({ name: "b", version: "1.0.0" });
  server.registerTool("b", {}, run);
  return server;
});
app.all("/mcp", toNodeHandler(handler));
Bun.serve({ fetch: handler.fetch });
await handler.close();
other.notify.toolsChanged();
`,
    });
    expect(places).toEqual(["this use of other is not converted"]);
    expect(of("server.ts")).toContain(
      `const handler = createHttpHandler(make()); const other = createHttpHandler(make()); const third = createHttpHandler((() => { const server = createServers({ info: { name: "b", version: "1.0.0" }, handlers: { ...tools([ { name: "b", inputSchema: { type: "object", properties: {} }, handler: (_args, context) => run(context), }, ]), }, }); return server; })()); app.all("/mcp", nodeListener(handler)); Bun.serve({ fetch: handler }); await handler.close(); other.notify`,
    );
    expect(of("server.ts")).not.toContain("modelcontextprotocol");
  });
});
