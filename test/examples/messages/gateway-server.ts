import { serveStdio, stdio } from "@mcpgen/runtime/stdio";
import { Client, createServer } from "./gen/2025-11-25/index.js";

const info = { name: "gateway", version: "1.0.0" };
const backend = await Client.connect(
  stdio("node", ["--import", "tsx", "backend-server.ts"]),
  { info },
);

const server = createServer({
  info,
  handlers: {
    "tools/list": async (params) => {
      const { tools, ...page } = await backend.listTools(params);
      return {
        ...page,
        tools: tools.map((tool) => ({ ...tool, name: `backend.${tool.name}` })),
      };
    },
    "tools/call": async (params, { signal }) => {
      const name = params.name.replace("backend.", "");
      return backend.callTool({ ...params, name }, { signal });
    },
  },
});

await serveStdio(server);
await backend.close();
