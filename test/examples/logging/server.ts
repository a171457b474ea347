import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "importer", version: "1.0.0" },
  capabilities: { logging: {} },
  handlers: {
    ...tools([
      {
        name: "import_rows",
        handler(_args, context) {
          context.log("debug", { step: "open", file: "rows.csv" }, "import");
          context.log("warning", "Row 7 has no name.", "import");
          return "Imported 6 rows.";
        },
      },
    ]),
  },
});

await serveStdio(servers);
