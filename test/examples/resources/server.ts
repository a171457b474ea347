import { resources } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const logo = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const articles = new Map([["42", "The answer."]]);

const servers = createServers({
  info: { name: "docs", version: "1.0.0" },
  handlers: {
    ...resources([
      {
        uri: "docs://readme",
        name: "readme",
        description: "What this server offers.",
        mimeType: "text/markdown",
        read: () => "# Docs",
      },
      {
        uri: "docs://logo",
        name: "logo",
        mimeType: "image/png",
        size: logo.length,
        read: () => logo,
      },
      {
        uriTemplate: "docs://articles/{id}",
        name: "article",
        description: "An article by its number.",
        mimeType: "text/plain",
        read: ({ id }) => articles.get(id),
      },
      {
        uriTemplate: "docs://search{?text,page}",
        name: "search",
        description: "The articles that contain a text.",
        mimeType: "text/plain",
        read: ({ text, page }) =>
          `page ${page ?? "1"} of the articles with "${text ?? ""}"`,
      },
    ]),
  },
});

await serveStdio(servers);
