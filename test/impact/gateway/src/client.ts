import { isMcpError, type Transport } from "@mcpgen/runtime";
import {
  Client,
  clientQuestions,
  type ClientCapabilities,
  type ContentBlock,
  type CreateMessageResult,
  LATEST_PROTOCOL_VERSION,
  type LoggingLevel,
  type LoggingMessageNotificationParams,
  type Tool,
} from "./mcp/index.js";

const capabilities: ClientCapabilities = { roots: { listChanged: true } };

/** The weight of a message in the log. */
function weightOf(level: LoggingLevel): number {
  switch (level) {
    case "debug":
    case "info":
    case "notice":
      return 1;
    case "warning":
      return 2;
    case "error":
    case "critical":
    case "alert":
    case "emergency":
      return 3;
  }
}

const log: string[] = [];

function onMessage({
  level,
  data,
  logger = "server",
}: LoggingMessageNotificationParams): void {
  if (weightOf(level) > 0) log.push(`${logger}: ${String(data)}`);
}

/** Connects to a server, and answers what it asks. */
export async function open(transport: Transport): Promise<Client> {
  const client = await Client.connect(transport, {
    info: { name: "reader", version: "1.0.0", title: "Reader" },
    capabilities,
    questions: clientQuestions,
    handlers: {
      "sampling/createMessage": ({ maxTokens }): CreateMessageResult => ({
        role: "assistant",
        content: {
          type: "text",
          text: `A book of at most ${maxTokens} tokens.`,
        },
        model: "small",
        stopReason: "endTurn",
      }),
      "elicitation/create": ({ message }) => ({
        action: "accept",
        content: { days: message.length },
      }),
      "roots/list": () => ({
        roots: [{ uri: "file:///books", name: "books" }],
      }),
      "notifications/message": onMessage,
      "notifications/resources/updated": ({ uri }) => {
        log.push(`changed: ${uri}`);
      },
    },
  });
  if (client.revision !== LATEST_PROTOCOL_VERSION)
    throw new Error("The files are of two revisions.");
  return client;
}

/** One line for each block of a result. */
export function lineOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `${block.mimeType}, ${block.data.length} characters`;
    case "resource_link":
      return block.uri;
    case "resource":
      return block.resource.uri;
  }
}

/** Names and titles of the tools. */
export async function toolNames(client: Client): Promise<string[]> {
  const names: string[] = [];
  for await (const tool of client.tools()) names.push(titleOf(tool));
  return names;
}

function titleOf({ name, title, annotations }: Tool): string {
  return `${title ?? annotations?.title ?? name}${annotations?.readOnlyHint === true ? " (reads)" : ""}`;
}

/** Calls a tool that the server may not have. */
export async function tryTool(client: Client, name: string): Promise<string> {
  try {
    const { content, isError } = await client.callTool({ name });
    return `${isError === true ? "failed" : "done"}: ${content.map(lineOf).join(" ")}`;
  } catch (reason) {
    if (isMcpError(reason) && reason.code === -32601)
      return `There is no tool ${name}.`;
    throw reason;
  }
}

/** Reads everything that a reader wants to know. */
export async function visit(client: Client): Promise<string[]> {
  await client.ping();
  await client.setLevel({ level: "info" });
  const { resources } = await client.listResources();
  const lines = [...(await toolNames(client))];
  for (const { uri, title, name } of resources) {
    await client.subscribe({ uri });
    const { contents } = await client.readResource({ uri });
    for (const part of contents)
      lines.push(`${title ?? name}: ${"text" in part ? part.text : part.blob}`);
    await client.unsubscribe({ uri });
  }
  const { content, isError } = await client.callTool({
    name: "summarize",
    arguments: { uri: "book:///kim" },
  });
  lines.push(...content.map(lineOf), isError === true ? "failed" : "done");
  const { completion } = await client.complete({
    ref: { type: "ref/resource", uri: "book:///{name}" },
    argument: { name: "name", value: "al" },
  });
  return [...lines, ...completion.values, ...log];
}
