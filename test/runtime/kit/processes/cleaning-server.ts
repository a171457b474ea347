import { serveStdio } from "@mcpgen/runtime/stdio";
import { legacy, makeServer, text } from "../index.js";
import { gate } from "../watch.js";

// Its tool ends once the cleanup has begun.
const ending = gate<void>();
const handlers = { "tools/call": () => ending.ended.then(() => text("done")) };
await serveStdio(makeServer(legacy.protocol, { handlers }), {
  onEnd: async () => {
    console.error("cleanup begins");
    ending.end();
    await new Promise((resolve) => setTimeout(resolve, 15));
    console.error("cleanup is done");
  },
});
console.error("served");
