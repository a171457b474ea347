// The same server on fastmcp, with sessions (`stateful`) or without
// (`stateless`). It cannot report the port that it was given, so it gets a port
// that was free.
import { once } from "node:events";
import { createServer } from "node:net";
import { FastMCP } from "fastmcp";
import { z } from "zod";
import { echo, info } from "./echo.mjs";

const quiet = () => {};
const logger = {
  debug: quiet,
  error: console.error,
  info: quiet,
  log: quiet,
  warn: quiet,
};

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

const server = new FastMCP({ ...info, logger });
server.addTool({
  name: echo.name,
  description: "Says it again.",
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => text,
});
const port = await freePort();
const stateless = process.argv[2] === "stateless";
await server.start({
  transportType: "httpStream",
  httpStream: { host: "127.0.0.1", port, stateless, enableJsonResponse: true },
});
console.log(`port ${port}`);
