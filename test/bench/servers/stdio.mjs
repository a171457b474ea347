// An echo server of generated code over stdio. Its start is measured, so it
// loads nothing that a real server would not load: the code is compiled before
// the start, if it is not compiled already.
import { serveStdio } from "@mcpgen/runtime/stdio";

const code = "../node_modules/.mcpgen/2025-11-25/server.js";

async function compiled() {
  const { generated } = await import("./generated.mjs");
  await generated();
  return import(code);
}

const { createServer } = await import(code).catch(compiled);
await serveStdio(
  createServer({
    info: { name: "bench", version: "1.0.0" },
    handlers: {
      "tools/list": () => ({
        tools: [
          {
            name: "echo",
            inputSchema: {
              type: "object",
              properties: { text: { type: "string" } },
            },
          },
        ],
      }),
      "tools/call": ({ arguments: args }) => ({
        content: [{ type: "text", text: String(args.text) }],
      }),
    },
  }),
);
