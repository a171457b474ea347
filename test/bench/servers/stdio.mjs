// An echo server of generated code over stdio.
import { join } from "node:path";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { echo, generated, info } from "./generated.mjs";

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
