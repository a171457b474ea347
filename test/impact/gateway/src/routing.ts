import {
  callTool,
  CallToolResultSchema,
  classify,
  createMessage,
  INTERNAL_ERROR,
  isCallToolRequest,
  isCallToolRequestParams,
  isInitializeRequest,
  isJSONRPCError,
  isPingRequest,
  isTool,
  type JSONRPCError,
  type JSONRPCRequest,
  type ProgressToken,
  protocol,
  type RequestId,
  type Tool,
} from "./mcp/index.js";

/** The methods that the gateway counts. */
const counted = new Set<string>([
  callTool.method,
  createMessage.method,
  "resources/subscribe",
]);

export interface Routed {
  readonly to: "server" | "client" | "nobody";
  readonly because: string;
}

/**
 * Decides where a message goes, without a session: the gateway records raw
 * traffic with it.
 */
export function route(message: unknown): Routed {
  const classified = classify(message);
  switch (classified.kind) {
    case "request": {
      const { method, row } = classified;
      if (row === undefined)
        return { to: "nobody", because: `unknown method ${method}` };
      if (isPingRequest(message) || isInitializeRequest(message))
        return { to: "server", because: "opening" };
      if (method === "logging/setLevel")
        return { to: "server", because: "changes the log" };
      return {
        to: row.facts.sender === "server" ? "client" : "server",
        because: counted.has(method) ? "counted" : "free",
      };
    }
    case "notification":
      return {
        to: "client",
        because:
          classified.method === "notifications/message" ? "log" : "event",
      };
    case "batch":
      return { to: "nobody", because: "batches are not routed" };
    case "result":
    case "error":
      return { to: "client", because: "an answer" };
    case "invalid":
      return { to: "nobody", because: classified.reason };
  }
}

/** The token that a call wants its progress under. */
export function tokenOf(message: unknown): ProgressToken | undefined {
  if (!isCallToolRequest(message) || !isCallToolRequestParams(message.params))
    return undefined;
  return message.params._meta?.progressToken;
}

/** The answer to a message that has no way. */
export function refusal(id: RequestId, because: string): JSONRPCError {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: INTERNAL_ERROR, message: because },
  };
}

/** Tools in a recorded answer, those that are valid. */
export function toolsIn(values: readonly unknown[]): Tool[] {
  return values.filter(isTool);
}

/** True if a recorded answer is a failure. */
export function hasFailed(answer: unknown): boolean {
  if (isJSONRPCError(answer)) return true;
  const parsed = CallToolResultSchema.safeParse(answer);
  return parsed.success && parsed.data.isError === true;
}

/** A request for the list of tools, as it is on the wire. */
export function listRequest(id: RequestId, cursor?: string): JSONRPCRequest {
  return {
    jsonrpc: "2.0",
    id,
    method: protocol.requests["tools/list"].facts.method,
    params: { ...(cursor && { cursor }) },
  };
}
