import type {
  Condition,
  EngineDefault,
  ErrorName,
  Message,
  Prefix,
  RequestMessage,
  Side,
  WellKnownMetaKey,
} from "./model.js";

/**
 * What the prose of the specification says about all revisions, and no schema
 * says. Rows apply by rule or by name, never by date; what belongs to one
 * revision is in its `facts.json`. A test fails for a row that no bundled
 * revision uses. No other file of `src/` names a wire method.
 */

/** A row with names of methods, types and members. */
type Row<Column extends string> = Readonly<Record<Column, string>>;

/** The named unions that list the messages of each side. */
export const unions: readonly (Row<"union"> &
  Pick<RequestMessage, "carriage"> &
  Pick<Message, "kind"> & { readonly sender: Side })[] = [
  {
    union: "ClientRequest",
    kind: "request",
    sender: "client",
    carriage: "wire",
  },
  {
    union: "ServerRequest",
    kind: "request",
    sender: "server",
    carriage: "wire",
  },
  {
    union: "InputRequest",
    kind: "request",
    sender: "server",
    carriage: "embedded",
  },
  {
    union: "ClientNotification",
    kind: "notification",
    sender: "client",
    carriage: "wire",
  },
  {
    union: "ServerNotification",
    kind: "notification",
    sender: "server",
    carriage: "wire",
  },
];

/** The declarations that hold each side's capabilities. */
export const capabilityTypes: Readonly<Record<Side, string>> = {
  client: "ClientCapabilities",
  server: "ServerCapabilities",
};

/**
 * Exceptions from the general rule on capabilities (see `capability.ts`). A row
 * is ignored if the revision lacks its path.
 */
export const capabilities: readonly (Row<"method" | "path"> & {
  readonly of: "sender" | "receiver";
})[] = [
  { method: "completion/complete", of: "receiver", path: "completions" },
  {
    method: "resources/unsubscribe",
    of: "receiver",
    path: "resources.subscribe",
  },
  { method: "notifications/message", of: "sender", path: "logging" },
  {
    method: "notifications/resources/updated",
    of: "sender",
    path: "resources.subscribe",
  },
  {
    method: "notifications/elicitation/complete",
    of: "receiver",
    path: "elicitation.url",
  },
];

/**
 * Capabilities that depend on a request's params. A row is ignored if the
 * revision lacks its path.
 */
export const conditions: readonly (Row<"method" | "path"> &
  Pick<Condition, "member" | "values" | "implied">)[] = [
  {
    method: "elicitation/create",
    member: "mode",
    values: ["form", null],
    path: "elicitation.form",
    implied: true,
  },
  {
    method: "elicitation/create",
    member: "mode",
    values: ["url"],
    path: "elicitation.url",
    implied: false,
  },
  {
    method: "sampling/createMessage",
    member: "tools",
    values: null,
    path: "sampling.tools",
    implied: false,
  },
  {
    method: "sampling/createMessage",
    member: "toolChoice",
    values: null,
    path: "sampling.tools",
    implied: false,
  },
  {
    method: "sampling/createMessage",
    member: "includeContext",
    values: ["thisServer", "allServers"],
    path: "sampling.context",
    implied: false,
  },
];

/**
 * Exceptions from the general rule on listen filters (`<family>ListChanged`),
 * for notifications about one subject: the member of the params that identifies
 * what changed.
 */
export const subjects: readonly Row<"method" | "filter" | "subject">[] = [
  {
    method: "notifications/resources/updated",
    filter: "resourceSubscriptions",
    subject: "uri",
  },
];

/** The method, the type and the role of messages. */
const messageRows = [
  ["initialize", "InitializeRequest", "initialize"],
  ["notifications/initialized", "InitializedNotification", "initialized"],
  ["server/discover", "DiscoverRequest", "discover"],
  ["ping", "PingRequest", "ping"],
  ["notifications/cancelled", "CancelledNotification", "cancelled"],
  ["notifications/progress", "ProgressNotification", "progress"],
  ["notifications/message", "LoggingMessageNotification", "log"],
  ["logging/setLevel", "SetLevelRequest", "setLevel"],
  ["subscriptions/listen", "SubscriptionsListenRequest", "listen"],
  [
    "notifications/subscriptions/acknowledged",
    "SubscriptionsAcknowledgedNotification",
    "acknowledged",
  ],
  ["resources/subscribe", "SubscribeRequest", "subscribe"],
  ["resources/unsubscribe", "UnsubscribeRequest", "unsubscribe"],
  ["tools/list", "ListToolsRequest", "listTools"],
  ["tools/call", "CallToolRequest", "callTool"],
  ["resources/list", "ListResourcesRequest", "listResources"],
  ["resources/templates/list", "ListResourceTemplatesRequest", "listTemplates"],
  ["resources/read", "ReadResourceRequest", "readResource"],
  ["prompts/list", "ListPromptsRequest", "listPrompts"],
  ["prompts/get", "GetPromptRequest", "getPrompt"],
  ["completion/complete", "CompleteRequest", "complete"],
  ["tasks/get", "GetTaskRequest", "getTask"],
  ["tasks/result", "GetTaskPayloadRequest", "taskResult"],
  ["tasks/cancel", "CancelTaskRequest", "cancelTask"],
  ["tasks/list", "ListTasksRequest", "listTasks"],
  ["tasks/update", "UpdateTaskRequest", "updateTask"],
  ["notifications/tasks/status", "TaskStatusNotification", "taskStatus"],
  ["notifications/tasks", "TaskStatusNotification", "taskStatus"],
  ["skills/list", "ListSkillsRequest", "listSkills"],
  ["skills/get", "GetSkillRequest", "getSkill"],
  ["resources/directory/read", "ReadResourceDirectoryRequest", "readDirectory"],
  ["elicitation/create", "ElicitRequest"],
  ["notifications/elicitation/complete", "ElicitationCompleteNotification"],
  ["notifications/resources/updated", "ResourceUpdatedNotification"],
  ["roots/list", "ListRootsRequest"],
  ["sampling/createMessage", "CreateMessageRequest"],
] as const;

/** A role in which a session engine uses a method. */
export type WellKnownMethod = Extract<
  (typeof messageRows)[number],
  readonly [string, string, string]
>[2];

/**
 * The messages that other rows name or that a session engine uses. By its type,
 * a message with another method is recognized.
 */
export const messages: readonly (Row<"method" | "type"> & {
  readonly role?: WellKnownMethod | undefined;
})[] = messageRows.map(([method, type, role]) => ({ method, type, role }));

/** Reserved `_meta` keys. Without its prefix, a key is equal to its role. */
export const wellKnownMetaKeys: readonly WellKnownMetaKey[] = [
  "progressToken",
  "protocolVersion",
  "clientInfo",
  "clientCapabilities",
  "logLevel",
  "serverInfo",
  "subscriptionId",
];

/**
 * Reserved `_meta` keys that only the prose names, for revisions that declare
 * the marker type.
 */
export const metaKeys: readonly (Row<"key" | "marker"> & {
  readonly role: WellKnownMetaKey;
})[] = [
  {
    role: "relatedTask",
    key: "io.modelcontextprotocol/related-task",
    marker: "RelatedTaskMetadata",
  },
];

/**
 * Error codes that only the prose defines, by name. A revision has a code only
 * if it has this method.
 */
export const errorMethods: Readonly<Record<ErrorName, WellKnownMethod>> = {
  RESOURCE_NOT_FOUND: "readResource",
};

/** The member that distinguishes the kinds of content blocks. */
export const blockTag = "type";

/**
 * What replaces a content block that a revision lacks: the first row whose
 * replacement the revision has. `{member}` is replaced by that member of the
 * original block. Without a row, the block is removed from its list; if it is
 * not in a list, the message is rejected.
 */
export const replacements: readonly (Row<"kind"> & {
  readonly as: Row<"type"> & { readonly [member: string]: unknown };
})[] = [
  {
    kind: "audio",
    as: {
      type: "resource",
      resource: {
        uri: "data:{mimeType},",
        mimeType: "{mimeType}",
        blob: "{data}",
      },
      annotations: "{annotations}",
    },
  },
  {
    kind: "audio",
    as: {
      type: "text",
      text: "[audio: {mimeType}]",
      annotations: "{annotations}",
    },
  },
  {
    kind: "resource_link",
    as: { type: "text", text: "{name}: {uri}", annotations: "{annotations}" },
  },
];

/**
 * What replaces a list where a revision lacks it and has the other lists:
 * these, and the member of the items that each of them holds.
 */
export const replacedLists: readonly (Row<"list"> & {
  readonly as: Row<string>;
})[] = [{ list: "oneOf", as: { enum: "const", enumNames: "title" } }];

/**
 * The constant in the schema of an extension with the id under which it is
 * declared.
 */
export const extensionId = "EXTENSION_IDENTIFIER";

/**
 * Extensions by a type that each declares. A schema without an id that declares
 * the marker type is a schema of the extension. With a role, the runtime has
 * functions that declare the extension, also in a revision that declares the
 * types itself.
 */
export const wellKnownExtensions: readonly (Row<"id" | "marker"> & {
  readonly role?: "ui" | "skills";
})[] = [
  {
    role: "ui",
    id: "io.modelcontextprotocol/ui",
    marker: "McpUiClientCapabilities",
  },
  {
    role: "skills",
    id: "io.modelcontextprotocol/skills",
    marker: "SkillsServerCapability",
  },
  { id: "io.modelcontextprotocol/tasks", marker: "TasksExtensionCapability" },
];

/**
 * The requests with the "name" header, and the member of their params that it
 * repeats.
 */
export const headerMembers: readonly Row<"method" | "member">[] = [
  { method: "tools/call", member: "name" },
  { method: "resources/read", member: "uri" },
  { method: "prompts/get", member: "name" },
  { method: "tasks/get", member: "taskId" },
  { method: "tasks/update", member: "taskId" },
  { method: "tasks/cancel", member: "taskId" },
];

/** Tags in the schema of an extension that say what its types cannot. */
export const extensionTags = {
  /** On a member of the params: the "name" header repeats it. */
  header: "mcpName",
  /** On the id: the side that declares the extension. Without it, both do. */
  declaredBy: "declaredBy",
} as const;

/**
 * Required members for which the engine supplies a default; each row applies if
 * the revision has the member.
 */
export const engineDefaults: readonly EngineDefault[] = [
  { object: "result", member: "resultType", value: "complete" },
  { object: "result", member: "ttlMs", value: 0 },
  { object: "result", member: "cacheScope", value: "private" },
  { object: "result", member: "_meta", value: null },
  { object: "params", member: "_meta", value: null },
];

/**
 * Prefixes of text in the items of a list in a result that only the prose
 * requires.
 */
export const prefixes: readonly (Row<"method"> & Prefix)[] = [
  { method: "roots/list", list: "roots", member: "uri", prefix: "file://" },
];

/**
 * Requests of a server with rules that only the prose defines, and the constant
 * of the runtime that checks them. A row is ignored if the revision lacks the
 * marker type.
 */
export const requestRules: readonly Row<"method" | "rules" | "marker">[] = [
  {
    method: "elicitation/create",
    rules: "elicitationRules",
    marker: "ElicitResult",
  },
  {
    method: "sampling/createMessage",
    rules: "toolUseRules",
    marker: "ToolUseContent",
  },
];

/** The results with which a client declines a request without an error. */
export const declines: readonly (Row<"method"> & {
  readonly result: Readonly<Record<string, unknown>>;
})[] = [
  { method: "roots/list", result: { roots: [] } },
  { method: "elicitation/create", result: { action: "decline" } },
];

/** Aliases whose numbers are integers: only the prose says so. */
export const integers: readonly string[] = ["RequestId", "ProgressToken"];

/** A row of `selectedResults`. */
export type SelectedResult = Row<"member" | "type" | "result" | "under">;

/**
 * Members of the params that select another kind of result. `under` is the
 * capability path under which the receiver declares each method that allows it:
 * `tasks.requests.tools.call`.
 */
export const selectedResults: readonly SelectedResult[] = [
  // The result of a request with a task is the task. No union lists that
  // result.
  {
    member: "task",
    type: "TaskMetadata",
    result: "CreateTaskResult",
    under: "tasks.requests",
  },
];

/**
 * Log levels, the least severe first (RFC 5424); a JSON Schema lists them
 * alphabetically.
 */
export const severities: readonly string[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Names of types and members with a special meaning, and parts of names. */
export const names = {
  /**
   * Any message. An array among its members means that the revision supports
   * batches.
   */
  message: "JSONRPCMessage",
  /** The result of a request that declares no result of its own. */
  emptyResult: "EmptyResult",
  /** The result that requests input from the client. */
  inputResult: "InputRequiredResult",
  /** The member of the params that carries the input responses. */
  inputResponses: "inputResponses",
  /** The capability under which extensions are declared. */
  extensions: "extensions",
  /** Distinguishes the kinds of result of one request. */
  resultType: "resultType",
  cursor: "cursor",
  nextCursor: "nextCursor",
  /** A result with both members is cacheable. */
  cacheable: ["ttlMs", "cacheScope"],
  notificationPrefix: "notifications/",
  /** The filter of a listen request. */
  filter: "SubscriptionFilter",
  /** The name and version of a client or server. */
  implementation: "Implementation",
  /** Log levels, the least severe first. */
  levels: "LoggingLevel",
  /** The error response; its name differs between revisions. */
  errorResponses: ["JSONRPCErrorResponse", "JSONRPCError"] as readonly string[],
  /** The members of an error. */
  error: "error",
  code: "code",
  data: "data",
  /** The base types of all requests and notifications. */
  request: "Request",
  notification: "Notification",
  meta: "_meta",
  capabilities: "capabilities",
} as const;
