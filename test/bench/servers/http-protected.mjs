// An echo server of generated code over HTTP: without authorization (`open`;
// `fetched` has called `fetch` once), with access tokens (`protected`) or with
// proofs of possession too (`dpop`). The second argument is the issuer. Prints
// `port N`.
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { dpop, protect } from "@mcpgen/auth/protect";
import { echo, info, modern } from "./echo.mjs";
import { generated } from "./generated.mjs";

const [mode, issuer] = process.argv.slice(2);
const { createServer } = await import(
  join(await generated(modern), "server.js")
);
const server = createServer({
  info,
  handlers: {
    "tools/list": () => ({ tools: [echo] }),
    "tools/call": ({ arguments: args }) => ({
      content: [{ type: "text", text: String(args.text) }],
    }),
  },
});
const options = {
  resource: "https://mcp.example.com/mcp",
  issuers: [issuer],
  scopes: ["mcp"],
};
const protection = protect({
  ...options,
  ...(mode === "dpop" && { dpop: dpop({ required: true }) }),
});
const handler = createHttpHandler(
  server,
  /^(open|fetched)$/.test(mode) ? {} : { protect: protection },
);
if (mode === "fetched") await (await fetch(`${issuer}/jwks`)).text();
const { port } = await serveHttp(handler, { port: 0 });
console.log(`port ${port}`);
