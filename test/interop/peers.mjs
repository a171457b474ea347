import * as v2 from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as Sse1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as schemas1 from "@modelcontextprotocol/sdk/types.js";

/**
 * The official clients, each made to do the same things in the same words.
 * `open` takes where the server is: `{ command: [...], cwd }`, `{ http: url }`
 * or `{ sse: url }`.
 */
export const clients = [
  {
    name: "SDK v1",
    speaks: (facts) => facts.opening === "initialize",
    async open(where, _revision, handlers) {
      const client = new Client1(info, { capabilities });
      on(client, handlers, {
        elicit: schemas1.ElicitRequestSchema,
        sample: schemas1.CreateMessageRequestSchema,
        roots: schemas1.ListRootsRequestSchema,
        log: schemas1.LoggingMessageNotificationSchema,
        updated: schemas1.ResourceUpdatedNotificationSchema,
      });
      await client.connect(
        where.command
          ? new Stdio1(spawning(where))
          : where.sse
            ? new Sse1(new URL(where.sse))
            : new Http1(new URL(where.http)),
      );
      return adapted(client, (params, options) =>
        client.callTool(params, undefined, options),
      );
    },
  },
  {
    name: "SDK v2",
    speaks: () => true,
    async open(where, { revision, opening }, handlers) {
      const mode = opening === "per-request" ? { pin: revision } : "legacy";
      const client = new v2.Client(info, {
        capabilities,
        versionNegotiation: { mode },
      });
      on(client, handlers, {
        elicit: "elicitation/create",
        sample: "sampling/createMessage",
        roots: "roots/list",
        log: "notifications/message",
        updated: "notifications/resources/updated",
      });
      await client.connect(
        where.command
          ? new Stdio2(spawning(where))
          : where.sse
            ? new v2.SSEClientTransport(new URL(where.sse))
            : new v2.StreamableHTTPClientTransport(new URL(where.http)),
      );
      return adapted(client, (params, options) =>
        client.callTool(params, options),
      );
    },
  },
];

const info = { name: "peer", version: "1.0.0" };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };

const spawning = ({ command: [command, ...args], cwd }) => ({
  command,
  args,
  cwd,
  stderr: "inherit",
});

function on(client, handlers, names) {
  for (const [name, answer] of Object.entries(handlers)) {
    const listen =
      name === "log" || name === "updated"
        ? "setNotificationHandler"
        : "setRequestHandler";
    client[listen](names[name], ({ params }) => answer(params));
  }
}

const adapted = (client, callTool) => ({
  callTool,
  client,
  server: () => client.getServerVersion(),
  listTools: (params) => client.listTools(params),
  readResource: (params) => client.readResource(params),
  getPrompt: (params) => client.getPrompt(params),
  complete: (params) => client.complete(params),
  setLevel: (level) => client.setLoggingLevel(level),
  close: () => client.close(),
});
