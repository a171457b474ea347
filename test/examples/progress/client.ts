import { isTimeoutError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

const result = await client.callTool(
  { name: "copy", arguments: { files: 3 } },
  {
    onProgress: ({ progress, total, message }) =>
      console.log(`${progress}/${total} ${message}`),
  },
);
console.log(result.content);

const cancel = new AbortController();
try {
  await client.callTool(
    { name: "copy", arguments: { files: 1000 } },
    {
      signal: cancel.signal,
      onProgress: () => cancel.abort(new Error("The user pressed Escape.")),
    },
  );
} catch (error) {
  if (error instanceof Error) console.log(error.message);
}
console.log((await client.callTool({ name: "state" })).content);

try {
  await client.callTool({ name: "wait" }, { timeout: 100 });
} catch (error) {
  if (isTimeoutError(error)) console.log(error.message);
}
await client.close();
