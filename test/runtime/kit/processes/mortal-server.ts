import { serveStdio } from "@mcpgen/runtime/stdio";
import { byRevision, makeServer, text } from "../index.js";

/*
 * A server of the revision that is named. Its tools: `pid` tells its number, `change` announces that there are others, `wait`
 * never answers, `die` ends it.
 */
const [revision = ""] = process.argv.slice(2);
const protocol = byRevision[revision];
if (!protocol) throw new Error(`There is no revision ${revision}.`);
const server = makeServer(protocol, {
  capabilities: { tools: { listChanged: true } },
  handlers: {
    "tools/list": () => ({
      tools: [{ name: String(process.pid), inputSchema: { type: "object" } }],
      ttlMs: 3_600_000,
    }),
    "tools/call": ({ name }) => {
      if (name === "die") process.exit(7);
      if (name === "wait") return new Promise(() => {});
      if (name === "change") server.notify["toolsListChanged"]?.();
      return text(String(process.pid));
    },
  },
});
await serveStdio(server);
