import { resources, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const dot =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const icons = [
  { src: dot, mimeType: "image/png", sizes: ["48x48"] },
  {
    src: "https://shop.example.com/icon-dark.png",
    mimeType: "image/png",
    theme: "dark" as const,
  },
];

const servers = createServers({
  info: { name: "shop", version: "1.0.0", title: "The corner shop", icons },
  handlers: {
    ...tools([
      {
        name: "count_items",
        title: "Count items in stock",
        icons,
        _meta: { "example.com/category": "stock" },
        handler: () => ({
          content: [{ type: "text", text: "12 in stock" }],
          _meta: { "example.com/took": 3 },
        }),
      },
    ]),
    ...resources(
      [{ uri: "shop://hours", name: "hours", read: () => "9 to 18" }],
      {
        // The list as it is sent, such as that of a file.
        listed: [
          { uri: "shop://hours", name: "hours", title: "Opening hours", icons },
        ],
      },
    ),
  },
});

await serveStdio(servers);
