import { resources, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";

const servers = createServers({
  info: { name: "gallery", version: "1.0.0" },
  handlers: {
    ...tools([
      { name: "describe", handler: () => "A single blue pixel." },
      {
        name: "show",
        handler: () => ({
          content: [{ type: "image", data: png, mimeType: "image/png" }],
        }),
      },
      {
        name: "play",
        handler: () => ({
          content: [{ type: "audio", data: wav, mimeType: "audio/wav" }],
        }),
      },
      {
        name: "open_label",
        handler: () => ({
          content: [
            {
              type: "resource",
              resource: {
                uri: "gallery://labels/pixel",
                mimeType: "text/plain",
                text: "Pixel, 2026",
              },
            },
          ],
        }),
      },
      {
        name: "find_catalogue",
        handler: () => ({
          content: [
            { type: "text", text: "The catalogue has 300 pages." },
            {
              type: "resource_link",
              uri: "gallery://catalogue",
              name: "catalogue",
              mimeType: "text/html",
            },
          ],
        }),
      },
    ]),
    ...resources([
      {
        uri: "gallery://labels/pixel",
        name: "label",
        mimeType: "text/plain",
        read: () => "Pixel, 2026",
      },
      {
        uri: "gallery://catalogue",
        name: "catalogue",
        mimeType: "text/html",
        read: () => "<h1>Catalogue</h1>",
      },
    ]),
  },
});

await serveStdio(servers);
