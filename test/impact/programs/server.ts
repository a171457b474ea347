import { McpError } from "@mcpgen/runtime";
import {
  type Annotations,
  type CallToolResult,
  // touched by methods! (Block)
  type ContentBlock,
  type Context,
  type CreateMessageRequestParams,
  createServer,
  // touched by codes! (INTERNAL_ERROR)
  INTERNAL_ERROR,
  type LoggingLevel,
  type ModelPreferences,
  type PromptMessage,
  type Resource,
  type Server,
  type ServerHandlers,
  serverQuestions,
  type Tool,
  type ToolAnnotations,
} from "./mcp/index.js";

// touched by members! (readOnlyHint), deprecated (ToolAnnotations)
const reads: ToolAnnotations = { readOnlyHint: true };

const tools: Tool[] = [
  // touched by members! (annotations)
  { name: "summarize", title: "Summarize a book", inputSchema: { type: "object" }, annotations: reads },
  { name: "lend", title: "Lend a book", inputSchema: { type: "object" } },
];

const text = (value: string): ContentBlock => ({ type: "text", text: value });

// touched by move (ModelPreferences)
const preferences: ModelPreferences = {
  speedPriority: 1,
  costPriority: 0.2,
  // touched by limits (hints)
  hints: [{ name: "small" }, { name: "medium" }],
};

/** How important a book is, and when it changed. */
function importance(priority: number): Annotations {
  // touched by limits (priority), limits (lastModified)
  return { priority, lastModified: "yesterday" };
}

/** What the client's model is asked to do. */
// touched by move? (createMessage)
export function summaryOf(book: string): CreateMessageRequestParams {
  return {
    messages: [{ role: "user", content: { type: "text", text: `Summarize: ${book}` } }],
    // touched by values! (allServers), move (includeContext)
    includeContext: "allServers",
    modelPreferences: preferences,
    temperature: 0.5,
    // touched by limits (maxTokens)
    maxTokens: 400,
  };
}

async function summarize(book: string, context: Context): Promise<CallToolResult> {
  // touched by members (modelName), deprecated (createMessage), move (createMessage)
  const { content, model } = await context.request("sampling/createMessage", summaryOf(book));
  // touched by methods! (roots/list), move (roots)
  const { roots } = await context.request("roots/list");
  // touched by move! (content)
  const summary = content.type === "text" ? content.text : `${model} said nothing`;
  // touched by move! (resultType)
  return {
    content: [text(summary)],
    // touched by members (structuredContent), deprecated (structuredContent)
    structuredContent: { model, roots: roots.map(({ name, uri }) => name ?? uri) },
  };
}

async function lend(context: Context): Promise<CallToolResult> {
  // touched by move (elicitation)
  const answer = await context.request("elicitation/create", {
    message: "How many days?",
    requestedSchema: { type: "object", properties: { days: { type: "integer", minimum: 1 } } },
  });
  // touched by members (isError), values! (cancel), move! (resultType)
  if (answer.action === "cancel") return { content: [text("Not lent.")], isError: true };
  // touched by move! (resultType)
  return { content: [text("Lent.")] };
}

const books = new Map([["book:///kim", "He sat, in defiance of municipal orders."]]);

function find(uri: string): string {
  const book = books.get(uri);
  // touched by move (RESOURCE_NOT_FOUND)
  if (book === undefined) throw new McpError(-32002, "There is no such book.");
  return book;
}

/** The first message of a prompt. */
export function opening(book: string): PromptMessage {
  return { role: "user", content: text(`Tell me about ${book}.`) };
}

export function libraryHandlers(): ServerHandlers {
  // touched by move (LoggingLevel)
  let level: LoggingLevel = "warning";
  const watched = new Set<string>();
  return {
    "tools/list": () => ({ tools }),
    "tools/call": async ({ name }, context) => {
      // touched by limits? (progress)
      context.progress(0.5, 1);
      // touched by values! (notice), deprecated (notifications/message), move (notifications/message)
      if (level === "notice") context.log("notice", `calls ${name}`);
      if (name === "lend") return await lend(context);
      if (name === "summarize") return await summarize(find("book:///kim"), context);
      throw new McpError(INTERNAL_ERROR, "There is no such tool.");
    },
    "resources/list": () => ({
      // touched by required! (description)
      resources: [...books.keys()].map((uri): Resource => ({
        uri,
        name: uri,
        mimeType: "text/plain",
        // touched by limits? (priority)
        annotations: importance(0.2),
        size: 1.5,
      })),
    }),
    // touched by limits (blob)
    "resources/read": ({ uri }) => ({ contents: [{ uri, blob: btoa(find(uri)), mimeType: "text/plain" }] }),
    // touched by move! (subscribe)
    "resources/subscribe": ({ uri }) => {
      watched.add(uri);
      return {};
    },
    // touched by methods! (setLevel), deprecated (setLevel), move! (setLevel)
    "logging/setLevel": (params) => {
      level = params.level;
      return {};
    },
    "completion/complete": ({ argument }) => {
      const values = [...books.keys()].filter((uri) => uri.includes(argument.value));
      // touched by limits (values), move (values)
      return { completion: { values, hasMore: false } };
    },
    "prompts/get": () => ({ messages: [opening("Kim")] }),
  };
}

/** A server of the library. */
export function createLibrary(): Server {
  // touched by move (opens)
  return createServer({
    // touched by required! (vendor), values! (version)
    info: { name: "library", version: "0.9.0" },
    // touched by move (logging)
    capabilities: { logging: {}, resources: { subscribe: true } },
    questions: serverQuestions,
    handlers: libraryHandlers(),
  });
}

/** Says that a tool was added. */
export function addTool(server: Server, tool: Tool): void {
  tools.push(tool);
  // touched by methods! (tools/list_changed)
  server.notify.toolsListChanged();
}
