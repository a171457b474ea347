import { serveStdio } from "@mcpgen/runtime/stdio";
import {
  type AnyHandlers,
  type Json,
  legacy,
  makeServer,
  text,
} from "../index.js";
import { gate } from "../watch.js";

// Its tool ends as many milliseconds after the cleanup has begun as its
// argument says.
const ending = gate<void>();
const handlers: AnyHandlers = {
  "tools/call": async ({ arguments: args }) => {
    await ending.ended;
    await new Promise((resolve) =>
      setTimeout(resolve, Number((args as Json)["value"])),
    );
    return text("done");
  },
};
await serveStdio(makeServer(legacy.protocol, { handlers }), {
  onEnd: async () => {
    console.error("cleanup begins");
    ending.end();
    await new Promise((resolve) => setTimeout(resolve, 15));
    console.error("cleanup is done");
  },
});
console.error("served");
