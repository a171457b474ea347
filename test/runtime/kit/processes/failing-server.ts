import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { legacy, makeServer } from "../index.js";

// Its handlers have a bug, and nobody set onError.
const silent = process.argv.includes("silent");
const settings = silent ? { onError: () => {}, onWarning: () => {} } : {};
const fail = {
  name: "a name with spaces",
  handler: function brokenTool(): never {
    throw new RangeError("tool bug\u001b[31m\u202e");
  },
};
function brokenHandler(): never {
  throw new TypeError("raw bug");
}
const handlers = { ...tools([fail]), "prompts/get": brokenHandler };
await serveStdio(makeServer(legacy.protocol, { handlers, ...settings }));
