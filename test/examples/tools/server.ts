import { McpError } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const stock = new Map([["apple", 12]]);

const servers = createServers({
  info: { name: "shop", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "count",
        description: "Counts the items of a product in stock.",
        inputSchema: {
          type: "object",
          properties: { product: { type: "string", minLength: 1 } },
          required: ["product"],
        },
        annotations: { readOnlyHint: true },
        handler({ product }) {
          const count = stock.get(String(product));
          if (count === undefined)
            throw new Error(`There is no product "${String(product)}".`);
          return `${count} in stock`;
        },
      },
      {
        name: "close_shop",
        description: "Closes the shop for the day.",
        annotations: {
          destructiveHint: true,
          idempotentHint: true,
          openWorldHint: false,
        },
        handler() {
          throw new McpError(1800, "The shop is already closed.", {
            since: "18:00",
          });
        },
      },
    ]),
  },
  onError: () => {},
});

await serveStdio(servers);
