import { skills } from "@mcpgen/runtime/skills";
import { folder } from "@mcpgen/runtime/skills/node";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./skilled/index.js";

const server = createServer({
  info: { name: "shop", version: "1.0.0" },
  handlers: {
    ...skills(folder("skills"), {
      prefix: "acme",
      ttlMs: 300_000,
      cacheScope: "public",
    }),
  },
});

await serveStdio(server);
