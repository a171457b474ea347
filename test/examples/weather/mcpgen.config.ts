import { defineConfig } from "mcpgen";

export default defineConfig({
  servers: [
    {
      snapshot: "weather.mcp.json",
      source: { stdio: "node server.mjs" },
      out: "src/weather",
      emit: ["client", "server"],
    },
  ],
});
