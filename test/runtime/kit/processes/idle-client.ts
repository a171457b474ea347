import { join, legacy, text } from "../index.js";

// One call, answered; nothing is closed, and a time-out of an hour is still
// being measured.
const { client } = await join(legacy.protocol, {
  server: { handlers: { "tools/call": () => text("done") } },
});
await client.callTool({ name: "x" }, { timeout: 3_600_000 });
process.stdout.write("done\n");
