import { isTransportError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"], {
  env: { GREETING: "Good morning" },
  stderr: (text) => console.log("log:", text.trim()),
  restart: { maxRestarts: 3, restartTime: 50 },
  shutdownTime: 1000,
});
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  onError: (error) => console.log("error:", error.name),
});

const first = await client.callTool({ name: "greet" });
console.log(first.content);

try {
  await client.callTool({ name: "crash" });
} catch (error) {
  if (isTransportError(error))
    console.log("may be repeated:", error.isRetryable);
}
const second = await client.callTool({ name: "greet" });
console.log(second.content);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void client.close().then(() => process.exit()));
}

await client.close();
console.log("closed");
