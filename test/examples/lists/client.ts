import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  handlers: {
    "notifications/tools/list_changed": () =>
      console.log("The tools have changed."),
    "notifications/resources/list_changed": () =>
      console.log("The resources have changed."),
    "notifications/prompts/list_changed": () =>
      console.log("The prompts have changed."),
  },
});

const stop = new AbortController();
if (client.revision === "2026-07-28") {
  const notifications = {
    toolsListChanged: true,
    resourcesListChanged: true,
    promptsListChanged: true,
  };
  await new Promise<void>((opened, failed) => {
    const options = { signal: stop.signal, onNotice: () => opened() };
    client.subscriptionsListen({ notifications }, options).catch(failed);
  });
}

const { content } = await client.callTool({ name: "open_exhibition" });
for (const block of content) if (block.type === "text") console.log(block.text);
stop.abort();

for await (const tool of client.tools({}, { maxPages: 10 }))
  console.log(tool.name);
for await (const resource of client.resources()) console.log(resource.uri);
for await (const prompt of client.prompts()) console.log(prompt.name);

const first = await client.listTools();
const second = await client.listTools({ cursor: first.nextCursor ?? "" });
for (const { tools, nextCursor } of [first, second])
  console.log(tools.length, nextCursor !== undefined);
await client.close();
