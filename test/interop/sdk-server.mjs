// One server of the official SDKs: `node sdk-server.mjs v1|v2 stdio|http|sse`.
// Over HTTP it prints its URL.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Server as Server1 } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as schemas1 from "@modelcontextprotocol/sdk/types.js";
import {
  createMcpHandler,
  inputRequired,
  Server as Server2,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const info = { name: "peer", version: "1.0.0" };
const capabilities = {
  tools: {},
  resources: { subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
};
const text = (value) => ({ content: [{ type: "text", text: value }] });
const tools = ["echo", "climb", "ask", "log", "wait", "fail"].map((name) => ({
  name,
  inputSchema: { type: "object" },
}));
const question = {
  message: "What is it called?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  },
};

/** What the server answers, in terms of what both SDKs can do. */
const answers = (does) => ({
  "tools/list": ({ cursor }) =>
    cursor === "2"
      ? { tools: tools.slice(3) }
      : { tools: tools.slice(0, 3), nextCursor: "2" },
  "tools/call": async ({ name, arguments: args = {}, _meta }, extra) => {
    switch (name) {
      case "echo":
        return text(String(args.value));
      case "climb":
        for (const progress of [1, 2, 3]) {
          await does.notify(extra, "notifications/progress", {
            progressToken: _meta?.progressToken,
            progress,
            total: 3,
          });
        }
        return text("climbed");
      case "ask":
        return does.ask(extra, question);
      case "log":
        await does.notify(extra, "notifications/message", {
          level: "error",
          data: "a fault",
        });
        return text("logged");
      case "wait":
        return new Promise(() => {});
      default:
        throw new Error("it failed");
    }
  },
  "resources/list": () => ({
    resources: [{ uri: "file:///story", name: "story" }],
  }),
  "resources/read": ({ uri }) => ({
    contents: [{ uri, text: "It was a dark and stormy night." }],
  }),
  "prompts/list": () => ({ prompts: [{ name: "greet" }] }),
  "prompts/get": ({ arguments: args }) => ({
    messages: [
      { role: "user", content: { type: "text", text: `Greet ${args?.who}.` } },
    ],
  }),
  "completion/complete": ({ argument }) => ({
    completion: { values: [`${argument.value}da`] },
  }),
});

function v1() {
  const server = new Server1(info, { capabilities });
  const named = Object.values(schemas1).filter(
    (schema) => schema?.shape?.method,
  );
  const does = {
    notify: (extra, method, params) =>
      extra.sendNotification({ method, params }),
    ask: async (extra, params) =>
      text(
        (
          await extra.sendRequest(
            { method: "elicitation/create", params },
            schemas1.ElicitResultSchema,
          )
        ).content.name,
      ),
  };
  for (const [method, answer] of Object.entries(answers(does))) {
    const schema = named.find(
      ({ shape }) =>
        (shape.method.value ?? shape.method.def?.values?.[0]) === method,
    );
    server.setRequestHandler(schema, ({ params }, extra) =>
      answer(params ?? {}, extra),
    );
  }
  return server;
}

function v2({ era } = {}) {
  const server = new Server2(info, { capabilities });
  const does = {
    notify: ({ mcpReq }, method, params) => mcpReq.notify({ method, params }),
    ask: async ({ mcpReq }, params) => {
      if (era === "modern") {
        const response = mcpReq.inputResponses?.name;
        return response
          ? text(response.content.name)
          : inputRequired({
              inputRequests: {
                name: inputRequired.elicit({ mode: "form", ...params }),
              },
            });
      }
      return text((await mcpReq.elicitInput(params)).content.name);
    },
  };
  for (const [method, answer] of Object.entries(answers(does))) {
    server.setRequestHandler(method, ({ params }, context) =>
      answer(params ?? {}, context),
    );
  }
  return server;
}

const [version, carrier] = process.argv.slice(2);
if (carrier === "stdio") {
  if (version === "v1") await v1().connect(new StdioServerTransport());
  else serveStdio(v2);
} else {
  const sessions = new Map();
  const modern = toNodeHandler(createMcpHandler(v2));
  const streamable = async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"]);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await v1().connect(transport);
    }
    await transport.handleRequest(request, response);
  };
  const sse = async (request, response) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      await v1().connect(transport);
    } else if (sessions.has(searchParams.get("sessionId"))) {
      await sessions
        .get(searchParams.get("sessionId"))
        .handlePostMessage(request, response);
    } else response.writeHead(405).end();
  };
  const listener =
    carrier === "sse" ? sse : version === "v1" ? streamable : modern;
  const server = createServer(listener).listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
  });
}
