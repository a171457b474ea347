import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import { migrate } from "../../src/commands/migrate/migrate.js";

const sdk = "@modelcontextprotocol/sdk";
const head = `import { McpServer, ResourceTemplate } from "${sdk}/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "a", version: "1.0.0" });
`;
const methods = new Map([
  ["LoggingMessageNotification", "notifications/message"],
  ["ProgressNotification", "notifications/progress"],
  ["ListRootsRequest", "roots/list"],
]);

/** The files after the conversion alone, which compiles and writes nothing. */
function converted(files: Readonly<Record<string, string>>) {
  const diagnostics = new Diagnostics();
  const written = migrate(
    Object.entries(files).map(([path, text]) => ({ path: `/${path}`, text })),
    {
      methods,
      codes: new Map(),
      zodOf: () => 4,
      protocolOf: () => "./mcp/index.js",
    },
    diagnostics,
  );
  return {
    places: diagnostics.list.map(({ message }) => message),
    at: diagnostics.list.map(
      ({ location }) => `${location?.line}:${location?.column}`,
    ),
    text: (name = "server.ts") =>
      written.find(({ path }) => path === `/${name}`)?.text ?? "",
  };
}

const flat = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

describe("a call that has no reading", () => {
  const inTool = (body: string) =>
    converted({
      "server.ts": `${head}server.registerTool("a", {}, async (extra) => {
  ${body}
  return { content: [] };
});
`,
    });

  it.each([
    ["extra.reportProgress();", "the context has no reportProgress"],
    ["extra.reportProgress(state);", "the context has no reportProgress"],
    ["extra.sendNotification(note);", "the context has no sendNotification"],
    ["extra.sendRequest(ask, schema);", "the context has no sendRequest"],
  ])("stays as it is, and is named: %s", (before, place) => {
    const { places, text } = inTool(before);
    expect(places).toEqual([place]);
    expect(text()).toContain(before);
  });

  it.each([
    [
      `await server.sendLoggingMessage({ level: "info", data: await extra.sendRequest({ method: "roots/list" }, schema) });`,
      `await extra.log("info", await extra.request("roots/list"));`,
    ],
    ["await extra.reportProgress({});", "await extra.progress();"],
  ])("is converted with what is inside of it: %s", (before, after) => {
    const { places, text } = inTool(before);
    expect(places).toEqual([]);
    expect(text()).toContain(after);
  });
});

describe("a row that cannot be read", () => {
  it.each([
    `server.registerTool("a", {});`,
    `server.registerTool(...row);`,
    `server.tool("a");`,
    `server.tool();`,
    `server.registerResource("r", "a://b", config, read);`,
    `server.resource("r");`,
    `server.resource("r", "a://b");`,
    `server.resource("r", address, read);`,
    `server.registerResource("r", new ResourceTemplate("a://{id}", { list: undefined, complete: { id: (text) => f(text), no: (text, more) => f(more) } }), {}, read);`,
    `server.registerResource("r", new ResourceTemplate("a://{id}", { list: undefined, complete }), {}, read);`,
    `server.registerPrompt("p", {});`,
    `server.registerPrompt("p", { argsSchema: z.object() }, get);`,
    `server.registerPrompt("p", { argsSchema: z.object(shape) }, get);`,
    `server.registerPrompt("p", { argsSchema: { city } }, get);`,
    `server.registerPrompt("p", { argsSchema: { day: z.string(), ...more } }, get);`,
    `server.server.setRequestHandler("a/b");`,
    `server.server.setRequestHandler();`,
  ])("stays as it is, and is named: %s", (row) => {
    const { places, text } = converted({ "server.ts": `${head}${row}\n` });
    const [callee] = row.split("(");
    expect(places).toContain(`${callee} has arguments that cannot be read`);
    expect(text()).toContain(row);
  });

  const ofFast = (rows: string, options = `{ name: "a", version: "1.0.0" }`) =>
    converted({
      "server.ts": `import { FastMCP } from "fastmcp";
const server = new FastMCP(${options});
${rows}
`,
    });

  it.each([
    `server.addResource(resource);`,
    `server.addResource({ uri: "a://b", load: read });`,
    `server.addResource({ uri: "a://b", load: async (args) => ({ text: args }) });`,
    `server.addResource({ uri: "a://b", load: () => text });`,
    `server.addResource({ uri: "a://b", load: () => ({ text, mimeType }) });`,
    `server.addResource({ uri: "a://b", load: () => { if (no) return {}; return { text }; } });`,
    `server.addResource({ uri: "a://b", load: () => { throw new Error(); } });`,
    `server.addResourceTemplate(template);`,
    `server.addResourceTemplate({ uriTemplate: "a://{id}", arguments: list, load });`,
    `server.addPrompt(prompt);`,
    `server.addPrompt({ name: "p", load: get });`,
    `server.addPrompt({ name: "p", load: async (args, auth) => say(auth) });`,
    `server.addPrompt({ name: "p", arguments: [first, { name: "x" }], load: async () => say() });`,
  ])("of FastMCP stays as it is, and is named: %s", (row) => {
    const { places, text } = ofFast(row);
    const [callee] = row.split("(");
    expect(places).toEqual([`${callee} has arguments that cannot be read`]);
    expect(text()).toContain(row);
  });

  it("is not one whose function has a function inside that returns something else", () => {
    const { places, text } = ofFast(
      `server.addResource({ uri: "a://b", load: () => { const ids = all.map((one) => { return one.id; }); return { text: ids.join() }; } });`,
    );
    expect(places).toEqual([]);
    expect(text()).toContain(
      "read: () => { const ids = all.map((one) => { return one.id; }); return ids.join(); },",
    );
  });

  it("is on a server without information about itself", () => {
    const { places, text } = ofFast(
      `server.addTool({ name: "a", execute: async () => "1" });`,
      "",
    );
    expect(places).toEqual([]);
    expect(flat(text())).toContain("createServers({ info: {}, handlers: {");
  });

  it("ends the run with a message for each setting that may say who is let in, in their order", () => {
    const { places, text } = ofFast(
      "",
      `{ name: "a", authenticate: check, "auth": provider, ...more }`,
    );
    const words = "of FastMCP may say who is let in, and is not converted";
    expect(places).toEqual([
      `authenticate ${words}`,
      `auth ${words}`,
      `...more ${words}`,
    ]);
    expect(text()).toBe("");
  });
});

describe("a handler whose context is a pattern", () => {
  const inTool = (pattern: string, body: string) =>
    converted({
      "server.ts": `${head}server.registerTool("a", { inputSchema: z.object({}) }, async (args, ${pattern}) => ${body});\n`,
    });

  it.each([
    ["{ signal, ...rest }", "f(signal, rest)"],
    ["{ signal = none, requestId }", "f(signal, requestId)"],
    ["{ requestId, _meta: { token } }", "f(token, requestId)"],
    ["{ signal }", "f(signal, context)"],
  ])("keeps one that says more: %s => %s", (pattern, body) => {
    const { places, text } = inTool(pattern, body);
    expect(places).toEqual(["the context is read by a pattern"]);
    expect(text()).toContain(`async (args, ${pattern}) => ${body},`);
  });

  it("reads its members from the context", () => {
    const { places, text } = inTool(
      "{ signal, _meta: meta }",
      "f(signal, meta)",
    );
    expect(places).toEqual([]);
    expect(text()).toContain(
      "async (args, context) => f(context.signal, context.meta),",
    );
  });
});

describe("a loop that registers rows", () => {
  const inLoop = (text: string) =>
    converted({ "server.ts": `${head}${text}\n` });
  const tool = `server.registerTool(name, {}, run);`;

  it.each([
    `names.forEach(() => { ${tool} });`,
    `names.forEach((name, index) => { ${tool} });`,
    `names.map((name) => { ${tool} });`,
  ])("is a function whose rows nothing takes in another form: %s", (loop) => {
    expect(inLoop(loop).places).toEqual([
      "this function now returns its rows, which nothing takes",
    ]);
  });

  it.each([
    `names.forEach(add);`,
    `names.forEach();`,
    `names.forEach((name) => server.registerTool(name, {}, run));`,
    `for (name of names) ${tool}`,
  ])("stays as it is in a form that is not known: %s", (loop) => {
    expect(inLoop(loop).text()).toContain(loop);
  });

  it("has its own constants before that of the schema, which may have a member of the same name", () => {
    const { text } = inLoop(
      `for (const one of all) { const name = one.name; server.registerTool(name, { inputSchema: { inputSchema: z.string() } }, run); }`,
    );
    expect(flat(text())).toContain(
      "...all.map((one) => { const name = one.name; const inputSchema = z.object({ inputSchema: z.string() }); return { name: name, inputSchema: inputSchema, handler: run, } satisfies Tool<typeof inputSchema>; }),",
    );
  });
});

describe("what stands beside a row", () => {
  it.each([
    [
      "a comment at the end of the line before",
      `const first = 1; // Why.\nserver.registerTool("a", {}, run);\n`,
      /const first = 1; \/\/ Why\.\nconst server = createServers/,
    ],
    [
      "a statement on the same line",
      `first(); server.registerTool("a", {}, run);\n`,
      /^first\(\);\nconst server = createServers/m,
    ],
  ])("keeps its place: %s", (_, rows, expected) => {
    const { places, text } = converted({ "server.ts": head + rows });
    expect(places).toEqual([]);
    expect(text()).toMatch(expected);
  });

  it("is named where it is if a server has no such setting", () => {
    const options = `{
  instructions: "Ask.",
  // Sends less.
  debouncedNotificationMethods: [],
}`;
    const { places, at, text } = converted({
      "server.ts": head.replace(`"1.0.0" }`, `"1.0.0" }, ${options}`),
    });
    expect(places).toEqual([
      "a server has no setting debouncedNotificationMethods",
    ]);
    expect(text()).toContain(
      `  instructions: "Ask.",\n  // Sends less.\n  debouncedNotificationMethods: [],\n`,
    );
    expect(at).toEqual(["7:3"]);
  });

  it("asks with the questions of the protocol, in whichever file a handler asks", () => {
    const { text } = converted({
      "server.ts": `import { McpServer } from "${sdk}/server/mcp.js";
import { add } from "./add.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
add(server);
`,
      "add.ts": `export function add(server) {
  server.registerTool("a", {}, async () => server.server.listRoots());
}
`,
    });
    expect(text()).toContain("questions: serverQuestions,");
    expect(text("add.ts")).toContain(`context.request("roots/list")`);
  });
});

describe("a route over HTTP", () => {
  const http = `import express from "express";
import { McpServer } from "${sdk}/server/mcp.js";
import { StreamableHTTPServerTransport } from "${sdk}/server/streamableHttp.js";
function createServer() {
  const server = new McpServer({ name: "a", version: "1.0.0" });
  server.registerTool("a", {}, run);
  return server;
}
const app = express();
`;
  const post = `app.post("/mcp", async (req, res) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await createServer().connect(transport);
  await transport.handleRequest(req, res, req.body);
});
`;
  const listener = `const listener = nodeListener(createHttpHandler(createServer(), { sessions: false }));\napp.all("/mcp", listener);\n`;

  it.each([
    ["another path", `app.get("/health", (req, res) => res.send(req.ip));\n`],
    ["a setting of the app", `app.get("port");\napp.all();\n`],
    [
      "a collection that something else uses, too",
      `const open = new Map();\nsetInterval(() => open.clear(), 9);\n`,
    ],
  ])("becomes a listener, and leaves %s", (_, other) => {
    const { places, text } = converted({ "server.ts": http + other + post });
    expect(places).toEqual([]);
    expect(text()).toContain(`${other}${listener}`);
  });

  it("replaces a route of its path that reads nothing", () => {
    const { places, text } = converted({
      "server.ts": `${http}${post}app.delete("/mcp", () => {});\n`,
    });
    expect(places).toEqual([]);
    expect(text().trim().endsWith(listener.trim())).toBe(true);
  });

  it.each([
    [
      "takes its request apart",
      post.replace("(req, res)", "({ headers }, res)"),
    ],
    ["may call the next one", post.replace("(req, res)", "(req, res, next)")],
    [
      "makes a server of its own",
      post.replace(
        "await createServer()",
        `const own = new McpServer({ name: "b", version: "1" });\n  await own`,
      ),
    ],
    [
      "connects two different servers",
      post.replace("await", "await first().connect(transport);\n  await"),
    ],
  ])("stays, and is named, if it %s", (_, route) => {
    const { places, text } = converted({ "server.ts": http + route });
    expect(places).toContain("this route over HTTP is not converted");
    expect(text()).toContain(`app.post("/mcp"`);
  });
});

describe("a row of FastMCP of which a member cannot be read", () => {
  const execute =
    "execute: async (args, { log }) => { log.info(args.a); return args.a; }";
  const load = "load: async () => ({ text: await read() })";
  const loadOne = "load: async ({ id }) => ({ text: await read(id) })";
  const ask = "load: async ({ a }) => read(a)";
  it.each([
    ["addTool", [execute, "canAccess: isAdmin"]],
    ["addTool", [execute, "timeoutMs: 9"]],
    ["addResource", [load, "complete() {}, ...more"]],
    ["addResourceTemplate", [loadOne, 'arguments: [{ name: "id", complete }]']],
    ["addResourceTemplate", [loadOne, "...more"]],
    ["addPrompt", [ask, 'arguments: [{ name: "a", enum: ["b"] }]']],
    ["addPrompt", [ask, "...more"]],
  ])("stays as it is, and is named: %s %j", (call, members) => {
    for (const list of [members, [...members].reverse()]) {
      const row = `server.${call}({ name: "a", ${list.join(", ")} });`;
      const { places, text } = converted({
        "server.ts": `import { FastMCP } from "fastmcp";
const server = new FastMCP({ name: "a", version: "1.0.0" });
${row}
server.addTool({ name: "b", execute: async () => "b" });
`,
      });
      expect(text()).toContain(row);
      expect(places.length).toBeGreaterThan(0);
    }
  });
});
