import type { Fill, HeaderJob, Job, MetaJob, Opening } from "./model.js";

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

/** The named unions of results: whoever answers with a result received the request. */
export const resultUnions: readonly ResultUnionFact[] = [
  { union: "ServerResult", sender: "client" },
  { union: "ClientResult", sender: "server" },
];

export interface ResultUnionFact {
  readonly union: string;
  /** Who sent the requests that these results answer. */
  readonly sender: "client" | "server";
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

/** The method that opens a connection in revisions that open with a handshake. */
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

/** The HTTP header of each job, for revisions that open this way and have the marker type. */
export const headers: readonly HeaderFact[] = [
  // Streamable HTTP and its sessions came with the batch types and outlived them beside the tool annotations.
  { job: "session", name: "Mcp-Session-Id", opening: "initialize", marker: "ToolAnnotations" },
  // The version header came with the common base of everything that has a name and a title.
  { job: "version", name: "MCP-Protocol-Version", opening: "initialize", marker: "BaseMetadata" },
  { job: "version", name: "MCP-Protocol-Version", opening: "per-request", marker: null },
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

/** A type that only revisions without any of these headers have: there, their absence is no guess. */
export const headerless = "Annotated";

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

/** Aliases whose numbers are whole: the prose says so, the types cannot. */
export const integers: readonly string[] = ["RequestId", "ProgressToken"];

/** What a request's params hold beside their own members, and the result that this allows. */
export const answers: readonly AnswerFact[] = [
  // A request that carries a task is answered with the task; no union lists it.
  { member: "task", type: "TaskMetadata", result: "CreateTaskResult" },
];

export interface AnswerFact {
  readonly member: string;
  readonly type: string;
  readonly result: string;
}

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
  cursor: "cursor",
  nextCursor: "nextCursor",
  /** Both together make a result cacheable. */
  cacheable: ["ttlMs", "cacheScope"],
  notificationPrefix: "notifications/",
} as const;
