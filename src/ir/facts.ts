import type { ErrorName, Fill, HeaderJob, Job, MetaJob, Opening } from "./model.js";

/**
 * What the schema does not say: rows by rule or by name, never by date. A row that no bundled revision uses fails a
 * test, so this file cannot grow beyond what the protocol needs. Nothing outside it names a wire method.
 */

/** The named unions that tell who sends what. */
export const unions: readonly UnionFact[] = [
  { union: "ClientRequest", kind: "request", sender: "client", carriage: "wire" },
  { union: "ServerRequest", kind: "request", sender: "server", carriage: "wire" },
  { union: "InputRequest", kind: "request", sender: "server", carriage: "embedded" },
  { union: "ClientNotification", kind: "notification", sender: "client", carriage: "wire" },
  { union: "ServerNotification", kind: "notification", sender: "server", carriage: "wire" },
];

export interface UnionFact {
  readonly union: string;
  readonly kind: "request" | "notification";
  readonly sender: "client" | "server";
  readonly carriage: "wire" | "embedded";
}

/** The declarations that hold each side's capabilities. */
export const capabilityTypes: Readonly<Record<"client" | "server", string>> = {
  client: "ClientCapabilities",
  server: "ServerCapabilities",
};

/** Where the general rule on capabilities (see `capability.ts`) fails; a path that the revision lacks counts for nothing. */
export const capabilities: readonly CapabilityFact[] = [
  { method: "completion/complete", of: "receiver", path: "completions" },
  { method: "resources/unsubscribe", of: "receiver", path: "resources.subscribe" },
  { method: "notifications/message", of: "sender", path: "logging" },
  { method: "notifications/resources/updated", of: "sender", path: "resources.subscribe" },
  { method: "notifications/elicitation/complete", of: "receiver", path: "elicitation.url" },
];

export interface CapabilityFact {
  readonly method: string;
  readonly of: "sender" | "receiver";
  readonly path: string;
}

/** Capabilities that depend on a request's params; a path that the revision lacks counts for nothing. */
export const conditions: readonly ConditionFact[] = [
  {
    method: "elicitation/create",
    member: "mode",
    values: ["form", null],
    path: "elicitation.form",
    implied: true,
  },
  { method: "elicitation/create", member: "mode", values: ["url"], path: "elicitation.url", implied: false },
  { method: "sampling/createMessage", member: "tools", values: null, path: "sampling.tools", implied: false },
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

export interface ConditionFact {
  readonly method: string;
  readonly member: string;
  readonly values: readonly (string | null)[] | null;
  readonly path: string;
  readonly implied: boolean;
}

/** Where the general rule on listen filters (`<family>ListChanged`) fails, and whose notices go by subject. */
export const subjects: readonly SubjectFact[] = [
  { method: "notifications/resources/updated", filter: "resourceSubscriptions", subject: "uri" },
];

export interface SubjectFact {
  readonly method: string;
  readonly filter: string;
  /** The member of the params that says what changed. */
  readonly subject: string;
}

/** Wire methods by the job they have for a session engine. */
export const jobs: readonly JobFact[] = [
  { job: "initialize", method: "initialize" },
  { job: "initialized", method: "notifications/initialized" },
  { job: "discover", method: "server/discover" },
  { job: "ping", method: "ping" },
  { job: "cancelled", method: "notifications/cancelled" },
  { job: "progress", method: "notifications/progress" },
  { job: "log", method: "notifications/message" },
  { job: "setLevel", method: "logging/setLevel" },
  { job: "listen", method: "subscriptions/listen" },
  { job: "acknowledged", method: "notifications/subscriptions/acknowledged" },
  { job: "subscribe", method: "resources/subscribe" },
  { job: "unsubscribe", method: "resources/unsubscribe" },
  { job: "listTools", method: "tools/list" },
  { job: "callTool", method: "tools/call" },
  { job: "listResources", method: "resources/list" },
  { job: "listTemplates", method: "resources/templates/list" },
  { job: "readResource", method: "resources/read" },
  { job: "listPrompts", method: "prompts/list" },
  { job: "getPrompt", method: "prompts/get" },
  { job: "complete", method: "completion/complete" },
  { job: "getTask", method: "tasks/get" },
  { job: "taskResult", method: "tasks/result" },
  { job: "cancelTask", method: "tasks/cancel" },
  { job: "listTasks", method: "tasks/list" },
  { job: "updateTask", method: "tasks/update" },
  { job: "taskStatus", method: "notifications/tasks/status" },
  { job: "taskStatus", method: "notifications/tasks" },
];

export interface JobFact {
  readonly job: Job;
  readonly method: string;
}

/** Reserved `_meta` keys: the key whose name, prefix aside, is the job's. */
export const metaJobs: readonly MetaJob[] = [
  "progressToken",
  "protocolVersion",
  "clientInfo",
  "clientCapabilities",
  "logLevel",
  "serverInfo",
  "subscriptionId",
];

/** Reserved `_meta` keys that only prose names, for revisions that have the type of what they hold. */
export const metaKeys: readonly MetaKeyFact[] = [
  { job: "relatedTask", key: "io.modelcontextprotocol/related-task", marker: "RelatedTaskMetadata" },
];

export interface MetaKeyFact {
  readonly job: MetaJob;
  readonly key: string;
  readonly marker: string;
}

/** The HTTP header of each job, for revisions that open this way and have the marker type. In the order of the jobs. */
export const headers: readonly HeaderFact[] = [
  // The version header came with the common base of everything that has a name and a title.
  { job: "version", name: "MCP-Protocol-Version", opening: "initialize", marker: "BaseMetadata" },
  { job: "version", name: "MCP-Protocol-Version", opening: "per-request", marker: null },
  // Streamable HTTP and its sessions came with the batch types and outlived them beside the tool annotations.
  { job: "session", name: "Mcp-Session-Id", opening: "initialize", marker: "ToolAnnotations" },
  // With Streamable HTTP came the resumption of a stream after its last event.
  { job: "resume", name: "Last-Event-ID", opening: "initialize", marker: "ToolAnnotations" },
  { job: "method", name: "Mcp-Method", opening: "per-request", marker: null },
  { job: "name", name: "Mcp-Name", opening: "per-request", marker: null },
  { job: "param", name: "Mcp-Param-", opening: "per-request", marker: null },
];

export interface HeaderFact {
  readonly job: HeaderJob;
  readonly name: string;
  readonly opening: Opening;
  /** A type that no revision older than the header has; null when the opening alone decides. */
  readonly marker: string | null;
}

/** Where a server begins each HTTP stream with an event id, so that a client may come back for any answer. */
export const primedStreams: StreamFact = { opening: "initialize", marker: "Icons" };

export interface StreamFact {
  readonly opening: Opening;
  /** A type that no revision older than the rule has. */
  readonly marker: string;
}

/** A type that only revisions without any of these headers have: there, their absence is no guess. */
export const headerless = "Annotated";

/** JSON-RPC's own code for params that are wrong: the answer to a name that nobody knows. */
export const invalidParams = -32602;

/** The codes of errors that only prose tells, for revisions that open this way and have the job's method. */
export const errors: readonly ErrorFact[] = [
  { name: "RESOURCE_NOT_FOUND", code: -32002, opening: "initialize", job: "readResource" },
  // Where requests stand alone, a resource that is not there is a matter of the params.
  { name: "RESOURCE_NOT_FOUND", code: invalidParams, opening: "per-request", job: "readResource" },
];

export interface ErrorFact {
  readonly name: ErrorName;
  readonly code: number;
  readonly opening: Opening;
  readonly job: Job;
}

/**
 * Codes that a revision forbids or gives no meaning, and what an author's error with one is sent as; a code that the revision
 * defines is sent as it is.
 */
export const replacedCodes: readonly ReplacedCodes[] = [
  { from: -32002, to: -32002, opening: "per-request", becomes: invalidParams },
  { from: -32099, to: -32020, opening: "per-request", becomes: -32603 },
  // Codes of newer revisions alone.
  { from: -32042, to: -32042, opening: "initialize", becomes: -32603 },
  { from: -32022, to: -32020, opening: "initialize", becomes: -32603 },
];

export interface ReplacedCodes {
  readonly from: number;
  readonly to: number;
  readonly opening: Opening;
  readonly becomes: number;
}

/** The member that tells blocks of content apart. */
export const blockTag = "type";

/**
 * What is sent in place of a block that a revision lacks: the first row whose own block it has. `{member}` stands for a member
 * of the block that is replaced. Without a row the block is left out of its list; where there is no list, its message is refused.
 */
export const replacements: readonly Replacement[] = [
  {
    kind: "audio",
    as: {
      type: "resource",
      resource: { uri: "data:{mimeType},", mimeType: "{mimeType}", blob: "{data}" },
      annotations: "{annotations}",
    },
  },
  { kind: "audio", as: { type: "text", text: "[audio: {mimeType}]", annotations: "{annotations}" } },
  { kind: "resource_link", as: { type: "text", text: "{name}: {uri}", annotations: "{annotations}" } },
];

export interface Replacement {
  readonly kind: string;
  readonly as: { readonly type: string; readonly [member: string]: unknown };
}

/** The constant in which the schema of an extension says how both sides declare it. */
export const extensionId = "EXTENSION_IDENTIFIER";

/** Members of the params that name what a request is about, in the order in which the "name" header looks for them. */
export const headerMembers: readonly string[] = ["name", "uri", "taskId"];

/** Required members that the engine fills; each counts only where the revision has it. */
export const fills: readonly Fill[] = [
  { place: "result", member: "resultType", value: "complete" },
  { place: "result", member: "ttlMs", value: 0 },
  { place: "result", member: "cacheScope", value: "private" },
  { place: "result", member: "_meta", value: null },
  { place: "params", member: "_meta", value: null },
];

/** What text in the items of a list in a result begins with, where only the prose says so. */
export const prefixes: readonly PrefixFact[] = [
  { method: "roots/list", list: "roots", member: "uri", prefix: "file://" },
];

export interface PrefixFact {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly list: string;
  readonly member: string;
  readonly prefix: string;
}

/** The results with which a client declines without an error. */
export const declines: readonly DeclineFact[] = [
  { method: "roots/list", result: { roots: [] } },
  { method: "elicitation/create", result: { action: "decline" } },
];

export interface DeclineFact {
  readonly method: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Aliases whose numbers are whole: the prose says so, the types cannot. */
export const integers: readonly string[] = ["RequestId", "ProgressToken"];

/** A member of the params that asks for another kind of answer. */
export const answers: readonly AnswerFact[] = [
  // A request that carries a task is answered with the task; no union lists it.
  { member: "task", type: "TaskMetadata", result: "CreateTaskResult", under: "tasks.requests" },
];

export interface AnswerFact {
  readonly member: string;
  readonly type: string;
  readonly result: string;
  /** Where the capabilities tell, method by method, who may be asked so: `tasks.requests.tools.call`. */
  readonly under: string;
}

/** Severities of log messages, the least severe first (RFC 5424); a JSON Schema lists them by the alphabet. */
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

/** The members of the base types that say more than a member should, and names that other names are built from. */
export const names = {
  /** Any message: an array among its members means that the revision speaks batches. */
  message: "JSONRPCMessage",
  /** The result of a request that has none of its own. */
  emptyResult: "EmptyResult",
  /** The result that asks the client for input. */
  inputResult: "InputRequiredResult",
  /** The member of the params that carries the answers back. */
  inputResponses: "inputResponses",
  /** The capability under which both sides declare extensions. */
  extensions: "extensions",
  /** Tells the kinds of answer to one request apart. */
  resultType: "resultType",
  cursor: "cursor",
  nextCursor: "nextCursor",
  /** Both together make a result cacheable. */
  cacheable: ["ttlMs", "cacheScope"],
  notificationPrefix: "notifications/",
  /** What a listen request asks for. */
  filter: "SubscriptionFilter",
  /** How a program introduces itself. */
  implementation: "Implementation",
  /** The severities of log messages, the least severe first. */
  levels: "LoggingLevel",
  /** The answer that carries an error, by its names over time. */
  errorResponses: ["JSONRPCErrorResponse", "JSONRPCError"] as readonly string[],
  /** The members that say what went wrong. */
  error: "error",
  code: "code",
  data: "data",
  /** What all messages of a kind have in common. */
  request: "Request",
  notification: "Notification",
  meta: "_meta",
  capabilities: "capabilities",
} as const;
