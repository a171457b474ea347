// An echo server of generated code over stdio.
import { join } from "node:path";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { echo, info } from "./echo.mjs";
import { generated } from "./generated.mjs";

const { createServer } = await import(join(await generated(), "server.js"));
await serveStdio(
  createServer({
    info,
    handlers: {
      "tools/list": () => ({ tools: [echo] }),
      "tools/call": ({ arguments: given }) => ({ content: [{ type: "text", text: String(given.text) }] }),
    },
  }),
);
