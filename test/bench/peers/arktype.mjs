// ArkType: the types of the nine messages, written in its own terms.
import { type } from "arktype";

const any = "Record<string, unknown>";
const id = "string | number.integer";
const meta = { "progressToken?": id };
const envelope = { jsonrpc: "'2.0'", id };
const annotations = {
  "audience?": "('user' | 'assistant')[]",
  "priority?": "0 <= number <= 1",
  "lastModified?": "string",
};
const block = { "annotations?": annotations, "_meta?": any };
const media = { data: "string", mimeType: "string" };
const contents = { uri: "string", "mimeType?": "string", "_meta?": any };
const icon = type({ src: "string", "mimeType?": "string" });

const ping = type({ ...envelope, method: "'ping'", "params?": { "_meta?": meta } });
const call = type({
  ...envelope,
  method: "'tools/call'",
  params: { "_meta?": meta, "task?": { "ttl?": "number" }, name: "string", "arguments?": any },
});
const content = type({ type: "'text'", text: "string", ...block })
  .or({ type: "'image'", ...media, ...block })
  .or({ type: "'audio'", ...media, ...block })
  .or({
    type: "'resource_link'",
    uri: "string",
    name: "string",
    "title?": "string",
    "description?": "string",
    "mimeType?": "string",
    "size?": "number",
    "icons?": icon.array(),
    ...block,
  })
  .or({
    type: "'resource'",
    resource: type({ ...contents, text: "string" }).or({ ...contents, blob: "string" }),
    ...block,
  });
const toolSchema = {
  "$schema?": "string",
  type: "'object'",
  "properties?": "Record<string, object>",
  "required?": "string[]",
};
const tool = type({
  name: "string",
  "title?": "string",
  "icons?": icon.array(),
  "description?": "string",
  inputSchema: toolSchema,
  "execution?": { "taskSupport?": "string" },
  "outputSchema?": toolSchema,
  "annotations?": {
    "title?": "string",
    "readOnlyHint?": "boolean",
    "destructiveHint?": "boolean",
    "idempotentHint?": "boolean",
    "openWorldHint?": "boolean",
  },
  "_meta?": any,
});
const result = type({
  "_meta?": any,
  content: content.array(),
  "structuredContent?": any,
  "isError?": "boolean",
});
const tools = type({ "_meta?": any, "nextCursor?": "string", tools: tool.array() });

const guard = (checked) => (value) => checked.allows(value);

export const arktype = {
  PingRequest: guard(ping),
  CallToolRequest: guard(call),
  // Two of its twenty members, to its advantage.
  ClientRequest: guard(ping.or(call)),
  CallToolResult: guard(result),
  ListToolsResult: guard(tools),
};
