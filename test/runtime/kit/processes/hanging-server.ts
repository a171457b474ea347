import { serveStdio } from "@mcpgen/runtime/stdio";
import { legacy, makeServer } from "../index.js";

// Its tool never ends, its timer never stops, and it does not mind being told
// to.
setInterval(() => {}, 1000);
await serveStdio(
  makeServer(legacy.protocol, {
    handlers: { "tools/call": () => new Promise(() => {}) },
  }),
  {
    exitTime: 200,
  },
);
