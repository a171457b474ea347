import { isMcpError, type Transport } from "@mcpgen/runtime";
import {
  Client,
  clientQuestions,
  // touched by methods! (Block)
  type ContentBlock,
  type CreateMessageResult,
  // touched by codes! (BAD_PARAMS)
  INVALID_PARAMS,
  type ListRootsResult,
  type LoggingLevel,
  type LoggingMessageNotificationParams,
  METHOD_NOT_FOUND,
  type Resource,
  type Root,
  type Tool,
} from "./mcp/index.js";

// touched by move (Root)
const folders: Root[] = [{ uri: "file:///books", name: "books" }];

/** Our own reports, which the protocol does not change. */
interface Report {
  readonly isError: boolean;
  readonly priority: number;
  readonly annotations: readonly string[];
}

const log: Report[] = [];

function report(text: string, isError = false): void {
  log.push({ isError, priority: 1, annotations: [text] });
}

/** The weight of a message in the log. */
// touched by values! (verbose), move (LoggingLevel)
function weightOf(level: LoggingLevel): number {
  // touched by values (verbose)
  switch (level) {
    case "debug":
    case "info":
    // touched by values! (notice)
    case "notice":
      return 1;
    case "warning":
    case "error":
      return 2;
    case "critical":
    case "alert":
    case "emergency":
      return 3;
  }
}

// touched by move? (LoggingMessage)
function onMessage({ level, data, logger = "server" }: LoggingMessageNotificationParams): void {
  if (weightOf(level) > 0) report(`${logger}: ${String(data)}`, level === "error");
}

/** Lists the folders of the user. */
// touched by move (ListRootsResult)
function roots(): ListRootsResult {
  return { roots: folders };
}

// touched by move (CreateMessageResult)
function generate(maxTokens: number): CreateMessageResult {
  // touched by members! (modelName), required! (provider)
  return {
    role: "assistant",
    content: { type: "text", text: `A book of at most ${maxTokens} tokens.` },
    // touched by members (modelName)
    model: "small",
    stopReason: "endTurn",
  };
}

/** Connects to a server, and answers what it asks. */
export async function open(transport: Transport): Promise<Client> {
  // touched by move (opens)
  return await Client.connect(transport, {
    // touched by required! (vendor)
    info: { name: "reader", version: "1.0.0" },
    // touched by move (roots)
    capabilities: { roots: { listChanged: true } },
    questions: clientQuestions,
    handlers: {
      // touched by deprecated (createMessage), move (createMessage)
      "sampling/createMessage": ({ maxTokens, temperature }) => generate(maxTokens + (temperature ?? 0)),
      // touched by values! (cancel)
      "elicitation/create": ({ message }) => ({ action: message === "" ? "cancel" : "accept" }),
      // touched by methods! (roots/list), move (roots)
      "roots/list": roots,
      // touched by deprecated (notifications/message), move (notifications/message)
      "notifications/message": onMessage,
      // touched by methods (tools/list_changed)
      "notifications/tools/list_changed": () => report("The tools changed."),
      "notifications/resources/updated": ({ uri }) => report(`changed: ${uri}`),
      "notifications/progress": ({ progress, total }) => report(`${progress} of ${total ?? "many"}`),
    },
  });
}

/** One line for each block of a result. */
// touched by methods! (Block), values! (VideoContent)
export function lineOf(block: ContentBlock): string {
  // touched by values (VideoContent)
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `${block.mimeType}, ${block.data.length} characters`;
    case "resource_link":
      return block.uri;
    case "resource":
      // touched by limits (blob)
      return "blob" in block.resource ? atob(block.resource.blob) : block.resource.text;
  }
}

// touched by members! (annotations)
function titleOf({ name, title, annotations }: Tool): string {
  // touched by members (readOnlyHint)
  const suffix = annotations?.readOnlyHint === true ? " (reads)" : "";
  return `${title ?? name}${suffix}`;
}

function describe(resource: Resource): string {
  const { name, description = "no description", annotations } = resource;
  const weight = annotations?.priority ?? 0;
  return `${name}: ${description}, ${weight}, ${resource.size ?? 0} bytes`;
}

/** All tools, page by page. */
export async function toolNames(client: Client): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools({ ...(cursor !== undefined && { cursor }) });
    names.push(...page.tools.map(titleOf));
    // touched by members! (nextCursor)
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

/** Calls a tool that the server may not have. */
export async function tryTool(client: Client, name: string): Promise<unknown> {
  try {
    // touched by members (isError), members (structuredContent), required! (caller), deprecated (structuredContent)
    const { content, isError, structuredContent } = await client.callTool({ name });
    if (isError === true) return "failed";
    return structuredContent ?? content.map(lineOf);
  } catch (reason) {
    if (isMcpError(reason) && reason.code === METHOD_NOT_FOUND) return "no tools";
    if (isMcpError(reason) && reason.code === INVALID_PARAMS) return "no such tool";
    // touched by codes (METHOD_NOT_FOUND)
    if (isMcpError(reason) && reason.code === -32601) return "no tools";
    throw reason;
  }
}

/** Reads everything that a reader wants to know. */
export async function visit(client: Client): Promise<string[]> {
  // touched by methods! (ping), move! (ping)
  await client.ping();
  // touched by methods! (setLevel), values! (notice), deprecated (setLevel), move! (setLevel)
  await client.setLevel({ level: "notice" });
  const { resources } = await client.listResources();
  const lines = resources.map(describe);
  for (const { uri } of resources) {
    // touched by move! (subscribe)
    await client.subscribe({ uri });
    const { contents } = await client.readResource({ uri });
    // touched by limits (blob)
    for (const part of contents) lines.push("text" in part ? part.text : part.blob);
  }
  const { completion } = await client.complete({
    ref: { type: "ref/prompt", name: "summarize" },
    argument: { name: "book", value: "al" },
  });
  const { messages } = await client.getPrompt({ name: "summarize" });
  lines.push(...messages.map(({ role, content }) => `${role}: ${lineOf(content)}`));
  return [...lines, ...completion.values];
}
