import { defineConfig } from "mcpgen";

export default defineConfig({
  generate: [{ version: "2025-06-18", out: "src/mcp" }],
});
