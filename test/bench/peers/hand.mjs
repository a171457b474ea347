/**
 * The limit: guards written by hand for these messages, which only return true
 * or false. They check the rules of the schema and record no path.
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMaybeString(value) {
  return value === undefined || typeof value === "string";
}

function isMaybeBoolean(value) {
  return value === undefined || typeof value === "boolean";
}

function isMaybeObject(value) {
  return value === undefined || isObject(value);
}

function isId(value) {
  return typeof value === "string" || Number.isInteger(value);
}

function areStrings(value) {
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++)
    if (typeof value[i] !== "string") return false;
  return true;
}

function isEnvelope(value) {
  return isObject(value) && value.jsonrpc === "2.0" && isId(value.id);
}

function isParams(value) {
  if (!isObject(value)) return false;
  const meta = value._meta;
  if (meta === undefined) return true;
  return (
    isObject(meta) &&
    (meta.progressToken === undefined || isId(meta.progressToken))
  );
}

function isPingRequest(value) {
  return (
    isEnvelope(value) &&
    value.method === "ping" &&
    (value.params === undefined || isParams(value.params))
  );
}

function isCallToolRequest(value) {
  if (!isEnvelope(value) || value.method !== "tools/call") return false;
  const params = value.params;
  if (
    !isParams(params) ||
    typeof params.name !== "string" ||
    !isMaybeObject(params.arguments)
  )
    return false;
  const task = params.task;
  return (
    task === undefined ||
    (isObject(task) && (task.ttl === undefined || Number.isInteger(task.ttl)))
  );
}

function isPaged(value) {
  if (!isEnvelope(value)) return false;
  return (
    value.params === undefined ||
    (isParams(value.params) && isMaybeString(value.params.cursor))
  );
}

function hasUri(value) {
  return (
    isEnvelope(value) &&
    isParams(value.params) &&
    typeof value.params.uri === "string"
  );
}

function ofTask(value) {
  return (
    isEnvelope(value) &&
    isObject(value.params) &&
    typeof value.params.taskId === "string"
  );
}

const levels = new Set([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
]);

function isGetPromptRequest(value) {
  if (
    !isEnvelope(value) ||
    !isParams(value.params) ||
    typeof value.params.name !== "string"
  )
    return false;
  const args = value.params.arguments;
  if (args === undefined) return true;
  if (!isObject(args)) return false;
  for (const key in args) if (typeof args[key] !== "string") return false;
  return true;
}

function isClientRequest(value) {
  if (!isObject(value)) return false;
  switch (value.method) {
    case "ping":
      return isPingRequest(value);
    case "tools/call":
      return isCallToolRequest(value);
    case "tools/list":
    case "prompts/list":
    case "resources/list":
    case "resources/templates/list":
    case "tasks/list":
      return isPaged(value);
    case "resources/read":
    case "resources/subscribe":
    case "resources/unsubscribe":
      return hasUri(value);
    case "tasks/get":
    case "tasks/result":
    case "tasks/cancel":
      return ofTask(value);
    case "logging/setLevel":
      return (
        isEnvelope(value) &&
        isParams(value.params) &&
        levels.has(value.params.level)
      );
    case "prompts/get":
      return isGetPromptRequest(value);
    default:
      return false;
  }
}

function isMaybeAnnotations(value) {
  if (value === undefined) return true;
  if (!isObject(value) || !isMaybeString(value.lastModified)) return false;
  const { priority, audience } = value;
  if (
    priority !== undefined &&
    !(Number.isFinite(priority) && priority >= 0 && priority <= 1)
  )
    return false;
  if (audience === undefined) return true;
  if (!Array.isArray(audience)) return false;
  for (let i = 0; i < audience.length; i++)
    if (audience[i] !== "user" && audience[i] !== "assistant") return false;
  return true;
}

function areMaybeIcons(value) {
  if (value === undefined) return true;
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) {
    const icon = value[i];
    if (
      !isObject(icon) ||
      typeof icon.src !== "string" ||
      !isMaybeString(icon.mimeType)
    )
      return false;
    if (icon.sizes !== undefined && !areStrings(icon.sizes)) return false;
    if (
      icon.theme !== undefined &&
      icon.theme !== "light" &&
      icon.theme !== "dark"
    )
      return false;
  }
  return true;
}

function isContents(value) {
  return (
    isObject(value) &&
    typeof value.uri === "string" &&
    (typeof value.text === "string" || typeof value.blob === "string") &&
    isMaybeString(value.mimeType) &&
    isMaybeObject(value._meta)
  );
}

function isBlock(value) {
  if (
    !isObject(value) ||
    !isMaybeObject(value._meta) ||
    !isMaybeAnnotations(value.annotations)
  )
    return false;
  switch (value.type) {
    case "text":
      return typeof value.text === "string";
    case "image":
    case "audio":
      return (
        typeof value.data === "string" && typeof value.mimeType === "string"
      );
    case "resource_link":
      return (
        typeof value.name === "string" &&
        typeof value.uri === "string" &&
        isMaybeString(value.title) &&
        isMaybeString(value.description) &&
        isMaybeString(value.mimeType) &&
        (value.size === undefined || Number.isInteger(value.size)) &&
        areMaybeIcons(value.icons)
      );
    case "resource":
      return isContents(value.resource);
    default:
      return false;
  }
}

function isCallToolResult(value) {
  if (!isObject(value)) return false;
  const content = value.content;
  if (!Array.isArray(content)) return false;
  for (let i = 0; i < content.length; i++)
    if (!isBlock(content[i])) return false;
  return (
    isMaybeBoolean(value.isError) &&
    isMaybeObject(value.structuredContent) &&
    isMaybeObject(value._meta)
  );
}

function isSchemaOfObject(value) {
  if (
    !isObject(value) ||
    value.type !== "object" ||
    !isMaybeString(value.$schema)
  )
    return false;
  const { properties, required } = value;
  if (required !== undefined && !areStrings(required)) return false;
  if (properties === undefined) return true;
  if (!isObject(properties)) return false;
  for (const key in properties) if (!isObject(properties[key])) return false;
  return true;
}

function isMaybeToolAnnotations(value) {
  if (value === undefined) return true;
  return (
    isObject(value) &&
    isMaybeString(value.title) &&
    isMaybeBoolean(value.readOnlyHint) &&
    isMaybeBoolean(value.destructiveHint) &&
    isMaybeBoolean(value.idempotentHint) &&
    isMaybeBoolean(value.openWorldHint)
  );
}

const supports = new Set([undefined, "forbidden", "optional", "required"]);

function isTool(value) {
  if (
    !isObject(value) ||
    typeof value.name !== "string" ||
    !isSchemaOfObject(value.inputSchema)
  )
    return false;
  if (!isMaybeString(value.title) || !isMaybeString(value.description))
    return false;
  if (!areMaybeIcons(value.icons) || !isMaybeToolAnnotations(value.annotations))
    return false;
  const { execution, outputSchema } = value;
  if (outputSchema !== undefined && !isSchemaOfObject(outputSchema))
    return false;
  if (
    execution !== undefined &&
    !(isObject(execution) && supports.has(execution.taskSupport))
  )
    return false;
  return isMaybeObject(value._meta);
}

function isListToolsResult(value) {
  if (!isObject(value) || !Array.isArray(value.tools)) return false;
  for (let i = 0; i < value.tools.length; i++)
    if (!isTool(value.tools[i])) return false;
  return isMaybeString(value.nextCursor) && isMaybeObject(value._meta);
}

export async function byHand() {
  return new Map(
    Object.entries({
      PingRequest: isPingRequest,
      CallToolRequest: isCallToolRequest,
      ClientRequest: isClientRequest,
      CallToolResult: isCallToolResult,
      ListToolsResult: isListToolsResult,
    }),
  );
}
