import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  handlers: {
    "notifications/message": ({ level, logger, data }) =>
      console.log(`${level} ${logger}:`, data),
  },
});

for (const level of ["debug", "warning"] as const) {
  console.log(`-- level ${level}`);
  if (client.revision === "2026-07-28") {
    const _meta = { "io.modelcontextprotocol/logLevel": level };
    await client.callTool({ name: "import_rows", _meta });
  } else {
    await client.setLevel({ level });
    await client.callTool({ name: "import_rows" });
  }
}
await client.close();
