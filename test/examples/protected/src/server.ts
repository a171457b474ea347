import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { dpop, jwt, memoryReplayStore, protect } from "@mcpgen/auth/protect";
import { createServers } from "./gen/index.js";

const { ISSUER = "http://127.0.0.1:4000", PORT = "3000" } = process.env;

/** The notes of each user. */
const notes = new Map<unknown, string[]>();

const servers = createServers({
  info: { name: "notes", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "list_notes",
        description: "Lists the notes of the user",
        scopes: ["notes:read"],
        handler: (_args, { auth }) =>
          notes.get(auth?.["subject"])?.join("\n") ?? "There are no notes.",
      },
      {
        name: "add_note",
        description: "Adds a note for the user",
        inputSchema: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
        },
        scopes: ["notes:write"],
        handler({ text }, { auth }) {
          const { subject } = auth ?? {};
          notes.set(subject, [...(notes.get(subject) ?? []), String(text)]);
          return "Added.";
        },
      },
    ]),
  },
});

const protection = protect({
  resource: `http://127.0.0.1:${PORT}/mcp`,
  issuers: [ISSUER],
  scopes: { base: ["notes:read"], implies: { "notes:write": ["notes:read"] } },
  // Keys that are known are used for ten more minutes while the authorization
  // server does not answer.
  verify: jwt({ algorithms: ["RS256", "ES256"], staleKeys: 600_000 }),
  // Accepts tokens that are bound to a key of the client, each proof once.
  dpop: dpop({ algorithms: ["ES256"], replay: memoryReplayStore() }),
  // Every caller needs a token, and no handler gets it.
  anonymous: false,
  keepToken: false,
});
const { url } = await serveHttp(
  createHttpHandler(servers, { protect: protection }),
  { port: Number(PORT) },
);
console.log(url);
