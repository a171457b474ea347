// An echo server of generated code as one process of a cluster: with an engine
// at the port of the second argument, or without one. The third argument is the
// name of the application in the engine. Prints `port N`.
import { join } from "node:path";
import { cluster } from "@mcpgen/runtime/cluster";
import { valkey } from "@mcpgen/runtime/cluster/valkey";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createClient } from "redis";
import { echo, info, modern, revision } from "./echo.mjs";
import { generated } from "./generated.mjs";

const [, engine, app] = process.argv.slice(2);
const client =
  engine === undefined
    ? undefined
    : createClient({ url: `redis://127.0.0.1:${engine}` });
await client?.connect();
const shared = cluster({
  secrets: ["a secret of 32 bytes or more, the same in each process"],
  ...(client && { store: valkey(client, { app }) }),
});
const options = {
  info,
  cluster: shared,
  handlers: {
    "tools/list": () => ({ tools: [echo] }),
    "tools/call": ({ arguments: args }) => ({
      content: [{ type: "text", text: String(args.text) }],
    }),
  },
};
const servers = [];
for (const one of [modern, revision]) {
  const { createServer } = await import(
    join(await generated(one), "server.js")
  );
  servers.push(createServer(options));
}
const { port } = await serveHttp(
  createHttpHandler(servers, { cluster: shared }),
  {
    port: 0,
    keepAliveTimeout: 125_000,
  },
);
console.log(`port ${port}`);
