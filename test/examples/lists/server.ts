import {
  type AnyTool,
  type Prompt,
  prompts,
  type Resource,
  resources,
  tools,
} from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const rooms = ["atrium", "cellar", "dome"];
const pages: Resource[] = [];
const questions: Prompt[] = [];

const servers = createServers({
  info: { name: "museum", version: "1.0.0" },
  handlers: {
    ...tools(
      (): AnyTool[] => [
        ...rooms.map(visit),
        { name: "open_exhibition", handler: open },
      ],
      {
        pageSize: 2,
      },
    ),
    ...resources(() => pages),
    ...prompts(() => questions),
  },
});

function visit(room: string): AnyTool {
  return { name: `visit_${room}`, handler: () => `You are in the ${room}.` };
}

function open(): string {
  rooms.push("gallery");
  servers.notify.toolsListChanged();
  pages.push({
    uri: "museum://exhibition",
    name: "exhibition",
    read: () => "Blue pixels",
  });
  servers.notify.resourcesListChanged();
  questions.push({
    name: "explain_exhibition",
    get: () => "Explain the exhibition.",
  });
  servers.notify.promptsListChanged();
  return "The exhibition is open.";
}

await serveStdio(servers);
