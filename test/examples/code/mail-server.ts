import { type JsonSchema, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const mail: JsonSchema<{ to: string; text: string }> = {
  type: "object",
  properties: { to: { type: "string" }, text: { type: "string" } },
  required: ["to", "text"],
};

const servers = createServers({
  info: { name: "mail", version: "1.0.0", title: "Mail to customers" },
  handlers: tools([
    {
      name: "send_mail",
      description: "Sends mail to a customer.",
      inputSchema: mail,
      handler: ({ to, text }) => `To ${to}: ${text}`,
    },
  ]),
});

await serveStdio(servers);
