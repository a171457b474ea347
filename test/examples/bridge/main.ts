import { parseArgs } from "node:util";
import { oauth } from "@mcpgen/auth";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { browserLogin, fileStore } from "@mcpgen/auth/login";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { serveStdio, stdio } from "@mcpgen/runtime/stdio";
import { createBridge } from "./bridge.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string" } },
});
const [target = "", ...args] = positionals;
const auth = oauth({
  client: { name: "bridge" },
  login: browserLogin(),
  store: fileStore(),
});
const servers = await createBridge(
  () =>
    /^https?:/.test(target) ? http(target, { auth }) : stdio(target, args),
  () => process.exit(1),
  values.port === undefined,
);
const routes = {
  "/mcp": createHttpHandler(servers),
  "/sse": createSseHandler(servers),
};
const options = { port: Number(values.port), signals: true };
if (values.port === undefined) await serveStdio(servers);
else await (await serveHttp(routes, options)).closed;
process.exit();
