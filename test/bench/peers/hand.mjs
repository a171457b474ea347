// The limit: what somebody would write by hand for just these types, knowing all there is to know about them.
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => value === undefined || typeof value === "string";
const isFlag = (value) => value === undefined || typeof value === "boolean";
const isMap = (value) => value === undefined || isObject(value);
const isId = (value) => typeof value === "string" || Number.isInteger(value);

function isEnvelope(value) {
  return isObject(value) && value.jsonrpc === "2.0" && isId(value.id);
}

function isMeta(value) {
  return (
    value === undefined ||
    (isObject(value) && (value.progressToken === undefined || isId(value.progressToken)))
  );
}

function isPing(value) {
  if (!isEnvelope(value) || value.method !== "ping") return false;
  return value.params === undefined || (isObject(value.params) && isMeta(value.params._meta));
}

function isCall(value) {
  if (!isEnvelope(value) || value.method !== "tools/call") return false;
  const { params } = value;
  if (!isObject(params) || typeof params.name !== "string" || !isMap(params.arguments)) return false;
  return isMeta(params._meta) && (params.task === undefined || isObject(params.task));
}

function isAnnotations(value) {
  if (value === undefined) return true;
  if (!isObject(value) || !isText(value.lastModified)) return false;
  if (value.audience !== undefined && !Array.isArray(value.audience)) return false;
  return value.priority === undefined || (value.priority >= 0 && value.priority <= 1);
}

function isBlock(value) {
  if (!isObject(value) || !isAnnotations(value.annotations) || !isMap(value._meta)) return false;
  switch (value.type) {
    case "text":
      return typeof value.text === "string";
    case "image":
    case "audio":
      return typeof value.data === "string" && typeof value.mimeType === "string";
    case "resource_link":
      return typeof value.uri === "string" && typeof value.name === "string" && isText(value.title);
    case "resource":
      return isObject(value.resource) && typeof value.resource.uri === "string";
    default:
      return false;
  }
}

function isResult(value) {
  if (!isObject(value) || !Array.isArray(value.content)) return false;
  for (const block of value.content) if (!isBlock(block)) return false;
  return isFlag(value.isError) && isMap(value.structuredContent) && isMap(value._meta);
}

function isToolSchema(value) {
  if (!isObject(value) || value.type !== "object" || !isText(value.$schema)) return false;
  if (value.properties !== undefined) {
    if (!isObject(value.properties)) return false;
    for (const key in value.properties) if (!isObject(value.properties[key])) return false;
  }
  if (value.required === undefined) return true;
  if (!Array.isArray(value.required)) return false;
  for (const name of value.required) if (typeof name !== "string") return false;
  return true;
}

function isHints(value) {
  if (!isObject(value) || !isText(value.title)) return false;
  if (!isFlag(value.readOnlyHint) || !isFlag(value.destructiveHint)) return false;
  return isFlag(value.idempotentHint) && isFlag(value.openWorldHint);
}

function isTool(value) {
  if (!isObject(value) || typeof value.name !== "string" || !isText(value.title)) return false;
  if (!isText(value.description) || !isToolSchema(value.inputSchema) || !isMap(value._meta)) return false;
  if (value.outputSchema !== undefined && !isToolSchema(value.outputSchema)) return false;
  if (value.icons !== undefined && !Array.isArray(value.icons)) return false;
  if (value.execution !== undefined && !isObject(value.execution)) return false;
  return value.annotations === undefined || isHints(value.annotations);
}

function isTools(value) {
  if (!isObject(value) || !Array.isArray(value.tools) || !isText(value.nextCursor)) return false;
  for (const tool of value.tools) if (!isTool(tool)) return false;
  return isMap(value._meta);
}

function isClientRequest(value) {
  if (!isObject(value)) return false;
  switch (value.method) {
    case "ping":
      return isPing(value);
    case "tools/call":
      return isCall(value);
    default:
      return false;
  }
}

export const hand = {
  PingRequest: isPing,
  CallToolRequest: isCall,
  ClientRequest: isClientRequest,
  CallToolResult: isResult,
  ListToolsResult: isTools,
};
