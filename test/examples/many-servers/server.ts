import { type JsonSchema, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const words: JsonSchema<{ words: string }> = {
  type: "object",
  properties: { words: { type: "string" } },
  required: ["words"],
};
const library = createServers({
  info: { name: "library", version: "1.0.0" },
  handlers: tools([
    {
      name: "search",
      inputSchema: words,
      handler: ({ words }) => `Books about ${words}`,
    },
    { name: "hours", handler: () => "9 to 18" },
  ]),
});
const shop = createServers({
  info: { name: "shop", version: "1.0.0" },
  handlers: tools([
    {
      name: "search",
      inputSchema: words,
      handler: ({ words }) => `Offers of ${words}`,
    },
  ]),
});

const routes = {
  "/library": createHttpHandler(library),
  "/shop": createHttpHandler(shop),
};
await serveHttp(routes, { port: 3000, signals: true });
