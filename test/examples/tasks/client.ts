import { stdio } from "@mcpgen/runtime/stdio";
import { taskOutcome } from "@mcpgen/runtime/tasks";
import { Client } from "./gen/2025-11-25/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await Client.connect(server, {
  info: { name: "guide", version: "1.0.0" },
  handlers: {
    "notifications/tasks/status": ({ status }) =>
      console.log(`The status is ${status}.`),
  },
});

const task = { ttl: 60_000 };
const bread = await client.callTool({
  name: "bake",
  arguments: { minutes: 3 },
  task,
});
console.log(bread.task.status);

const { status, pollInterval } = await client.getTask({
  taskId: bread.task.taskId,
});
console.log(status, pollInterval);

const statuses = new Set<string>();
const { content } = await taskOutcome(client, bread, {
  onStatus: (status) => statuses.add(status),
});
console.log([...statuses], content);

const cake = await client.callTool({
  name: "bake",
  arguments: { minutes: 1000 },
  task,
});
const cancelled = await client.cancelTask({ taskId: cake.task.taskId });
console.log(cancelled.status);

for await (const one of client.tasks()) console.log(one.status);
await client.close();
