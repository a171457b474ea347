// The Model Context Protocol, revision 2026-07-28: every message, member and constant it defines.
// The declarations are those of the specification. The comments are our own; where they are silent
// or unclear, the specification at modelcontextprotocol.io is authoritative.

// JSON values

/**
 * Any JSON value, including `null`.
 *
 * @category Common Types
 */
export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;

/**
 * A JSON object: string keys, any JSON values.
 *
 * @category Common Types
 */
export type JSONObject = { [key: string]: JSONValue };

/**
 * A JSON array. Its elements may have different types.
 *
 * @category Common Types
 */
export type JSONArray = JSONValue[];

// Messages and shared types

/**
 * A JSON-RPC message: a line on stdio, the body of a POST request or the data of an SSE event.
 *
 * @category JSON-RPC
 */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/**
 * The revision that this file describes, as sent in `_meta` of every request.
 *
 * @internal
 */
export const LATEST_PROTOCOL_VERSION = "2026-07-28";
/**
 * The JSON-RPC version: the value of `jsonrpc` in every message.
 *
 * @internal
 */
export const JSONRPC_VERSION = "2.0";

/**
 * Metadata, by key. A key is a name with an optional reverse-DNS prefix (`com.example/trace`). The protocol
 * reserves prefixes with `modelcontextprotocol` or `mcp` as the second label.
 *
 * @category Common Types
 */
export type MetaObject = Record<string, unknown>;

/**
 * Metadata of a request: its revision, and the client that sends it with its capabilities.
 *
 * @category Common Types
 */
export interface RequestMetaObject extends MetaObject {
  /** Requests progress notifications that carry this token. The server may send none. */
  progressToken?: ProgressToken;
  /**
   * Revision of this request. Over HTTP, it must equal the `MCP-Protocol-Version` header; otherwise the
   * status is 400. A revision that the server does not support results in error -32022.
   */
  "io.modelcontextprotocol/protocolVersion": string;
  /**
   * Name and version of the client program, for logs and display. Recommended. It is not verified, so do not
   * base decisions on it.
   */
  "io.modelcontextprotocol/clientInfo"?: Implementation;
  /**
   * Capabilities of the client for this request; `{}` means no optional ones. Those of earlier requests do
   * not apply.
   */
  "io.modelcontextprotocol/clientCapabilities": ClientCapabilities;
  /**
   * Minimum severity of the log messages to send for this request. If absent, the server sends none.
   *
   * @deprecated Since 2026-07-28; write to stderr or use OpenTelemetry instead.
   */
  "io.modelcontextprotocol/logLevel"?: LoggingLevel;
}

/**
 * Metadata of a notification, including the subscription that delivers it, if any.
 *
 * @category Common Types
 */
export interface NotificationMetaObject extends MetaObject {
  /**
   * The id of the `subscriptions/listen` request whose stream delivers this notification. Present in all
   * notifications of such a stream and in no others.
   */
  "io.modelcontextprotocol/subscriptionId"?: RequestId;
}

/**
 * Metadata of a result, including the program that produced it.
 *
 * @category Common Types
 */
export interface ResultMetaObject extends MetaObject {
  /**
   * Name and version of the server program, for logs and display. Recommended. It is not verified, so do not
   * base decisions on it.
   */
  "io.modelcontextprotocol/serverInfo"?: Implementation;
}

/**
 * Identifies a request in its progress notifications. The sender of the request chooses it, unique among its
 * active requests. A number must be an integer.
 *
 * @category Common Types
 */
export type ProgressToken = string | number;

/**
 * Marks a position in a paginated list. Clients send it back unchanged and do not parse it. The empty string
 * is also a valid cursor.
 *
 * @category Common Types
 */
export type Cursor = string;

/**
 * Parameters that every request has.
 *
 * @category Common Types
 */
export interface RequestParams {
  /**
   * Revision, capabilities and other metadata of the request. A missing required key results in error -32602.
   */
  _meta: RequestMetaObject;
}

/**
 * The members of every request. `params` allows any member; `RequestParams` has the known ones.
 *
 * @internal
 */
export interface Request {
  /** Name of the method to call, such as `tools/call`. */
  method: string;
  /** Parameters of the method. Any member is allowed; each request type narrows them. */
  params?: { [key: string]: any };
}

/**
 * Parameters that every notification may have.
 *
 * @category Common Types
 */
export interface NotificationParams {
  /** Metadata of the notification, including the subscription that delivers it, if any. */
  _meta?: NotificationMetaObject;
}

/**
 * The members of every notification. `params` allows any member; `NotificationParams` has the known ones.
 *
 * @internal
 */
export interface Notification {
  /** Name of the notification, such as `notifications/progress`. */
  method: string;
  /** Parameters of the notification. Any member is allowed; each notification type narrows them. */
  params?: { [key: string]: any };
}

/**
 * The type of a result: `complete` for the result of the method, `input_required` for an
 * `InputRequiredResult`. Negotiated extensions add values, such as `task`. Any other value makes the result
 * invalid.
 *
 * @category Common Types
 */
export type ResultType = "complete" | "input_required" | string;

/**
 * Base of all results: the type, `_meta` and the members that the method defines.
 *
 * @category Common Types
 */
export interface Result {
  /** Metadata of the result, such as the server that produced it. */
  _meta?: ResultMetaObject;
  /**
   * The type of the result. Servers of this revision always send it. If an older server omits it, assume
   * `complete`.
   */
  resultType: ResultType;
  /** Members that the method, an extension or the sender defines. */
  [key: string]: unknown;
}

/**
 * The `error` of a failed request. Not JavaScript's global `Error`.
 *
 * @category Errors
 */
export interface Error {
  /** The kind of error, an integer. The error constants of this file are the known codes. */
  code: number;
  /** One short sentence that explains the error to people. */
  message: string;
  /** Details of the error. Their type depends on `code`. */
  data?: unknown;
}

/**
 * Identifies a request and its response. A number must be an integer. An id is never null and may be reused
 * after its response.
 *
 * @category Common Types
 */
export type RequestId = string | number;

/**
 * A message that requires a response. In this revision, only clients send requests.
 *
 * @category JSON-RPC
 */
export interface JSONRPCRequest extends Request {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Chosen by the client, unique among its pending requests. The response has the same `id`. */
  id: RequestId;
}

/**
 * A message without `id`. It has no response, not even an error.
 *
 * @category JSON-RPC
 */
export interface JSONRPCNotification extends Notification {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
}

/**
 * The response to a successful request.
 *
 * @category JSON-RPC
 */
export interface JSONRPCResultResponse {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** The `id` of the request, unchanged. */
  id: RequestId;
  /** The result. Its type depends on the `method` of the request. */
  result: Result;
}

/**
 * The response to a failed request, or to data that is not a readable request.
 *
 * @category JSON-RPC
 */
export interface JSONRPCErrorResponse {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** The `id` of the failed request. Absent only if it could not be read. */
  id?: RequestId;
  /** The error: a code, a message and optional details. */
  error: Error;
}

/**
 * The response to a request: a result or an error, never both.
 *
 * @category JSON-RPC
 */
export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

// Error codes

/** The received bytes are not valid JSON. */
export const PARSE_ERROR = -32700;
/** The message is JSON but not a well-formed JSON-RPC request. */
export const INVALID_REQUEST = -32600;
/**
 * The server does not implement the method or did not declare the capability that it requires. The HTTP
 * status is 404.
 */
export const METHOD_NOT_FOUND = -32601;
/**
 * The parameters do not fit the method: an unknown tool or resource, an expired cursor, `_meta` without a
 * required key.
 */
export const INVALID_PARAMS = -32602;
/** The receiver failed for an internal reason. */
export const INTERNAL_ERROR = -32603;

/**
 * Error for bytes that are not valid JSON. The response has no `id`, because it could not be read.
 *
 * @category Errors
 */
export interface ParseError extends Error {
  /** Always -32700. */
  code: typeof PARSE_ERROR;
}

/**
 * Error for JSON that is not a valid request: a missing `method`, a null `id`, a wrong `jsonrpc`.
 *
 * @category Errors
 */
export interface InvalidRequestError extends Error {
  /** Always -32600. */
  code: typeof INVALID_REQUEST;
}

/**
 * Error for a method that the server does not implement or did not declare. A missing client capability has
 * its own code, -32021.
 *
 * @category Errors
 */
export interface MethodNotFoundError extends Error {
  /** Always -32601. */
  code: typeof METHOD_NOT_FOUND;
}

/**
 * Error for invalid parameters: an unknown tool or prompt, a missing argument, an invalid cursor or log
 * level.
 *
 * @category Errors
 */
export interface InvalidParamsError extends Error {
  /** Always -32602. */
  code: typeof INVALID_PARAMS;
}

/**
 * Error for an internal failure of the receiver, which the sender could not avoid.
 *
 * @category Errors
 */
export interface InternalError extends Error {
  /** Always -32603. */
  code: typeof INTERNAL_ERROR;
}

/**
 * HTTP only: a required header is missing, malformed or contradicts the body. The HTTP status is 400.
 *
 * @category Errors
 */
export const HEADER_MISMATCH = -32020;
/**
 * The request requires a capability that the client did not declare in this request. The HTTP status is 400.
 *
 * @category Errors
 */
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;
/**
 * The server does not support the revision of the request. The HTTP status is 400.
 *
 * @category Errors
 */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/**
 * Rejects an HTTP request whose headers and body differ. The client corrects the headers and retries.
 *
 * @category Errors
 */
export interface HeaderMismatchError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error. The type of its `data` is not specified. */
  error: Error & {
    /** Always -32020. */
    code: typeof HEADER_MISMATCH;
  };
}

/**
 * Rejects an unsupported revision and lists the supported ones, so that the client can retry with one of
 * them.
 *
 * @category Errors
 */
export interface UnsupportedProtocolVersionError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error, with the supported and the requested revisions in `data`. */
  error: Error & {
    /** Always -32022. */
    code: typeof UNSUPPORTED_PROTOCOL_VERSION;
    /** The supported and the requested revisions. */
    data: {
      /** Revisions that the server supports. */
      supported: string[];
      /** Revision of the rejected request. */
      requested: string;
    };
  };
}

/**
 * Rejects a request whose client does not support a required capability or did not declare it in this
 * request.
 *
 * @category Errors
 */
export interface MissingRequiredClientCapabilityError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error, with the missing capabilities in `data`. */
  error: Error & {
    /** Always -32021. */
    code: typeof MISSING_REQUIRED_CLIENT_CAPABILITY;
    /** The capabilities that the client must declare. */
    data: {
      /** The required capabilities, in the form in which a client declares them. */
      requiredCapabilities: ClientCapabilities;
    };
  };
}

// Empty result

/**
 * Acknowledges a successful request that has nothing to return except `resultType`.
 *
 * @category Common Types
 */
export type EmptyResult = Result;

// Input for a request

/**
 * A request for input that a server makes while it processes a request of the client. It has no `id`; its key
 * in the map identifies it.
 *
 * @internal
 */
export type InputRequest = CreateMessageRequest | ListRootsRequest | ElicitRequest;

/**
 * The result of an `InputRequest`. Its type depends on the `method` of the input request.
 *
 * @internal
 */
export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;

/**
 * Input requests to the client, by keys that the server chooses.
 *
 * @category Multi Round-Trip
 */
export interface InputRequests {
  /** An input request. Its response has the same key. */
  [key: string]: InputRequest;
}

/**
 * The client's responses, by the keys of the input requests.
 *
 * @category Multi Round-Trip
 */
export interface InputResponses {
  /** The response to the input request with this key. */
  [key: string]: InputResponse;
}

/**
 * The server requires input to complete the request. The client gathers the input and sends the same request
 * again, with a new id. Has `inputRequests`, `requestState` or both. Only `tools/call`, `prompts/get` and
 * `resources/read` return it.
 *
 * @category Multi Round-Trip
 */
export interface InputRequiredResult extends Result {
  /**
   * The input that the client must provide, all of it, when it sends the request again. If absent, the client
   * sends the request again without input.
   */
  inputRequests?: InputRequests;
  /** State of the server for this request. Clients send it back byte for byte and do not interpret it. */
  requestState?: string;
}

/**
 * Parameters of a request that the server may answer with `input_required`. The client sets them when it
 * sends the request again.
 */
export interface InputResponseRequestParams extends RequestParams {
  /** The response to each of the previous `inputRequests`, by key. Absent in the first request. */
  inputResponses?: InputResponses;
  /**
   * The previous `requestState`, unchanged. Absent if there was none. Servers must treat it as untrusted
   * input.
   */
  requestState?: string;
}

// Cancellation

/**
 * The request to cancel and the reason.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotificationParams extends NotificationParams {
  /**
   * The `id` of the pending request of the client to cancel. A server may cancel only a
   * `subscriptions/listen` request.
   */
  requestId: RequestId;
  /** The reason, for logs or the user. Programs do not interpret it. */
  reason?: string;
}

/**
 * Cancels a request of the client on stdio. Over HTTP, the client closes the response stream instead. A
 * server sends it only to end a `subscriptions/listen` stream.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotification extends JSONRPCNotification {
  /** Method name. Sent by the client, or by the server for a `subscriptions/listen` stream. */
  method: "notifications/cancelled";
  /** The request to cancel and the reason. */
  params: CancelledNotificationParams;
}

// Discovery

/**
 * Gets the revisions and capabilities of the server. Every server supports it; a client need not call it.
 *
 * @category `server/discover`
 */
export interface DiscoverRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `DiscoverResult`. */
  method: "server/discover";
  /** Only `_meta`. */
  params: RequestParams;
}

/**
 * The revisions, capabilities and instructions of a server. May be cached for `ttlMs`.
 *
 * @category `server/discover`
 */
export interface DiscoverResult extends CacheableResult {
  /** Revisions that the server supports. Use one of them for each later request. */
  supportedVersions: string[];
  /** Features that this server supports. Methods of other features are not available. */
  capabilities: ServerCapabilities;
  /**
   * Advice on using this server, written for a model; a host may put it into the system prompt. It should not
   * repeat the tool descriptions.
   */
  instructions?: string;
}

/**
 * The complete response to `server/discover`.
 *
 * @category `server/discover`
 */
export interface DiscoverResultResponse extends JSONRPCResultResponse {
  /** The revisions, capabilities and instructions of the server. */
  result: DiscoverResult;
}

/**
 * Features that a client supports for one request. A member that is present declares its feature; unknown
 * members are allowed.
 *
 * @category `server/discover`
 */
export interface ClientCapabilities {
  /** Experimental features outside the protocol, by name. The objects are their settings. */
  experimental?: { [key: string]: JSONObject };
  /**
   * The client supports `roots/list` input requests. The object is empty.
   *
   * @deprecated Since 2026-07-28; pass directories as tool arguments instead.
   */
  roots?: {};
  /**
   * The client supports `sampling/createMessage` input requests, which run a model.
   *
   * @deprecated Since 2026-07-28; call a model provider's API directly instead.
   */
  sampling?: {
    /** The client supports `includeContext`. Without it, servers send only `none` or omit the member. */
    context?: JSONObject;
    /** The client supports `tools` and `toolChoice`. Without it, servers must not send them. */
    tools?: JSONObject;
  };
  /** The client supports `elicitation/create`. An empty object means form mode only. */
  elicitation?: {
    /** The client can show a form that a schema describes. */
    form?: JSONObject;
    /** The client can open a URL with the user's consent. */
    url?: JSONObject;
  };
  /**
   * Extensions that the client supports, by identifier (`vendor.prefix/name`; the prefix is required), with
   * their settings. `{}` means no settings.
   */
  extensions?: { [key: string]: JSONObject };
}

/**
 * Features that a server supports. A member that is present declares its feature; unknown members are
 * allowed.
 *
 * @category `server/discover`
 */
export interface ServerCapabilities {
  /** Experimental features outside the protocol, by name. The objects are their settings. */
  experimental?: { [key: string]: JSONObject };
  /**
   * The server sends `notifications/message` for requests that set a log level.
   *
   * @deprecated Since 2026-07-28; write to stderr or use OpenTelemetry instead.
   */
  logging?: JSONObject;
  /** The server supports `completion/complete`. */
  completions?: JSONObject;
  /** The server supports `prompts/list` and `prompts/get`. */
  prompts?: {
    /** The server supports `promptsListChanged` in `subscriptions/listen`. Default: false. */
    listChanged?: boolean;
  };
  /** The server supports `resources/list`, `resources/templates/list` and `resources/read`. */
  resources?: {
    /** The server supports `resourceSubscriptions` in `subscriptions/listen`. Default: false. */
    subscribe?: boolean;
    /** The server supports `resourcesListChanged` in `subscriptions/listen`. Default: false. */
    listChanged?: boolean;
  };
  /** The server supports `tools/list` and `tools/call`. */
  tools?: {
    /** The server supports `toolsListChanged` in `subscriptions/listen`. Default: false. */
    listChanged?: boolean;
  };
  /**
   * Extensions that the server supports, by identifier (`vendor.prefix/name`; the prefix is required), with
   * their settings. `{}` means no settings.
   */
  extensions?: { [key: string]: JSONObject };
}

/**
 * An icon of a tool, prompt, resource or program, in one format and optionally for one theme.
 *
 * @category Common Types
 */
export interface Icon {
  /**
   * URI of the image: an `https:` or `http:` URL, or a `data:` URI with the image in base64. Fetch it without
   * credentials and only from a trusted host; an SVG image can contain scripts.
   *
   * @format uri
   */
  src: string;
  /** MIME type of the image, for example `image/png`, if `src` does not determine it. */
  mimeType?: string;
  /** Sizes that suit the icon in pixels, such as `48x48`, or `any` for a vector image. Default: all sizes. */
  sizes?: string[];
  /** Background that suits the icon: light or dark. Default: both. */
  theme?: "light" | "dark";
}

/**
 * Base of types that have icons.
 *
 * @internal
 */
export interface Icons {
  /**
   * The icon in several sizes, formats or themes. Show the one that fits. A client that shows icons supports
   * at least PNG and JPEG.
   */
  icons?: Icon[];
}

/**
 * Base of types that have a name for programs and a display name for people.
 *
 * @internal
 */
export interface BaseMetadata {
  /** Identifier for programs. Also the display name if there is no other. */
  name: string;
  /** Display name. If absent, show `annotations.title` for a tool that has it; otherwise, show `name`. */
  title?: string;
}

/**
 * Identifies a client or server program by name and version.
 *
 * @category `server/discover`
 */
export interface Implementation extends BaseMetadata, Icons {
  /** Version of the program, in its own numbering; unrelated to protocol revisions. */
  version: string;
  /** Describes the program to people. */
  description?: string;
  /**
   * Home page of the program.
   *
   * @format uri
   */
  websiteUrl?: string;
}

// Progress

/**
 * The request and its progress.
 *
 * @category `notifications/progress`
 */
export interface ProgressNotificationParams extends NotificationParams {
  /** The token in `_meta` of the request. */
  progressToken: ProgressToken;
  /**
   * The amount done so far, in any unit; may be a fraction. Each notification has a greater value.
   *
   * @TJS-type number
   */
  progress: number;
  /**
   * The value of `progress` at completion, if known.
   *
   * @TJS-type number
   */
  total?: number;
  /** Short text for people about the current work. */
  message?: string;
}

/**
 * Reports the progress of a request on its response stream. Sent only for requests with a progress token.
 *
 * @category `notifications/progress`
 */
export interface ProgressNotification extends JSONRPCNotification {
  /** Method name. Sent by the server. */
  method: "notifications/progress";
  /** The request and its progress. */
  params: ProgressNotificationParams;
}

// Pagination

/**
 * Parameters of the list requests.
 *
 * @category Common Types
 */
export interface PaginatedRequestParams extends RequestParams {
  /** The `nextCursor` of the previous page. If absent, the first page is returned. */
  cursor?: Cursor;
}

/**
 * Base of the list requests, which are paginated.
 *
 * @internal
 */
export interface PaginatedRequest extends JSONRPCRequest {
  /** The page to get, and the `_meta` that all requests require. */
  params: PaginatedRequestParams;
}

/**
 * Base of the list results, each of which is one page.
 *
 * @internal
 */
export interface PaginatedResult extends Result {
  /** The `cursor` of the next page. If absent, this page is the last. */
  nextCursor?: Cursor;
}

// Caching

/**
 * Base of the results that a client may cache and reuse for the same method and parameters.
 *
 * @internal
 */
export interface CacheableResult extends Result {
  /**
   * Milliseconds from receipt during which the result is fresh. 0 means that each use requires a new request.
   *
   * @minimum 0
   */
  ttlMs: number;
  /**
   * Who may reuse the result: everyone, including proxies (`public`), or only requests with the same
   * credentials (`private`). All pages of a list have the same value.
   */
  cacheScope: "public" | "private";
}

// Resources

/**
 * Lists the resources of the server that have a fixed URI. Paginated.
 *
 * @category `resources/list`
 */
export interface ListResourcesRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListResourcesResult`. */
  method: "resources/list";
}

/**
 * One page of resources. Each page is cached separately.
 *
 * @category `resources/list`
 */
export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  /** The resources on this page. The server may be able to read others too. */
  resources: Resource[];
}

/**
 * The complete response to `resources/list`.
 *
 * @category `resources/list`
 */
export interface ListResourcesResultResponse extends JSONRPCResultResponse {
  /** One page of resources. */
  result: ListResourcesResult;
}

/**
 * Lists the URI templates of the server's resources. Paginated.
 *
 * @category `resources/templates/list`
 */
export interface ListResourceTemplatesRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListResourceTemplatesResult`. */
  method: "resources/templates/list";
}

/**
 * One page of resource templates. Each page is cached separately.
 *
 * @category `resources/templates/list`
 */
export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  /** The templates on this page. */
  resourceTemplates: ResourceTemplate[];
}

/**
 * The complete response to `resources/templates/list`.
 *
 * @category `resources/templates/list`
 */
export interface ListResourceTemplatesResultResponse extends JSONRPCResultResponse {
  /** One page of resource templates. */
  result: ListResourceTemplatesResult;
}

/**
 * Base of the parameters of requests for one resource.
 *
 * @internal
 */
export interface ResourceRequestParams extends RequestParams {
  /**
   * URI of the resource, in any scheme that the server supports.
   *
   * @format uri
   */
  uri: string;
}

/**
 * The resource to read and, when the request is sent again, the requested input.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequestParams extends ResourceRequestParams, InputResponseRequestParams {}

/**
 * Reads a resource by its URI, which is listed or expanded from a template.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `ReadResourceResult` or `InputRequiredResult`. */
  method: "resources/read";
  /** The resource to read. */
  params: ReadResourceRequestParams;
}

/**
 * The current contents of a resource. Cacheable, unless the request required input.
 *
 * @category `resources/read`
 */
export interface ReadResourceResult extends CacheableResult {
  /**
   * The parts of the resource, each text or base64. A directory, for example, has one part per file. For a
   * resource that does not exist, the server returns error -32602, not an empty array.
   */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/**
 * The complete response to `resources/read`.
 *
 * @category `resources/read`
 */
export interface ReadResourceResultResponse extends JSONRPCResultResponse {
  /** The contents or a request for input, distinguished by `resultType`. */
  result: ReadResourceResult | InputRequiredResult;
}

/**
 * Reports that the list of resources has changed. Sent only to subscribers.
 *
 * @category `notifications/resources/list_changed`
 */
export interface ResourceListChangedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server on `subscriptions/listen` streams with `resourcesListChanged`. */
  method: "notifications/resources/list_changed";
  /** Only `_meta`, with the id of the subscription. */
  params?: NotificationParams;
}

/**
 * The changes that a client subscribes to. The server sends only the notifications that are enabled here.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionFilter {
  /** Whether to send `notifications/tools/list_changed`. Default: false. */
  toolsListChanged?: boolean;
  /** Whether to send `notifications/prompts/list_changed`. Default: false. */
  promptsListChanged?: boolean;
  /** Whether to send `notifications/resources/list_changed`. Default: false. */
  resourcesListChanged?: boolean;
  /**
   * URIs of the resources for which to send `notifications/resources/updated`. Replaces
   * `resources/subscribe`.
   */
  resourceSubscriptions?: string[];
}

/**
 * The notifications to send on the new stream.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenRequestParams extends RequestParams {
  /** The notifications to send on the stream. */
  notifications: SubscriptionFilter;
}

/**
 * Opens a stream of change notifications. The id of the request identifies the subscription. A client may
 * open several. The client ends it by closing the HTTP stream or, on stdio, with
 * `notifications/cancelled`.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `SubscriptionsListenResult` when the stream ends. */
  method: "subscriptions/listen";
  /** The notifications to send on the stream. */
  params: SubscriptionsListenRequestParams;
}

/**
 * Metadata of the result that ends a stream, including the id of its subscription.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenResultMetaObject extends ResultMetaObject {
  /** The id of the `subscriptions/listen` request, which is also the id of this response. */
  "io.modelcontextprotocol/subscriptionId": RequestId;
}

/**
 * Ends a stream that the server closes. A stream that breaks off has no result.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenResult extends Result {
  /** Required, because it contains the id of the subscription that ends. */
  _meta: SubscriptionsListenResultMetaObject;
}

/**
 * The complete response to `subscriptions/listen`, sent when the server closes the stream.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenResultResponse extends JSONRPCResultResponse {
  /** The result that ends the stream. */
  result: SubscriptionsListenResult;
}

/**
 * The notifications that the server sends on a stream.
 *
 * @category `notifications/subscriptions/acknowledged`
 */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  /** The part of the filter that the server supports. The server sends no other notifications. */
  notifications: SubscriptionFilter;
}

/**
 * Confirms a subscription. It is the first message of that subscription; on stdio, messages of others may
 * precede it.
 *
 * @category `notifications/subscriptions/acknowledged`
 */
export interface SubscriptionsAcknowledgedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server once per `subscriptions/listen` stream. */
  method: "notifications/subscriptions/acknowledged";
  /** The notifications that the server sends on the stream. */
  params: SubscriptionsAcknowledgedNotificationParams;
}

/**
 * The resource that changed.
 *
 * @category `notifications/resources/updated`
 */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  /**
   * URI of the resource that changed: the subscribed resource or one inside it.
   *
   * @format uri
   */
  uri: string;
}

/**
 * Reports that a resource has changed. Read it again for its new contents. Sent only to subscribers to its
 * URI.
 *
 * @category `notifications/resources/updated`
 */
export interface ResourceUpdatedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server on `subscriptions/listen` streams with `resourceSubscriptions`. */
  method: "notifications/resources/updated";
  /** The resource that changed. */
  params: ResourceUpdatedNotificationParams;
}

/**
 * A resource in a list: its URI and description, without its contents.
 *
 * @category `resources/list`
 */
export interface Resource extends BaseMetadata, Icons {
  /**
   * URI of the resource, for `resources/read`.
   *
   * @format uri
   */
  uri: string;
  /** Describes the contents to a model, so that it can decide whether to read them. */
  description?: string;
  /** MIME type of the contents, if the server knows it. */
  mimeType?: string;
  /** Hints for the host: the audience and the importance. */
  annotations?: Annotations;
  /**
   * Size of the contents in bytes, before base64 encoding, if the server knows it. Hosts use it to decide
   * what to load.
   */
  size?: number;
  /** Metadata of the resource, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * A URI pattern of resources that the server can read. Replace its variables to get the URI of a resource.
 *
 * @category `resources/templates/list`
 */
export interface ResourceTemplate extends BaseMetadata, Icons {
  /**
   * URI template in RFC 6570 syntax, for example `file:///{path}`.
   *
   * @format uri-template
   */
  uriTemplate: string;
  /** Describes the resources to a model, so that it can decide when to use one. */
  description?: string;
  /** MIME type of the contents. Present only if it is the same for all resources of the template. */
  mimeType?: string;
  /** Hints for the host: the audience and the importance of the resources. */
  annotations?: Annotations;
  /** Metadata of the template, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * Base of the contents of a resource or of a part of it. `text` or `blob` has the contents.
 *
 * @internal
 */
export interface ResourceContents {
  /**
   * URI of this part, which may be below the requested URI.
   *
   * @format uri
   */
  uri: string;
  /** MIME type of this part, if the server knows it. */
  mimeType?: string;
  /** Metadata of this part, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * Text contents.
 *
 * @category Content
 */
export interface TextResourceContents extends ResourceContents {
  /** The text. Only text contents have this member. */
  text: string;
}

/**
 * Binary contents.
 *
 * @category Content
 */
export interface BlobResourceContents extends ResourceContents {
  /**
   * The bytes in base64. Only binary contents have this member.
   *
   * @format byte
   */
  blob: string;
}

// Prompts

/**
 * Lists the prompts of the server. Paginated.
 *
 * @category `prompts/list`
 */
export interface ListPromptsRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListPromptsResult`. */
  method: "prompts/list";
}

/**
 * One page of prompts. Each page is cached separately.
 *
 * @category `prompts/list`
 */
export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  /** The prompts on this page, with the arguments they take. */
  prompts: Prompt[];
}

/**
 * The complete response to `prompts/list`.
 *
 * @category `prompts/list`
 */
export interface ListPromptsResultResponse extends JSONRPCResultResponse {
  /** One page of prompts. */
  result: ListPromptsResult;
}

/**
 * The prompt, its arguments and, when the request is sent again, the requested input.
 *
 * @category `prompts/get`
 */
export interface GetPromptRequestParams extends InputResponseRequestParams {
  /** Name of a prompt from `prompts/list`. */
  name: string;
  /** Arguments of the prompt, by name. All values are strings. */
  arguments?: { [key: string]: string };
}

/**
 * Gets the messages of a prompt, usually one that the user selected.
 *
 * @category `prompts/get`
 */
export interface GetPromptRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `GetPromptResult` or `InputRequiredResult`. */
  method: "prompts/get";
  /** The prompt and its arguments. */
  params: GetPromptRequestParams;
}

/**
 * The messages of a prompt, ready to start a conversation.
 *
 * @category `prompts/get`
 */
export interface GetPromptResult extends Result {
  /** Describes the prompt to people. */
  description?: string;
  /** The messages, in order. */
  messages: PromptMessage[];
}

/**
 * The complete response to `prompts/get`.
 *
 * @category `prompts/get`
 */
export interface GetPromptResultResponse extends JSONRPCResultResponse {
  /** The prompt or a request for input, distinguished by `resultType`. */
  result: GetPromptResult | InputRequiredResult;
}

/**
 * A prompt in a list: its description and arguments, without its messages.
 *
 * @category `prompts/list`
 */
export interface Prompt extends BaseMetadata, Icons {
  /** Describes the prompt to people. */
  description?: string;
  /** Arguments of the prompt. Default: none. */
  arguments?: PromptArgument[];
  /** Metadata of the prompt, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * An argument of a prompt. Its value is a string.
 *
 * @category `prompts/list`
 */
export interface PromptArgument extends BaseMetadata {
  /** Describes the argument to people. */
  description?: string;
  /** If true, `prompts/get` fails without this argument. Default: false. */
  required?: boolean;
}

/**
 * A role in a conversation: the user or the model.
 *
 * @category Common Types
 */
export type Role = "user" | "assistant";

/**
 * A message of a prompt. Unlike a sampling message, it may link to resources or embed them.
 *
 * @category `prompts/get`
 */
export interface PromptMessage {
  /** Role of the author of the message. */
  role: Role;
  /** Content of the message: one block of any type. */
  content: ContentBlock;
}

/**
 * A link to a resource, which can be read with `resources/read`. The resource need not be in the result of
 * `resources/list`.
 *
 * @category Content
 */
export interface ResourceLink extends Resource {
  /** Identifies a resource link. */
  type: "resource_link";
}

/**
 * A resource embedded in a message, with its contents. The host decides how to show it.
 *
 * @category Content
 */
export interface EmbeddedResource {
  /** Identifies an embedded resource. */
  type: "resource";
  /** The contents of the resource, with `text` or `blob`. */
  resource: TextResourceContents | BlobResourceContents;
  /** Hints for the host: the audience and the importance. */
  annotations?: Annotations;
  /** Metadata of the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * Reports that the list of prompts has changed. Sent only to subscribers.
 *
 * @category `notifications/prompts/list_changed`
 */
export interface PromptListChangedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server on `subscriptions/listen` streams with `promptsListChanged`. */
  method: "notifications/prompts/list_changed";
  /** Only `_meta`, with the id of the subscription. */
  params?: NotificationParams;
}

// Tools

/**
 * Lists the tools of the server. Paginated.
 *
 * @category `tools/list`
 */
export interface ListToolsRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListToolsResult`. */
  method: "tools/list";
}

/**
 * One page of tools. Each page is cached separately.
 *
 * @category `tools/list`
 */
export interface ListToolsResult extends PaginatedResult, CacheableResult {
  /** The tools on this page, with their schemas. */
  tools: Tool[];
}

/**
 * The complete response to `tools/list`.
 *
 * @category `tools/list`
 */
export interface ListToolsResultResponse extends JSONRPCResultResponse {
  /** One page of tools. */
  result: ListToolsResult;
}

/**
 * The result of a tool call. A tool that fails returns a result with `isError`, so that the model can see the
 * reason. A call of an unknown tool gets an error response instead.
 *
 * @category `tools/call`
 */
export interface CallToolResult extends Result {
  /**
   * Content for the model, as ordered blocks. May be empty. If `structuredContent` is present, a text block
   * should contain the same JSON for clients that read only blocks.
   */
  content: ContentBlock[];
  /**
   * The result as any JSON value, for programs. If the tool has an `outputSchema`, a successful result has
   * this member, and the value is valid for the schema.
   */
  structuredContent?: unknown;
  /** True if the tool ran and failed; `content` explains why. Default: false. */
  isError?: boolean;
}

/**
 * The complete response to `tools/call`.
 *
 * @category `tools/call`
 */
export interface CallToolResultResponse extends JSONRPCResultResponse {
  /** The tool's result or a request for input, distinguished by `resultType`. */
  result: CallToolResult | InputRequiredResult;
}

/**
 * The tool, its arguments and, when the request is sent again, the requested input.
 *
 * @category `tools/call`
 */
export interface CallToolRequestParams extends InputResponseRequestParams {
  /** Name of a tool from `tools/list`, case-sensitive. */
  name: string;
  /** Arguments of the tool, by name, valid for its `inputSchema`. Default: none. */
  arguments?: { [key: string]: unknown };
}

/**
 * Calls a tool, usually because a model selected it.
 *
 * @category `tools/call`
 */
export interface CallToolRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `CallToolResult` or `InputRequiredResult`. */
  method: "tools/call";
  /** The tool and its arguments. */
  params: CallToolRequestParams;
}

/**
 * Reports that the list of tools has changed. Sent only to subscribers.
 *
 * @category `notifications/tools/list_changed`
 */
export interface ToolListChangedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server on `subscriptions/listen` streams with `toolsListChanged`. */
  method: "notifications/tools/list_changed";
  /** Only `_meta`, with the id of the subscription. */
  params?: NotificationParams;
}

/**
 * Hints of the server about the behaviour of its tool. Clients may show them, but must not base permissions
 * on them unless they trust the server.
 *
 * @category `tools/list`
 */
export interface ToolAnnotations {
  /** Display name, to show if the tool has no `title`. */
  title?: string;
  /** The tool only reads and changes nothing. Default: false. */
  readOnlyHint?: boolean;
  /**
   * The tool may overwrite or delete data, not only add to it. Has no meaning if `readOnlyHint` is true.
   * Default: true.
   */
  destructiveHint?: boolean;
  /**
   * A second identical call changes nothing more. Has no meaning if `readOnlyHint` is true. Default: false.
   */
  idempotentHint?: boolean;
  /**
   * The tool works with an open set of things, such as a web search, not a fixed one, such as a note store.
   * Default: true.
   */
  openWorldHint?: boolean;
}

/**
 * A function of the server that a model can call.
 *
 * @category `tools/list`
 */
export interface Tool extends BaseMetadata, Icons {
  /** Describes to the model what the tool does and when to use it. */
  description?: string;
  /**
   * JSON Schema of `arguments`, in the 2020-12 dialect unless `$schema` names another; every keyword is
   * allowed. A property marked `x-mcp-header: "Name"` is also sent as the HTTP header `Mcp-Param-Name`.
   */
  inputSchema: {
    /** URI of the JSON Schema dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Arguments are always an object. */
    type: "object";
    /** Any other JSON Schema keyword. Pass it on unchanged. */
    [key: string]: unknown;
  };
  /**
   * JSON Schema of `structuredContent`, of any type, in the 2020-12 dialect unless `$schema` names another.
   * If present, the tool must return a valid `structuredContent`.
   */
  outputSchema?: {
    /** URI of the JSON Schema dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Any JSON Schema keyword, including `type`. Pass it on unchanged. */
    [key: string]: unknown;
  };
  /** Hints about the behaviour of the tool. Trust them only if you trust the server. */
  annotations?: ToolAnnotations;
  /** Metadata of the tool, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

// Logging

/**
 * A log message with its severity and source.
 *
 * @deprecated Since 2026-07-28; write to stderr or use OpenTelemetry instead.
 * @category `notifications/message`
 */
export interface LoggingMessageNotificationParams extends NotificationParams {
  /** Severity of the message. */
  level: LoggingLevel;
  /** Name of the part of the server that logged the message. */
  logger?: string;
  /** The message: a string or any other JSON value. Must not contain secrets or personal data. */
  data: unknown;
}

/**
 * A log message about a request. Sent on its response stream, and only if the request sets a log level.
 *
 * @deprecated Since 2026-07-28; write to stderr or use OpenTelemetry instead.
 * @category `notifications/message`
 */
export interface LoggingMessageNotification extends JSONRPCNotification {
  /** Method name. Sent by the server. */
  method: "notifications/message";
  /** The message, its severity and its source. */
  params: LoggingMessageNotificationParams;
}

/**
 * Severity levels of RFC 5424, from the least to the most severe.
 *
 * @deprecated Since 2026-07-28, with logging as a whole; write to stderr or use OpenTelemetry instead.
 * @category Common Types
 */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

// Sampling

/**
 * The conversation and the options for the next message. The client respects `maxTokens`; it may ignore most
 * other options.
 *
 * @deprecated Since 2026-07-28; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface CreateMessageRequestParams {
  /**
   * The conversation so far, oldest message first. Every `tool_use` is followed by its
   * `tool_result` in the next message.
   */
  messages: SamplingMessage[];
  /** Preferences for the choice of a model. The client may ignore them. */
  modelPreferences?: ModelPreferences;
  /** System prompt that the server suggests. The client may change or drop it. */
  systemPrompt?: string;
  /**
   * Context to add to the prompt. Default: `none`. The other values require `sampling.context`.
   *
   * @deprecated `thisServer` and `allServers` since 2025-11-25; leave the member out or send `none`.
   */
  includeContext?: "none" | "thisServer" | "allServers";
  /**
   * Randomness of the output. The scale depends on the model.
   *
   * @TJS-type number
   */
  temperature?: number;
  /** Maximum length of the message in tokens. It may be shorter. */
  maxTokens: number;
  /** Strings that stop the generation. */
  stopSequences?: string[];
  /**
   * Settings for the provider of the model, which the client passes on unchanged. They depend on the
   * provider.
   */
  metadata?: JSONObject;
  /** Tools that the model can call. Requires `sampling.tools`. */
  tools?: Tool[];
  /** Whether the model must use a tool. Requires `sampling.tools`. Default: `{ mode: "auto" }`. */
  toolChoice?: ToolChoice;
}

/**
 * Whether the model may, must or must not use tools.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ToolChoice {
  /**
   * `auto`: the model decides; `required`: at least one tool call; `none`: no tool calls. Default: `auto`.
   */
  mode?: "auto" | "required" | "none";
}

/**
 * Requests a message from a model of the client, as part of an `InputRequiredResult`. The client selects the
 * model, and the user may review or reject the request.
 *
 * @deprecated Since 2026-07-28; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface CreateMessageRequest {
  /** Identifies a sampling request. The response is a `CreateMessageResult`. */
  method: "sampling/createMessage";
  /** The conversation and the options for the next message. */
  params: CreateMessageRequestParams;
}

/**
 * The message that the model generated, after the user had the chance to review it.
 *
 * @deprecated Since 2026-07-28; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface CreateMessageResult extends SamplingMessage {
  /** The model, by the name that its provider uses. */
  model: string;
  /**
   * Why the model stopped: the end of its turn (`endTurn`), a stop sequence, the token limit, a tool call
   * (`toolUse`), or a provider-specific reason.
   */
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | "toolUse" | string;
}

/**
 * A message of a conversation with a model.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface SamplingMessage {
  /** Role of the author of the message. */
  role: Role;
  /**
   * Content of the message: one block or several. A user message with a `tool_result` contains only tool
   * results.
   */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  /** Metadata of the message, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * A block of content in a sampling message. Unlike a `ContentBlock`, it may be a tool use or tool result, but
 * not a resource.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export type SamplingMessageContentBlock =
  TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

// Content

/**
 * Hints for the host: the audience and the importance.
 *
 * @category Common Types
 */
export interface Annotations {
  /** The intended audience: the user, the model, or both. If absent, there is no preference. */
  audience?: Role[];
  /**
   * Importance, from 0 (optional) to 1 (required).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  priority?: number;
  /** Time of the last change, in ISO 8601, for example `2025-06-18T09:00:00Z`. */
  lastModified?: string;
}

/**
 * A block of content in a prompt or a tool result. `type` identifies its kind.
 *
 * @category Content
 */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/**
 * A block of plain text.
 *
 * @category Content
 */
export interface TextContent {
  /** Identifies a text block. */
  type: "text";
  /** The text. */
  text: string;
  /** Hints for the host: the audience and the importance. */
  annotations?: Annotations;
  /** Metadata of the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * An image embedded in a message.
 *
 * @category Content
 */
export interface ImageContent {
  /** Identifies an image block. */
  type: "image";
  /**
   * The image file in base64.
   *
   * @format byte
   */
  data: string;
  /** MIME type of the image, for example `image/png`. Models support different types. */
  mimeType: string;
  /** Hints for the host: the audience and the importance. */
  annotations?: Annotations;
  /** Metadata of the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * Audio embedded in a message.
 *
 * @category Content
 */
export interface AudioContent {
  /** Identifies an audio block. */
  type: "audio";
  /**
   * The audio file in base64.
   *
   * @format byte
   */
  data: string;
  /** MIME type of the audio, for example `audio/wav`. Models support different types. */
  mimeType: string;
  /** Hints for the host: the audience and the importance. */
  annotations?: Annotations;
  /** Metadata of the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * A tool call in a message of the model.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ToolUseContent {
  /** Identifies a tool use block. */
  type: "tool_use";
  /** Id of the tool use, which the matching `tool_result` has as `toolUseId`. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** Arguments of the tool, which should be valid for its `inputSchema`. */
  input: { [key: string]: unknown };
  /** Metadata of the tool use. Keep it when you send the message again, because caches rely on it. */
  _meta?: MetaObject;
}

/**
 * The result of a tool call, for the model.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ToolResultContent {
  /** Identifies a tool result block. */
  type: "tool_result";
  /** Refers to the tool use in the previous message by its `id`. */
  toolUseId: string;
  /** Content for the model, as in `CallToolResult`. */
  content: ContentBlock[];
  /** The result as any JSON value, for programs. It should be valid for the tool's `outputSchema`. */
  structuredContent?: unknown;
  /** True if the tool failed; `content` explains why. Default: false. */
  isError?: boolean;
  /** Metadata of the tool result. Keep it when you send the message again, because caches rely on it. */
  _meta?: MetaObject;
}

// Model selection

/**
 * Preferences of the server for the choice of a model: names and priorities. The client may ignore them.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ModelPreferences {
  /** Preferred models, best first. They take precedence over the priorities. */
  hints?: ModelHint[];
  /**
   * Importance of a low price, from 0 (not important) to 1 (most important).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  costPriority?: number;
  /**
   * Importance of a fast response, from 0 (not important) to 1 (most important).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  speedPriority?: number;
  /**
   * Importance of the ability of the model, from 0 (not important) to 1 (most important).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  intelligencePriority?: number;
}

/**
 * A preferred model or model family. The client decides the meaning of members other than `name`.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ModelHint {
  /**
   * Part of a model name: `sonnet` matches all models whose name contains it. The client may select an
   * equivalent model of another provider.
   */
  name?: string;
}

// Completion

/**
 * The argument of a prompt or template and the text that the user has typed so far.
 *
 * @category `completion/complete`
 */
export interface CompleteRequestParams extends RequestParams {
  /** The prompt or resource template the argument belongs to. */
  ref: PromptReference | ResourceTemplateReference;
  /** The argument to complete. */
  argument: {
    /** Name of the prompt argument or template variable. */
    name: string;
    /** The text that the user has typed so far. May be empty. */
    value: string;
  };
  /** Known values that may narrow the suggestions. */
  context?: {
    /** Values of the arguments or variables that are already filled in, by name. */
    arguments?: { [key: string]: string };
  };
}

/**
 * Requests suggestions for the value of an argument while the user types it.
 *
 * @category `completion/complete`
 */
export interface CompleteRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `CompleteResult`. */
  method: "completion/complete";
  /** The argument and the text that the user has typed so far. */
  params: CompleteRequestParams;
}

/**
 * Suggested values for an argument.
 *
 * @category `completion/complete`
 */
export interface CompleteResult extends Result {
  /** The values and their number. */
  completion: {
    /**
     * Suggested values, best first. At most 100.
     *
     * @maxItems 100
     */
    values: string[];
    /** Total number of suggestions, if known. May be greater than the length of `values`. */
    total?: number;
    /**
     * Whether there are more suggestions than `values` contains, even if their number is unknown. If absent,
     * this is not specified.
     */
    hasMore?: boolean;
  };
}

/**
 * The complete response to `completion/complete`.
 *
 * @category `completion/complete`
 */
export interface CompleteResultResponse extends JSONRPCResultResponse {
  /** The suggested values. */
  result: CompleteResult;
}

/**
 * Refers to a resource template by its URI, for completion.
 *
 * @category `completion/complete`
 */
export interface ResourceTemplateReference {
  /** Identifies a reference to a resource. */
  type: "ref/resource";
  /**
   * The URI template as listed, or the URI of a resource.
   *
   * @format uri-template
   */
  uri: string;
}

/**
 * Refers to a prompt by its name, for completion.
 *
 * @category `completion/complete`
 */
export interface PromptReference extends BaseMetadata {
  /** Identifies a reference to a prompt. */
  type: "ref/prompt";
}

// Roots

/**
 * Requests the directories and files to work with, as part of an `InputRequiredResult`.
 *
 * @deprecated Since 2026-07-28; pass directories as tool arguments instead.
 * @category `roots/list`
 */
export interface ListRootsRequest {
  /** Identifies a request for roots. The response is a `ListRootsResult`. */
  method: "roots/list";
  /** Only `_meta`. */
  params?: {
    /** Metadata of the request, under keys that server and client agree on. */
    _meta?: MetaObject;
  };
}

/**
 * The directories and files that the server may work with.
 *
 * @deprecated Since 2026-07-28; pass directories as tool arguments instead.
 * @category `roots/list`
 */
export interface ListRootsResult {
  /** All roots. The list is not paginated. */
  roots: Root[];
}

/**
 * A directory or file that the user has made available to the server.
 *
 * @deprecated Since 2026-07-28; pass directories as tool arguments instead.
 * @category `roots/list`
 */
export interface Root {
  /**
   * URI of the root, currently always a `file://` URI.
   *
   * @format uri
   */
  uri: string;
  /** Display name, such as the name of the project. */
  name?: string;
  /** Metadata of the root, for servers and extensions that know the keys. */
  _meta?: MetaObject;
}

// Elicitation

/**
 * Requests information through a form. Must not request passwords or other secrets; use URL mode for them.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequestFormParams {
  /** Form mode, which is the default. */
  mode?: "form";
  /** Text to show above the form: what information the server needs and why. */
  message: string;
  /** The form, as a JSON Schema of an object without nested objects. */
  requestedSchema: {
    /** URI of the JSON Schema dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** A form is always an object. */
    type: "object";
    /** The fields of the form, by name. */
    properties: {
      [key: string]: PrimitiveSchemaDefinition;
    };
    /** Names of the required fields. Default: none. */
    required?: string[];
  };
}

/**
 * Requests information on a web page, so that neither the client nor the model sees the data.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequestURLParams {
  /** URL mode. The member is required, because the default is form mode. */
  mode: "url";
  /** Text to show with the link: why the user should open it. */
  message: string;
  /**
   * URL of the page. Show it in full and open it only with the user's consent.
   *
   * @format uri
   */
  url: string;
}

/**
 * The information to request, in form mode or URL mode. Without `mode`, it is form mode.
 *
 * @category `elicitation/create`
 */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/**
 * Requests information from the user, in a form or on a web page, as part of an `InputRequiredResult`.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequest {
  /** Identifies an elicitation request. The response is an `ElicitResult`. */
  method: "elicitation/create";
  /** The information to request, in form mode or URL mode. */
  params: ElicitRequestParams;
}

/**
 * A field of a form: text, a number, a boolean, or a choice of one or more values.
 *
 * @category `elicitation/create`
 */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/**
 * A text field.
 *
 * @category `elicitation/create`
 */
export interface StringSchema {
  /** Identifies a text field. A choice has the same `type`, but also has options. */
  type: "string";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /** Minimum number of characters. */
  minLength?: number;
  /** Maximum number of characters. */
  maxLength?: number;
  /** Required format of the text: an email address, a URI, a date, or a date with time. */
  format?: "email" | "uri" | "date" | "date-time";
  /** Initial text. */
  default?: string;
}

/**
 * A number field.
 *
 * @category `elicitation/create`
 */
export interface NumberSchema {
  /** `integer` allows whole numbers only. */
  type: "number" | "integer";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /**
   * Minimum value.
   *
   * @TJS-type number
   */
  minimum?: number;
  /**
   * Maximum value.
   *
   * @TJS-type number
   */
  maximum?: number;
  /**
   * Initial number.
   *
   * @TJS-type number
   */
  default?: number;
}

/**
 * A boolean field.
 *
 * @category `elicitation/create`
 */
export interface BooleanSchema {
  /** Identifies a boolean field. */
  type: "boolean";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /** Initial value. */
  default?: boolean;
}

/**
 * A choice of one value, without labels.
 *
 * @category `elicitation/create`
 */
export interface UntitledSingleSelectEnumSchema {
  /** The selected value is a string. */
  type: "string";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /** The values to choose from, which are also their labels. */
  enum: string[];
  /** Initially selected value. */
  default?: string;
}

/**
 * A choice of one value, with labels.
 *
 * @category `elicitation/create`
 */
export interface TitledSingleSelectEnumSchema {
  /** The selected value is a string. */
  type: "string";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /** The options to choose from. */
  oneOf: Array<{
    /** Value to send if the user selects this option. */
    const: string;
    /** Label of the option. */
    title: string;
  }>;
  /** Initially selected value. */
  default?: string;
}

/**
 * A choice of one value, without labels (`enum`) or with labels (`oneOf`).
 *
 * @category `elicitation/create`
 */
export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

/**
 * A choice of any number of values, without labels.
 *
 * @category `elicitation/create`
 */
export interface UntitledMultiSelectEnumSchema {
  /** The selected values are an array. */
  type: "array";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /** Minimum number of selected values. */
  minItems?: number;
  /** Maximum number of selected values. */
  maxItems?: number;
  /** Schema of each selected value. */
  items: {
    /** Each selected value is a string. */
    type: "string";
    /** The values to choose from, which are also their labels. */
    enum: string[];
  };
  /** Initially selected values. */
  default?: string[];
}

/**
 * A choice of any number of values, with labels.
 *
 * @category `elicitation/create`
 */
export interface TitledMultiSelectEnumSchema {
  /** The selected values are an array. */
  type: "array";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /** Minimum number of selected values. */
  minItems?: number;
  /** Maximum number of selected values. */
  maxItems?: number;
  /** Schema of each selected value, with labels. */
  items: {
    /** The options to choose from. */
    anyOf: Array<{
      /** Value to send if the user selects this option. */
      const: string;
      /** Label of the option. */
      title: string;
    }>;
  };
  /** Initially selected values. */
  default?: string[];
}

/**
 * A choice of any number of values. `items` determines whether they have labels.
 *
 * @category `elicitation/create`
 */
export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

/**
 * A choice of one value in the notation of 2025-06-18, still accepted but due for removal. Prefer
 * `TitledSingleSelectEnumSchema`.
 *
 * @category `elicitation/create`
 */
export interface LegacyTitledEnumSchema {
  /** The selected value is a string. */
  type: "string";
  /** Label of the field. Default: its name. */
  title?: string;
  /** Explanation to show with the field. */
  description?: string;
  /** The values to choose from. The client returns one of them. */
  enum: string[];
  /** Labels of the values, in the same order. Not a JSON Schema keyword. */
  enumNames?: string[];
  /** Initially selected value. */
  default?: string;
}

/**
 * A field with a choice of one value or several, or in the older notation.
 *
 * @category `elicitation/create`
 */
export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

/**
 * The decision of the user and the data that the user entered.
 *
 * @category `elicitation/create`
 */
export interface ElicitResult {
  /**
   * `accept`: the user agreed or submitted the form; `decline`: the user refused; `cancel`: the user made no
   * decision.
   */
  action: "accept" | "decline" | "cancel";
  /**
   * The values of the form, by field. Present only with `accept` in form mode. The value of a multiple choice
   * is an array.
   */
  content?: { [key: string]: string | number | boolean | string[] };
}

// Messages of the client

/**
 * Every request a client may send.
 *
 * @internal
 */
export type ClientRequest =
  | DiscoverRequest
  | CompleteRequest
  | GetPromptRequest
  | ListPromptsRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscriptionsListenRequest
  | CallToolRequest
  | ListToolsRequest;

/**
 * The only notification a client may send.
 *
 * @internal
 */
export type ClientNotification = CancelledNotification;

/**
 * Unused: a client answers no requests in this revision. It sends input as `InputResponse`.
 *
 * @internal
 */
export type ClientResult = EmptyResult;

// Messages of the server

/**
 * Every notification a server may send.
 *
 * @internal
 */
export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ResourceUpdatedNotification
  | ResourceListChangedNotification
  | ToolListChangedNotification
  | PromptListChangedNotification
  | SubscriptionsAcknowledgedNotification;

/**
 * Every result a server may return. `resultType` distinguishes an `InputRequiredResult` from the others.
 *
 * @internal
 */
export type ServerResult =
  | EmptyResult
  | DiscoverResult
  | CompleteResult
  | GetPromptResult
  | ListPromptsResult
  | ListResourceTemplatesResult
  | ListResourcesResult
  | ReadResourceResult
  | SubscriptionsListenResult
  | CallToolResult
  | ListToolsResult
  | InputRequiredResult;
