import { type JsonSchema, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

interface Order {
  delivery: "post" | "pickup";
  address?: { city: string };
  position: [x: number, y: number];
}

const order: JsonSchema<Order> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    },
  },
  properties: {
    delivery: { enum: ["post", "pickup"] },
    address: { $ref: "#/$defs/address" },
    position: {
      type: "array",
      prefixItems: [{ type: "number" }, { type: "number" }],
      minItems: 2,
      items: false,
    },
  },
  required: ["delivery", "position"],
  if: { properties: { delivery: { const: "post" } } },
  then: { required: ["address"] },
  additionalProperties: false,
};

interface Receipt {
  total: number;
  lines: string[];
}

const receipt: JsonSchema<Receipt> = {
  type: "object",
  properties: {
    total: { type: "number" },
    lines: { type: "array", items: { type: "string" } },
  },
  required: ["total", "lines"],
};

const servers = createServers({
  info: { name: "orders", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "place_order",
        description: "Places an order.",
        inputSchema: order,
        outputSchema: receipt,
        handler: ({ delivery, address, position: [x, y] }) => ({
          total: 12.5,
          lines: [
            `By ${delivery} to ${address?.city ?? "the shop"}`,
            `From shelf ${x}/${y}`,
          ],
        }),
      },
    ]),
  },
});

await serveStdio(servers);
