/**
 * The runtime of generated clients and servers, without engines and without
 * transports other than the one in memory.
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
} from "./core/errors.js";
export type * from "./core/tables.js";
export type { Reporting } from "./core/report.js";
export type { Ask, HeaderPolicy, Renewal } from "./core/ports/transport.js";
export type {
  Auth,
  MessageInfo,
  Receiver,
  SendOptions,
  Transport,
} from "./core/ports/transport.js";
export type { RequestId } from "./core/message.js";
export { memoryPair } from "./core/transport/memory.js";
export type { Progress, RequestOptions } from "./core/jsonrpc/calls.js";
export type {
  ClientLimits,
  Limits,
  ServerLimits,
} from "./core/jsonrpc/limits.js";
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
  RevisionCache,
  ServerQuestions,
  ServerSettings,
  ServerSide,
  Settings,
} from "./core/session/config.js";
export type {
  Observation,
  Observe,
  ObservedRequest,
  Observer,
  Observing,
  RequestOutcome,
} from "./core/ports/observe.js";
export { observer } from "./core/session/observer.js";
export { elicitationRules, toolUseRules } from "./core/session/form.js";
export type { Awaitable } from "../common/timing.js";
// For clients:
export {
  type ClientQuestionsDefinition,
  type ClientSideDefinition,
  defineClientQuestions,
  defineClientSide,
} from "./core/session/define-client.js";
export { type CacheOptions, responseCache } from "./core/session/cache.js";
export { type ClientSession, openClient } from "./core/role/client.js";
export {
  type ClientChoice,
  negotiate,
  type NegotiateOptions,
} from "./core/role/client.js";
export type { ListOptions } from "./core/session/client-side.js";
// For servers:
export {
  defineServerQuestions,
  defineServerSide,
  type ServerQuestionsDefinition,
  type ServerSideDefinition,
} from "./core/session/side.js";
export { failedTool } from "./core/session/server-context.js";
export { convertBlocks } from "./core/session/outgoing.js";
export type { Feature, ForContext, Provided } from "./core/ports/feature.js";
export {
  type Announcements,
  defineServer,
  defineServers,
  type ServerDefinition,
} from "./core/role/server.js";
export { checkUri } from "./core/session/uri.js";
export { serve, type Serving } from "./core/role/serve.js";
