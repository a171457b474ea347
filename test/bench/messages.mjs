/**
 * The nine messages that guards are measured with: typical messages of a
 * session, and invalid ones.
 */
const call = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: {
    name: "echo",
    arguments: { text: "hello", n: 3 },
    _meta: { progressToken: 4 },
  },
};
const result = {
  content: [
    { type: "text", text: "hello" },
    { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
    { type: "resource_link", uri: "file:///a", name: "a" },
  ],
  isError: false,
};
const tools = Array.from({ length: 100 }, (_, i) => ({
  name: `tool_${i}`,
  title: `Tool number ${i}`,
  description:
    "Does something useful for somebody, described at the length that servers describe it.".repeat(
      2,
    ),
  inputSchema: {
    type: "object",
    properties: {
      location: { type: "string", description: "Where" },
      units: { type: "string", enum: ["c", "f"] },
      days: { type: "integer" },
    },
    required: ["location"],
  },
  annotations: { readOnlyHint: true, title: "x" },
}));

/**
 * The name of the message, its type in the schema, whether it is valid, and the
 * message itself.
 */
export const messages = [
  ["ping", "PingRequest", true, { jsonrpc: "2.0", id: 1, method: "ping" }],
  ["call", "CallToolRequest", true, call],
  ["call through ClientRequest", "ClientRequest", true, call],
  ["result with 3 blocks", "CallToolResult", true, result],
  ["100 tools", "ListToolsResult", true, { tools }],
  [
    "call without a name",
    "CallToolRequest",
    false,
    { ...call, params: { arguments: {} } },
  ],
  [
    "call of a wrong method",
    "ClientRequest",
    false,
    { ...call, method: "tools/cal" },
  ],
  [
    "result with a wrong block",
    "CallToolResult",
    false,
    { content: [result.content[0], { type: "video", data: "x" }] },
  ],
  [
    "wrong 100th tool",
    "ListToolsResult",
    false,
    { tools: [...tools.slice(0, 99), { name: 5 }] },
  ],
].map(([label, type, valid, message]) => ({
  label,
  type,
  valid,
  message: JSON.parse(JSON.stringify(message)),
}));

export const types = [...new Set(messages.map(({ type }) => type))];
