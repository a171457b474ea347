import { prompts } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const servers = createServers({
  info: { name: "editor", version: "1.0.0" },
  capabilities: { resources: {} },
  handlers: {
    ...prompts([
      {
        name: "brainstorm",
        description: "Collects ideas.",
        get: () => "List ten ideas for a weekend in Oslo.",
      },
      {
        name: "review",
        description: "Reviews a program.",
        arguments: [
          {
            name: "language",
            description: "The language of the program.",
            required: true,
          },
          { name: "tone", description: "How the review sounds." },
        ],
        get: ({ language, tone = "friendly" }) =>
          `Review this ${language} program in a ${tone} tone.`,
      },
      {
        name: "describe_image",
        get: () => [
          {
            role: "user",
            content: { type: "text", text: "Describe this image." },
          },
          {
            role: "user",
            content: { type: "image", data: png, mimeType: "image/png" },
          },
        ],
      },
      {
        name: "explain_config",
        get: () => [
          {
            role: "user",
            content: {
              type: "resource",
              resource: {
                uri: "file:///app/config.json",
                mimeType: "application/json",
                text: '{"port":80}',
              },
            },
          },
          {
            role: "assistant",
            content: {
              type: "text",
              text: "What do you want to know about it?",
            },
          },
        ],
      },
    ]),
  },
});

await serveStdio(servers);
