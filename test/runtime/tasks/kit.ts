import {
  type AnyClient,
  type AnyContext,
  type AnyHandlers,
  type AnyProtocol,
  type ClientOptions,
  join,
  type Json,
  revisions,
  type ServerOptions,
} from "../kit/index.js";

/** The revisions whose calls may be answered with a task. */
export const withTasks = revisions.filter(
  ({ facts }) => facts.wellKnown.taskResult !== undefined,
);
/** The key in the metadata of a message for the task that it belongs to. */
export const related = "io.modelcontextprotocol/related-task";

/** A generated client's methods on tasks, seen without their types. */
export interface TaskedClient extends AnyClient {
  getTask(params: {
    taskId: string;
  }): Promise<Json & { status: string; pollInterval: number }>;
  getTaskPayload(params: { taskId: string }): Promise<Json>;
  cancelTask(params: { taskId: string }): Promise<Json>;
  listTasks(params?: Json): Promise<Json>;
}

/** A client and its server, with short functions to call tools. */
export interface Opened {
  readonly client: TaskedClient;
  call(name: string, task?: Json, args?: Json): Promise<Json>;
  /** Starts a tool as a task and returns the task's id. */
  start(name: string, task?: Json): Promise<string>;
}

/** The declared task support of a tool. */
export const may = (taskSupport: string): Json => ({
  execution: { taskSupport },
});

/** A client and a server, joined in memory. */
export async function open(
  protocol: AnyProtocol,
  server: Omit<ServerOptions, "handlers"> & { readonly handlers: object },
  client: ClientOptions = {},
): Promise<Opened> {
  const joined = await join(protocol, {
    server: { ...server, handlers: server.handlers as AnyHandlers },
    client,
  });
  const call: Opened["call"] = (name, task, args = {}) =>
    joined.client.callTool({ name, arguments: args, ...(task && { task }) });
  return {
    client: joined.client as TaskedClient,
    call,
    start: async (name, task = {}) =>
      String(((await call(name, task))["task"] as Json)["taskId"]),
  };
}

/** A tool that may run as a task. */
export const tool = (
  name: string,
  handler: (args: unknown, context: AnyContext) => unknown,
  support = "optional",
) => ({
  name,
  handler: (args: unknown, context: unknown) =>
    handler(args, context as AnyContext),
  ...may(support),
});

/** A form with one field, which must be filled in. */
export const form = (name: string): Json => ({
  message: name,
  requestedSchema: {
    type: "object",
    properties: { [name]: { type: "string" } },
    required: [name],
  },
});
/** The response to a form. */
export const filled = (name: string, value: unknown): Json => ({
  action: "accept",
  content: { [name]: value },
});
