// An echo server of generated code over HTTP, for clients of both eras: with
// sessions (`stateful`) or without (`stateless`). Prints `port N`.
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { echo, info, modern, revision } from "./echo.mjs";
import { generated } from "./generated.mjs";

const options = {
  info,
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
const handler = createHttpHandler(servers, {
  sessions: process.argv[2] === "stateful",
});
const { port } = await serveHttp(handler, { port: 0 });
console.log(`port ${port}`);
