/*
 * A revision that nobody has released, of the kind that opens with metadata on every request: methods with a capability of
 * their own, a question of a new kind, a content block of a new kind, a notification with a filter of its own, renamed
 * types, and reserved keys under a prefix of its own.
 */

/* Messages */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

export const LATEST_PROTOCOL_VERSION = "lantern-2";
export const JSONRPC_VERSION = "2.0";

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;
/** Nothing grows there. */
export const BARREN = -32040;

export type RequestId = string | number;
export type ProgressToken = string | number;
export type Cursor = string;

export type Json = string | number | boolean | null | JsonMap | Json[];
export interface JsonMap {
  [key: string]: Json;
}

export interface RequestMeta {
  progressToken?: ProgressToken;
  "dev.lantern/protocolVersion": string;
  "dev.lantern/clientInfo"?: Implementation;
  "dev.lantern/clientCapabilities": ClientCapabilities;
  [key: string]: unknown;
}

export interface ResultMeta {
  "dev.lantern/serverInfo"?: Implementation;
  [key: string]: unknown;
}

export interface NotificationMeta {
  "dev.lantern/subscriptionId"?: RequestId;
  [key: string]: unknown;
}

export interface RequestParams {
  _meta: RequestMeta;
}

export interface NotificationParams {
  _meta?: NotificationMeta;
}

export interface Request {
  method: string;
  params?: { [key: string]: any };
}

export interface Notification {
  method: string;
  params?: { [key: string]: any };
}

export type ResultType = "complete" | "input_required" | string;

export interface Result {
  _meta?: ResultMeta;
  resultType: ResultType;
  [key: string]: unknown;
}

export interface CacheableResult extends Result {
  /** @minimum 0 */
  ttlMs: number;
  cacheScope: "public" | "private";
}

export interface Error {
  code: number;
  message: string;
  data?: unknown;
}

export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

export interface JSONRPCResultResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
  result: Result;
}

export interface JSONRPCErrorResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id?: RequestId;
  error: Error;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export type EmptyResult = Result;

/* Opening */
export interface Implementation {
  name: string;
  version: string;
}

export interface ClientCapabilities {
  /** The client can look at the sky. */
  sky?: {
    /** By night, too. */
    stars?: object;
  };
}

export interface ServerCapabilities {
  tools?: { listChanged?: boolean };
  /** The server has a garden. */
  garden?: {
    listChanged?: boolean;
    /** What has grown can be taken. */
    harvest?: object;
  };
}

export interface DiscoverRequest extends JSONRPCRequest {
  method: "server/discover";
  params: RequestParams;
}

export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string;
}

export interface DiscoverResultResponse extends JSONRPCResultResponse {
  result: DiscoverResult;
}

/* Asking for input */
export type InputRequest = SkyLookRequest;
export type InputResponse = SkyLookResult;

export interface InputRequests {
  [key: string]: InputRequest;
}

export interface InputResponses {
  [key: string]: InputResponse;
}

export interface InputRequiredResult extends Result {
  inputRequests?: InputRequests;
  requestState?: string;
}

export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}

export type Direction = "north" | "east" | "south" | "west";

/** Asks the client what the sky looks like. */
export interface SkyLookRequest {
  method: "sky/look";
  params: { towards: Direction };
}

export interface SkyLookResult {
  clouds: number;
  /** @maxItems 2 */
  birds?: string[];
}

/* While a request is under way */
export interface CancelledNotificationParams extends NotificationParams {
  requestId: RequestId;
  reason?: string;
}

export interface CancelledNotification extends JSONRPCNotification {
  method: "notifications/cancelled";
  params: CancelledNotificationParams;
}

export interface ProgressNotificationParams extends NotificationParams {
  progressToken: ProgressToken;
  progress: number;
  total?: number;
  message?: string;
}

export interface ProgressNotification extends JSONRPCNotification {
  method: "notifications/progress";
  params: ProgressNotificationParams;
}

/* Subscriptions */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  gardenListChanged?: boolean;
}

export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

export interface SubscriptionsListenRequest extends JSONRPCRequest {
  method: "subscriptions/listen";
  params: SubscriptionsListenRequestParams;
}

export interface SubscriptionsListenResult extends Result {
  _meta: ResultMeta & { "dev.lantern/subscriptionId": RequestId };
}

export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  notifications: SubscriptionFilter;
}

export interface SubscriptionsAcknowledgedNotification extends JSONRPCNotification {
  method: "notifications/subscriptions/acknowledged";
  params: SubscriptionsAcknowledgedNotificationParams;
}

/* Tools */
export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

export interface ListToolsRequest extends JSONRPCRequest {
  method: "tools/list";
  params: PaginatedRequestParams;
}

export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Instrument[];
}

/** What other revisions call `Tool`. */
export interface Instrument {
  name: string;
  inputSchema: { type: "object"; [key: string]: unknown };
}

export interface CallToolRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: JsonMap;
}

export interface CallToolRequest extends JSONRPCRequest {
  method: "tools/call";
  params: CallToolRequestParams;
}

export interface CallToolResult extends Result {
  content: Piece[];
  isError?: boolean;
}

export interface CallToolResultResponse extends JSONRPCResultResponse {
  result: CallToolResult | InputRequiredResult;
}

/** What other revisions call `ContentBlock`. */
export type Piece = TextContent | ScentContent;

export interface TextContent {
  type: "text";
  text: string;
}

/** Something to smell. */
export interface ScentContent {
  type: "scent";
  notes: string[];
}

/* The garden */
export interface ListGardenBedsRequest extends JSONRPCRequest {
  method: "garden/beds/list";
  params: PaginatedRequestParams;
}

export interface ListGardenBedsResult extends PaginatedResult, CacheableResult {
  beds: Bed[];
}

export interface Bed {
  name: string;
  facing: Direction;
}

export interface GardenHarvestRequestParams extends InputResponseRequestParams {
  bed: string;
  /** @TJS-type integer */
  basketsAtMost?: number;
}

/** Takes from a bed what has grown there. */
export interface GardenHarvestRequest extends JSONRPCRequest {
  method: "garden/harvest";
  params: GardenHarvestRequestParams;
}

export interface GardenHarvestResult extends Result {
  baskets: { of: string; weight: number | null }[];
}

export interface GardenHarvestResultResponse extends JSONRPCResultResponse {
  result: GardenHarvestResult | InputRequiredResult;
}

export interface GardenListChangedNotification extends JSONRPCNotification {
  method: "notifications/garden/list_changed";
  params?: NotificationParams;
}

export interface ToolListChangedNotification extends JSONRPCNotification {
  method: "notifications/tools/list_changed";
  params?: NotificationParams;
}

/* Who says what */
export type ClientRequest =
  | DiscoverRequest
  | SubscriptionsListenRequest
  | ListToolsRequest
  | CallToolRequest
  | ListGardenBedsRequest
  | GardenHarvestRequest;

export type ClientNotification = CancelledNotification;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | SubscriptionsAcknowledgedNotification
  | ToolListChangedNotification
  | GardenListChangedNotification;
