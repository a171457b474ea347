/**
 * The runtime of generated clients and servers, without engines and without transports other than the one in memory.
 * @module
 */
export {
  InputPending,
  isInputPending,
  isMcpError,
  isSessionError,
  isTimeoutError,
  isToolError,
  isTransportError,
  isValidationError,
  type Issue,
  McpError,
  ScopeError,
  TokenError,
  SessionError,
  type SessionErrorReason,
  TimeoutError,
  ToolError,
  TransportError,
  ValidationError,
} from "./errors.js";
export type * from "./tables.js";
export type { Reporting } from "./report.js";
export type { Ask, HeaderPolicy, Renewal } from "./transport/headers.js";
export type { Auth, MessageInfo, Receiver, SendOptions, Transport } from "./transport/transport.js";
export type { RequestId } from "./message.js";
export { memoryPair } from "./transport/memory.js";
export type { Progress } from "./jsonrpc/calls.js";
export type { ClientLimits, Limits, ServerLimits } from "./jsonrpc/limits.js";
export type {
  AskOptions,
  ClientContext,
  ClientQuestions,
  ClientSettings,
  ClientSide,
  HandlerContext,
  Identity,
  ListeningOptions,
  ResponseCache,
  ServerQuestions,
  ServerSettings,
  ServerSide,
  Settings,
} from "./session/config.js";
export type {
  Observation,
  Observe,
  ObservedRequest,
  Observer,
  Observing,
  RequestOutcome,
} from "./jsonrpc/observe.js";
export { observer } from "./session/observer.js";
export { elicitationRules, toolUseRules } from "./session/rules.js";
export type { Awaitable } from "../shared/timing.js";
export type { RequestOptions } from "./jsonrpc/calls.js";
// For clients:
export {
  type ClientQuestionsDefinition,
  type ClientSideDefinition,
  defineClientQuestions,
  defineClientSide,
} from "./session/define-client.js";
export { type CacheOptions, responseCache } from "./session/cache.js";
export { type ClientSession, type ListOptions, openClient } from "./role/client.js";
export { type ClientChoice, negotiate, type NegotiateOptions, type RevisionCache } from "./role/negotiate.js";
// For servers:
export {
  defineServerQuestions,
  defineServerSide,
  type ServerQuestionsDefinition,
  type ServerSideDefinition,
} from "./session/define-server.js";
export { failedTool } from "./role/failed-tool.js";
export type { Feature, ForContext, Provided } from "./role/config.js";
export { type Announcements, defineServer, defineServers, type ServerDefinition } from "./role/server.js";
export { checkUri } from "./session/uri.js";
export { serve, type Serving } from "./role/serve.js";
