import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { protect } from "@mcpgen/auth/protect";
import { createServers } from "./protocol/index<extension>";

const { MCP_RESOURCE, MCP_ISSUER, MCP_SCOPES = "", HOST = "127.0.0.1", PORT = "3000" } = process.env;

const protection = protect({
  // The URL that clients use for this server. Access tokens must be for it.
  resource: MCP_RESOURCE ?? `http://127.0.0.1:${PORT}/mcp`,
  // The authorization server whose tokens are accepted.
  issuers: [MCP_ISSUER ?? "<issuer>"],
  // The scopes that every request requires; without any, a valid token is enough.
  scopes: MCP_SCOPES.split(" ").filter(Boolean),
});

const servers = createServers({
  info: { name: "my-server", version: "0.1.0" },
  handlers: {
    ...tools([
      {
        name: "whoami",
        description: "Names the user who calls",
        // The scopes that this tool requires too, such as "profile".
        scopes: [],
        handler: (_args, { auth }) => String(auth?.["subject"]),
      },
    ]),
  },
});

const { url } = await serveHttp(createHttpHandler(servers, { protect: protection }), {
  host: HOST,
  port: Number(PORT),
  // Answers open calls before the process ends.
  signals: true,
});
console.error(`Listening on ${url}`);
