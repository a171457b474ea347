import { type JsonSchema, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const orders = [
  { id: 1, customer: "ada@example.com", total: 120, isPaid: false },
  { id: 2, customer: "alan@example.com", total: 80, isPaid: true },
  { id: 3, customer: "grace@example.com", total: 40, isPaid: false },
];

const order: JsonSchema<(typeof orders)[number]> = {
  type: "object",
  properties: {
    id: { type: "integer" },
    customer: { type: "string", description: "An address of mail." },
    total: { type: "number", description: "In euros." },
    isPaid: { type: "boolean" },
  },
  required: ["id", "customer", "total", "isPaid"],
};
const number: JsonSchema<{ id: number }> = {
  type: "object",
  properties: { id: { type: "integer" } },
  required: ["id"],
};
const numbers: JsonSchema<{ ids: number[] }> = {
  type: "object",
  properties: { ids: { type: "array", items: { type: "integer" } } },
  required: ["ids"],
};

const servers = createServers({
  info: { name: "shop", version: "1.0.0", title: "Orders of the shop" },
  handlers: tools([
    {
      name: "list_orders",
      description: "Lists the numbers of all orders.",
      outputSchema: numbers,
      annotations: { readOnlyHint: true },
      handler: () => ({ ids: orders.map(({ id }) => id) }),
    },
    {
      name: "get_order",
      description: "Returns one order.",
      inputSchema: number,
      outputSchema: order,
      annotations: { readOnlyHint: true },
      handler(args) {
        const found = orders.find(({ id }) => id === args.id);
        if (!found) throw new Error(`There is no order ${args.id}.`);
        return found;
      },
    },
  ]),
});

await serveStdio(servers);
