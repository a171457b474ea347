import { McpError } from "@mcpgen/runtime";
import { startTask } from "@mcpgen/runtime/tasks";
import { pause } from "./content.js";
import { ask, askName, text, type Tools } from "./server-tool.js";

/**
 * Tools of the scenarios about tasks: one is never a task, some may be, one
 * must be, and one becomes a task.
 */
export const jobs: Tools = {
  greet: {
    description: "Greets at once.",
    inputSchema: { type: "object", properties: { name: { type: "string" } } },
    call: ({ name }) => text(`Hello, ${String(name)}!`),
  },
  slow_compute: {
    description: "Takes its time.",
    inputSchema: {
      type: "object",
      properties: { seconds: { type: "number" }, label: { type: "string" } },
    },
    execution: { taskSupport: "optional" },
    call: async ({ seconds, label }, { signal }) => {
      const end = Date.now() + Number(seconds ?? 1) * 1000;
      while (Date.now() < end && !signal.aborted) await pause(20);
      return text(`Computed ${String(label)}.`);
    },
  },
  failing_job: {
    description: "Fails as a tool fails.",
    execution: { taskSupport: "required" },
    call: async () => {
      await pause(20);
      return { ...text("The job failed."), isError: true };
    },
  },
  protocol_error_job: {
    description: "Fails as a request fails.",
    execution: { taskSupport: "optional" },
    call: async () => {
      await pause(20);
      throw new McpError(-32603, "The job broke.");
    },
  },
  confirm_delete: {
    description: "Asks before it deletes.",
    inputSchema: {
      type: "object",
      properties: { filename: { type: "string" } },
    },
    execution: { taskSupport: "optional" },
    call: async ({ filename }, { request }) => {
      const { action } = await request(
        "elicitation/create",
        ask(`Delete ${String(filename)}?`, "confirm", "boolean"),
      );
      return text(`${action}: ${String(filename)}`);
    },
  },
  multi_input: {
    description: "Asks for two things at once.",
    execution: { taskSupport: "optional" },
    call: async (_, { request }) => {
      const answers = await Promise.all([
        request("elicitation/create", askName, { key: "name" }),
        request("elicitation/create", ask("Go on?", "confirm", "boolean"), {
          key: "confirm",
        }),
      ]);
      return text(JSON.stringify(answers));
    },
  },
  test_tool_with_task: {
    description: "Asks for a name, and goes on as a task.",
    call: async (_, context) => {
      const { content } = await context.request("elicitation/create", askName, {
        key: "user_name",
      });
      return await startTask(context, async () => {
        await pause(20);
        return text(`Hello, ${JSON.stringify(content)}!`);
      });
    },
  },
};
