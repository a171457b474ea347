// The nine messages of the guard benchmark, as they come off the wire: made by JSON.parse, so that no guard profits from
// object shapes that a wire message does not have.
const wire = (value) => JSON.parse(JSON.stringify(value));

const tools = Array.from({ length: 100 }, (_, i) => ({
  name: `tool_${i}`,
  title: `Tool number ${i}`,
  description:
    "Looks something up for somebody and says what it has found, in as many words as a model needs to choose it.",
  inputSchema: {
    type: "object",
    properties: {
      location: { type: "string", description: "Where to look" },
      units: { type: "string", enum: ["metric", "imperial"] },
      days: { type: "integer", minimum: 1, maximum: 14 },
    },
    required: ["location"],
  },
  annotations: { title: `Tool ${i}`, readOnlyHint: true, openWorldHint: false },
}));

const call = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "echo", arguments: { text: "hello", times: 3 }, _meta: { progressToken: 4 } },
};
const content = [
  { type: "text", text: "hello" },
  { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
  { type: "resource_link", uri: "file:///notes.txt", name: "notes.txt" },
];

/** Each with the type it is checked as, and whether it is valid. */
export const messages = [
  { label: "ping", type: "PingRequest", valid: true, value: { jsonrpc: "2.0", id: 1, method: "ping" } },
  { label: "call", type: "CallToolRequest", valid: true, value: call },
  { label: "call, through ClientRequest", type: "ClientRequest", valid: true, value: call },
  { label: "result with 3 blocks", type: "CallToolResult", valid: true, value: { content, isError: false } },
  { label: "100 tools", type: "ListToolsResult", valid: true, value: { tools } },
  {
    label: "call without a name",
    type: "CallToolRequest",
    valid: false,
    value: { ...call, params: { arguments: {} } },
  },
  {
    label: "unknown method, ClientRequest",
    type: "ClientRequest",
    valid: false,
    value: { ...call, method: "tools/cal" },
  },
  {
    label: "unknown block",
    type: "CallToolResult",
    valid: false,
    value: { content: [content[0], { type: "video", data: "" }] },
  },
  {
    label: "last of 100 tools bad",
    type: "ListToolsResult",
    valid: false,
    value: { tools: [...tools.slice(0, 99), { name: 5 }] },
  },
].map((message) => ({ ...message, value: wire(message.value) }));
