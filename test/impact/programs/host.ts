import {
  type CallToolResult,
  CallToolResultSchema,
  classify,
  createMessage,
  isCallToolRequest,
  isCallToolResult,
  // touched by methods! (Block)
  isContentBlock,
  isCreateMessageRequest,
  isCreateMessageResult,
  isElicitResult,
  isListRootsResult,
  isLoggingMessageNotification,
  // touched by methods! (setLevel), move! (setLevel)
  isSetLevelRequest,
  isTool,
  type JSONRPCRequest,
  type LoggingLevel,
  protocol,
  type RequestId,
  type Role,
  // touched by methods! (setLevel), move! (setLevel)
  setLevel,
  type Tool,
} from "./mcp/index.js";

/** Requests that a person must allow. */
// touched by methods (setLevel), deprecated (createMessage), deprecated (setLevel), move (setLevel), move (createMessage)
const guarded = new Set<string>([createMessage.method, setLevel.method, "tools/call"]);

/** Decides who may see a message of an agent. */
export function audienceOf(message: unknown): string {
  // touched by batches (batch)
  const seen = classify(message);
  switch (seen.kind) {
    case "request":
      return guarded.has(seen.method) ? "person" : "everyone";
    case "notification":
      // touched by methods (tools/list_changed)
      return seen.method === "notifications/tools/list_changed" ? "cache" : "log";
    // touched by batches (batch)
    case "batch":
      return `${seen.messages.length} messages`;
    case "result":
    case "error":
      return "agent";
    case "invalid":
      return "nobody";
  }
}

/** What a person reads about a request. */
export function labelOf(method: string): string {
  switch (method) {
    case "tools/call":
      return "runs a tool";
    // touched by methods (setLevel), deprecated (setLevel), move (setLevel)
    case "logging/setLevel":
      return "changes the log";
    // touched by methods (roots/list), move (roots)
    case "roots/list":
      return "reads the folders";
    // touched by deprecated (createMessage), move (createMessage)
    case "sampling/createMessage":
      return "asks the model";
    default:
      return "does something else";
  }
}

/** The page of the manual about it. */
export const page = "https://example.com/manual/logging/setLevel.html";

/** The name of a counter. */
export function counterOf(server: string): string {
  // touched by methods (setLevel), deprecated (setLevel), move (setLevel)
  return `${server}: logging/setLevel`;
}

// touched by values! (system)
export function colourOf(role: Role): string {
  // touched by values (system)
  switch (role) {
    case "user":
      return "blue";
    case "assistant":
      return "green";
  }
}

// touched by move (LoggingLevel)
const ranks: Record<LoggingLevel, number> = {
  debug: 0,
  info: 1,
  // touched by values! (notice)
  notice: 2,
  warning: 3,
  error: 4,
  critical: 5,
  alert: 6,
  emergency: 7,
};

/** A line of the trace of an agent. */
export function traceOf(message: unknown): string {
  // touched by methods! (setLevel), values (notice), deprecated (setLevel), move! (setLevel)
  if (isSetLevelRequest(message)) return `log from ${ranks[message.params.level]}`;
  // touched by values (allServers), limits (maxTokens), deprecated (createMessage), move (createMessage)
  if (isCreateMessageRequest(message)) return `at most ${message.params.maxTokens} tokens`;
  // touched by required (caller), move (_meta)
  if (isCallToolRequest(message)) return `calls ${message.params.name}`;
  // touched by values (notice), deprecated (notifications/message), move (notifications/message)
  if (isLoggingMessageNotification(message)) return `${message.params.level}: ${String(message.params.data)}`;
  return audienceOf(message);
}

/** What an answer says. */
export function answerOf(result: unknown): string {
  // touched by members (modelName), required (provider), limits (priority), move! (content)
  if (isCreateMessageResult(result)) return `${result.model}: ${result.content.type}`;
  // touched by move (roots)
  if (isListRootsResult(result)) return result.roots.map(({ name, uri }) => name ?? uri).join();
  // touched by values (cancel)
  if (isElicitResult(result)) return result.action;
  // touched by required (description), limits (priority), move (resultType)
  if (isCallToolResult(result)) return hasFailed(result) ? "failed" : "done";
  return "unknown";
}

function hasFailed(result: CallToolResult): boolean {
  // touched by members (isError), required (description), limits (priority)
  return result.isError === true || !result.content.every(isContentBlock);
}

/** Tools of a recorded answer that change nothing. */
export function readers(values: readonly unknown[]): Tool[] {
  // touched by members! (annotations), members (readOnlyHint)
  return values.filter(isTool).filter((tool) => tool.annotations?.readOnlyHint === true);
}

/** A request that the host records. */
export function request(id: RequestId, method: string): JSONRPCRequest {
  // touched by codes! (JSONRPC)
  return { jsonrpc: "2.0", id, method, params: {} };
}

/** The requests that the host sends when it starts. */
export function first(): JSONRPCRequest[] {
  // touched by methods (setLevel), codes (JSONRPC), deprecated (setLevel), move (setLevel)
  const level = { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level: "info" } } as const;
  // touched by methods (roots/list), values! (RequestId?), codes! (JSONRPC), move (roots)
  return [level, request(2, protocol.requests["tools/list"].facts.method), request(3, "roots/list")];
}

/** The structured part of an answer, if it is valid. */
export function partOf(answer: unknown): unknown {
  // touched by required (description), limits (priority), move (resultType)
  const parsed = CallToolResultSchema.safeParse(answer);
  if (!parsed.success) return parsed.error.message;
  // touched by members (structuredContent), deprecated (structuredContent)
  return parsed.data.structuredContent ?? parsed.data.content;
}

/** True for a code after which the host tries another server. */
export function isFinal(code: number): boolean {
  // touched by codes (METHOD_NOT_FOUND)
  return code !== -32603 && code !== -32601;
}
