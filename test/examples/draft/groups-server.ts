import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./grouped/server.js";

const server = createServer({
  info: { name: "office", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "send_mail",
        _meta: { "com.example/groups": ["mail"] },
        handler: () => "Sent.",
      },
      {
        name: "find_time",
        _meta: { "com.example/groups": ["mail", "calendar"] },
        handler: () => "Monday, 10:00",
      },
    ]),
    "groups/list": () => ({
      groups: [
        { name: "mail", description: "Write and send mail" },
        { name: "calendar", description: "Plan meetings" },
      ],
    }),
  },
});

await serveStdio(server);
