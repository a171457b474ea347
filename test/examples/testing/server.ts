import { type JsonSchema, tools } from "@mcpgen/runtime/features";
import { createServers, type Servers } from "./gen/index.js";

const item: JsonSchema<{ name: string; count: number }> = {
  type: "object",
  properties: {
    name: { type: "string" },
    count: { type: "integer", minimum: 1 },
  },
  required: ["name", "count"],
};

/** A new server for each test: no test sees the cart of another one. */
export function createShop(): Servers {
  const cart: string[] = [];
  return createServers({
    info: { name: "shop", version: "1.0.0" },
    handlers: {
      ...tools([
        {
          name: "add",
          inputSchema: item,
          handler({ name, count }) {
            cart.push(`${count} ${name}`);
            return cart.join(", ");
          },
        },
        {
          name: "whoami",
          handler: (_args, { auth }) => auth?.principal ?? "nobody",
        },
      ]),
    },
  });
}
