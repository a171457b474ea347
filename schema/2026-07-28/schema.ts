// The Model Context Protocol, revision 2026-07-28: every message, member and constant it defines.
// The facts are the specification's, member for member. The sentences are our own; where they are
// silent or unclear, modelcontextprotocol.io decides.

// JSON values

/**
 * Anything JSON can express, `null` included.
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
 * A JSON array; its elements may be of different kinds.
 *
 * @category Common Types
 */
export type JSONArray = JSONValue[];

// Messages and the parts they share

/**
 * One message as it goes over the wire: a line on stdio, the body of a POST or the data of an SSE event.
 *
 * @category JSON-RPC
 */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/**
 * The revision this file describes, as every request states it in `_meta`.
 *
 * @internal
 */
export const LATEST_PROTOCOL_VERSION = "2026-07-28";
/**
 * The JSON-RPC version all messages carry in `jsonrpc`.
 *
 * @internal
 */
export const JSONRPC_VERSION = "2.0";

/**
 * Extra data beside the payload, by key. A key is a name with an optional reverse-DNS prefix
 * (`com.example/trace`); a prefix with `modelcontextprotocol` or `mcp` in second place
 * belongs to the protocol.
 *
 * @category Common Types
 */
export type MetaObject = Record<string, unknown>;

/**
 * What each request says about itself: the revision it speaks, who sends it and what that client can do.
 *
 * @category Common Types
 */
export interface RequestMetaObject extends MetaObject {
  /** Asks for progress on this request; the notifications repeat the token. The server may send none. */
  progressToken?: ProgressToken;
  /**
   * Revision this request is written in. Over HTTP it equals the `MCP-Protocol-Version` header, else status
   * 400; a revision the server lacks is answered with code -32022.
   */
  "io.modelcontextprotocol/protocolVersion": string;
  /**
   * Name and version of the calling program, for logs and display. Recommended, unverified,
   * no ground for decisions.
   */
  "io.modelcontextprotocol/clientInfo"?: Implementation;
  /**
   * What the client can do for this one request; `{}` means nothing optional. Earlier requests do not count.
   */
  "io.modelcontextprotocol/clientCapabilities": ClientCapabilities;
  /**
   * Least severe level of log messages wanted while this request runs. Absent: the server sends none.
   *
   * @deprecated Since 2026-07-28; write to stderr or use OpenTelemetry instead.
   */
  "io.modelcontextprotocol/logLevel"?: LoggingLevel;
}

/**
 * Metadata of a notification; tells which subscription delivered it, if one did.
 *
 * @category Common Types
 */
export interface NotificationMetaObject extends MetaObject {
  /**
   * Names the stream that carries this notification: the id of its `subscriptions/listen` request. Present on
   * all of that stream and nowhere else.
   */
  "io.modelcontextprotocol/subscriptionId"?: RequestId;
}

/**
 * Metadata of a result; tells which program produced it.
 *
 * @category Common Types
 */
export interface ResultMetaObject extends MetaObject {
  /**
   * Name and version of the answering program, for logs and display. Recommended, unverified,
   * no ground for decisions.
   */
  "io.modelcontextprotocol/serverInfo"?: Implementation;
}

/**
 * Ties progress notifications to a request; the requester picks it, unique among its running
 * requests. A number is an integer.
 *
 * @category Common Types
 */
export type ProgressToken = string | number;

/**
 * A server's bookmark in a list: send it back unchanged and never parse it. The empty string is a cursor too.
 *
 * @category Common Types
 */
export type Cursor = string;

/**
 * What the params of every request carry, also of those that need nothing else.
 *
 * @category Common Types
 */
export interface RequestParams {
  /**
   * Revision, capabilities and other data about the request. A missing required key is
   * answered with code -32602.
   */
  _meta: RequestMetaObject;
}

/**
 * The members of every request. `params` allows any member; `RequestParams` has the known ones.
 *
 * @internal
 */
export interface Request {
  /** Which operation is asked for, such as `tools/call`. */
  method: string;
  /** Input of the operation. Any member is allowed here; a concrete request narrows it. */
  params?: { [key: string]: any };
}

/**
 * What the params of any notification may carry.
 *
 * @category Common Types
 */
export interface NotificationParams {
  /** Data about the notification, among it the subscription that delivered it. */
  _meta?: NotificationMetaObject;
}

/**
 * The members of every notification. `params` allows any member; `NotificationParams` has the known ones.
 *
 * @internal
 */
export interface Notification {
  /** What happened, such as `notifications/progress`. */
  method: string;
  /** Details of what happened. Any member is allowed here; a concrete notification narrows it. */
  params?: { [key: string]: any };
}

/**
 * Says what shape a result has: `complete` is the method's own result, `input_required` an
 * `InputRequiredResult`. Negotiated extensions add values (`task`, for one); any other value
 * makes the result invalid.
 *
 * @category Common Types
 */
export type ResultType = "complete" | "input_required" | string;

/**
 * What all results have in common: their kind, room for `_meta` and the members of the method.
 *
 * @category Common Types
 */
export interface Result {
  /** Data about the result rather than part of it, such as the server that produced it. */
  _meta?: ResultMetaObject;
  /**
   * How to read the rest. Servers of this revision always send it; without it, from an
   * older one, assume `complete`.
   */
  resultType: ResultType;
  /** Members the method defines, and any an extension or a peer adds. */
  [key: string]: unknown;
}

/**
 * The `error` of a failed request. Not JavaScript's global `Error`.
 *
 * @category Errors
 */
export interface Error {
  /** Integer saying what kind of failure it is; the constants of this file name the known ones. */
  code: number;
  /** One short sentence for a person to read. */
  message: string;
  /** Whatever the sender adds to explain the failure; its shape depends on `code`. */
  data?: unknown;
}

/**
 * Pairs a response with its request. A number is an integer; never null. It may be used again once
 * its request is answered.
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
  /** Chosen by the client, distinct among its unanswered requests; the response repeats it. */
  id: RequestId;
}

/**
 * A message without `id`. It gets no response, not even an error.
 *
 * @category JSON-RPC
 */
export interface JSONRPCNotification extends Notification {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
}

/**
 * The answer to a request that worked.
 *
 * @category JSON-RPC
 */
export interface JSONRPCResultResponse {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Id of the request being answered, as the requester wrote it. */
  id: RequestId;
  /** What the method returns; its shape follows from the request's `method`. */
  result: Result;
}

/**
 * The answer to a request that failed, or to bytes that could not be read as one.
 *
 * @category JSON-RPC
 */
export interface JSONRPCErrorResponse {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Id of the request that failed; absent only when it could not be read. */
  id?: RequestId;
  /** What went wrong. */
  error: Error;
}

/**
 * The one answer a request gets: a result or an error, never both.
 *
 * @category JSON-RPC
 */
export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

// Error codes

/** The bytes received are not JSON. */
export const PARSE_ERROR = -32700;
/** JSON, but not a well-formed JSON-RPC request. */
export const INVALID_REQUEST = -32600;
/** The server has no such method, or never declared the capability it needs. HTTP status 404. */
export const METHOD_NOT_FOUND = -32601;
/**
 * The method exists, its params do not fit: an unknown tool or resource, a stale cursor,
 * `_meta` without a required key.
 */
export const INVALID_PARAMS = -32602;
/** The receiver failed for reasons of its own. */
export const INTERNAL_ERROR = -32603;

/**
 * Error for bytes that are not JSON; with no `id` to read, the response carries none.
 *
 * @category Errors
 */
export interface ParseError extends Error {
  /** Always -32700. */
  code: typeof PARSE_ERROR;
}

/**
 * Error for JSON that is not a request: no `method`, an `id` of null, a wrong `jsonrpc`.
 *
 * @category Errors
 */
export interface InvalidRequestError extends Error {
  /** Always -32600. */
  code: typeof INVALID_REQUEST;
}

/**
 * Error for a method the server lacks or has not advertised. A capability missing at the client
 * has its own code, -32021.
 *
 * @category Errors
 */
export interface MethodNotFoundError extends Error {
  /** Always -32601. */
  code: typeof METHOD_NOT_FOUND;
}

/**
 * Error for params that do not fit: an unknown tool or prompt, a missing argument, a bad cursor or log level.
 *
 * @category Errors
 */
export interface InvalidParamsError extends Error {
  /** Always -32602. */
  code: typeof INVALID_PARAMS;
}

/**
 * Error for a failure inside the receiver that the sender could not have avoided.
 *
 * @category Errors
 */
export interface InternalError extends Error {
  /** Always -32603. */
  code: typeof INTERNAL_ERROR;
}

/**
 * HTTP only: a required header is missing, malformed or contradicts the body. Status 400.
 *
 * @category Errors
 */
export const HEADER_MISMATCH = -32020;
/**
 * The request needs something its client did not declare on this very request. HTTP status 400.
 *
 * @category Errors
 */
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;
/**
 * The server does not speak the revision the request names. HTTP status 400.
 *
 * @category Errors
 */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/**
 * Refuses an HTTP request whose headers and body disagree; the client fixes the headers and tries again.
 *
 * @category Errors
 */
export interface HeaderMismatchError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error; its `data` has no set shape. */
  error: Error & {
    /** Always -32020. */
    code: typeof HEADER_MISMATCH;
  };
}

/**
 * Refuses a revision and names the ones the server does speak, so that the client can
 * try again with one of them.
 *
 * @category Errors
 */
export interface UnsupportedProtocolVersionError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error, with both sides' revisions in `data`. */
  error: Error & {
    /** Always -32022. */
    code: typeof UNSUPPORTED_PROTOCOL_VERSION;
    /** What the server speaks and what it was asked for. */
    data: {
      /** Revisions to try instead. */
      supported: string[];
      /** The revision the refused request named. */
      requested: string;
    };
  };
}

/**
 * Refuses a request because its client lacks an ability, or did not declare it on this request.
 *
 * @category Errors
 */
export interface MissingRequiredClientCapabilityError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error, with the missing capabilities in `data`. */
  error: Error & {
    /** Always -32021. */
    code: typeof MISSING_REQUIRED_CLIENT_CAPABILITY;
    /** What the client would have to declare. */
    data: {
      /** The capabilities needed, written as the client would declare them. */
      requiredCapabilities: ClientCapabilities;
    };
  };
}

// Empty result

/**
 * A plain acknowledgement: the request worked and there is nothing to return but `resultType`.
 *
 * @category Common Types
 */
export type EmptyResult = Result;

// Input the server needs before it can finish a request

/**
 * Something a server may ask of a client while it works on a request. It has no `id`: its
 * key in the map is its name.
 *
 * @internal
 */
export type InputRequest = CreateMessageRequest | ListRootsRequest | ElicitRequest;

/**
 * What a client found out for an `InputRequest`; which of these it is follows from the request's `method`.
 *
 * @internal
 */
export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;

/**
 * Questions to the client, each under a key the server makes up.
 *
 * @category Multi Round-Trip
 */
export interface InputRequests {
  /** One question; its answer comes back under the same key. */
  [key: string]: InputRequest;
}

/**
 * The client's answers, under the keys of the questions.
 *
 * @category Multi Round-Trip
 */
export interface InputResponses {
  /** The answer to the question that had this key. */
  [key: string]: InputResponse;
}

/**
 * Says the server cannot finish yet: gather the input and send the same request again, with a new id. Has
 * `inputRequests`, `requestState` or both. Only `tools/call`, `prompts/get` and `resources/read` return it.
 *
 * @category Multi Round-Trip
 */
export interface InputRequiredResult extends Result {
  /** What the client has to find out, all of it, before it tries again. Absent: just try again. */
  inputRequests?: InputRequests;
  /**
   * The server's own notes on the work so far. Send them back byte for byte; they mean nothing to a client.
   */
  requestState?: string;
}

/** Params of a request the server may answer with `input_required`; filled in when it is sent again. */
export interface InputResponseRequestParams extends RequestParams {
  /** One answer for each key of the preceding `inputRequests`. Absent on the first attempt. */
  inputResponses?: InputResponses;
  /**
   * The preceding `requestState`, unchanged; absent if there was none. Servers must
   * treat it as untrusted input.
   */
  requestState?: string;
}

// Cancellation

/**
 * Names the request to give up.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotificationParams extends NotificationParams {
  /** Which of the client's open requests to give up; a server may name only a listen request. */
  requestId: RequestId;
  /** Why, for logs or the user; no meaning for programs. */
  reason?: string;
}

/**
 * Cancels a request of the client on stdio. Over HTTP, the client closes the response stream instead. A
 * server sends it only to end a `subscriptions/listen` stream.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotification extends JSONRPCNotification {
  /** Wire name; sent by the client, or by the server about a listen stream. */
  method: "notifications/cancelled";
  /** Which request, and why. */
  params: CancelledNotificationParams;
}

// Discovery

/**
 * Gets the revisions and capabilities of the server. Every server supports it; a client need not call it.
 *
 * @category `server/discover`
 */
export interface DiscoverRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `DiscoverResult`. */
  method: "server/discover";
  /** Nothing but `_meta`. */
  params: RequestParams;
}

/**
 * What a server is: revisions, capabilities and advice on its use. May be cached for `ttlMs`.
 *
 * @category `server/discover`
 */
export interface DiscoverResult extends CacheableResult {
  /** Revisions the server speaks; pick one of them for each later request. */
  supportedVersions: string[];
  /** The feature groups this server implements; methods outside them do not exist here. */
  capabilities: ServerCapabilities;
  /**
   * Advice on using this server, written for a model; a host may put it into the system prompt. Best kept to
   * what the tool descriptions leave out.
   */
  instructions?: string;
}

/**
 * The whole answer to `server/discover`.
 *
 * @category `server/discover`
 */
export interface DiscoverResultResponse extends JSONRPCResultResponse {
  /** The server's description of itself. */
  result: DiscoverResult;
}

/**
 * What a server may ask of a client while it works on one request. A member that is present means yes;
 * unknown members are allowed.
 *
 * @category `server/discover`
 */
export interface ClientCapabilities {
  /** Trial features outside the protocol, by name; the objects hold their settings. */
  experimental?: { [key: string]: JSONObject };
  /**
   * The client answers `roots/list` input requests; the object is empty.
   *
   * @deprecated Since 2026-07-28; pass directories as tool arguments instead.
   */
  roots?: {};
  /**
   * The client answers `sampling/createMessage` input requests by running a model.
   *
   * @deprecated Since 2026-07-28; call a model provider's API directly instead.
   */
  sampling?: {
    /** It honours `includeContext`; without this, servers send `none` or nothing. */
    context?: JSONObject;
    /** It honours `tools` and `toolChoice`; without this, servers must not send them. */
    tools?: JSONObject;
  };
  /** The client answers `elicitation/create`. An empty object means form mode only. */
  elicitation?: {
    /** It can show a form built from a schema. */
    form?: JSONObject;
    /** It can send the user to a URL, after asking. */
    url?: JSONObject;
  };
  /**
   * Extensions the client speaks, by identifier (`vendor.prefix/name`, the prefix is mandatory), with their
   * settings. `{}` means spoken, nothing to set.
   */
  extensions?: { [key: string]: JSONObject };
}

/**
 * What a client may ask of a server. A member that is present means yes; unknown members are allowed.
 *
 * @category `server/discover`
 */
export interface ServerCapabilities {
  /** Trial features outside the protocol, by name; the objects hold their settings. */
  experimental?: { [key: string]: JSONObject };
  /**
   * The server sends `notifications/message` for requests that set a log level.
   *
   * @deprecated Since 2026-07-28; write to stderr or use OpenTelemetry instead.
   */
  logging?: JSONObject;
  /** The server answers `completion/complete`. */
  completions?: JSONObject;
  /** The server answers `prompts/list` and `prompts/get`. */
  prompts?: {
    /** Subscribers of `promptsListChanged` hear of changes. Absent means no. */
    listChanged?: boolean;
  };
  /** The server answers `resources/list`, `resources/templates/list` and `resources/read`. */
  resources?: {
    /** It honours `resourceSubscriptions` in `subscriptions/listen`. Absent means no. */
    subscribe?: boolean;
    /** Subscribers of `resourcesListChanged` hear of changes. Absent means no. */
    listChanged?: boolean;
  };
  /** The server answers `tools/list` and `tools/call`. */
  tools?: {
    /** Subscribers of `toolsListChanged` hear of changes. Absent means no. */
    listChanged?: boolean;
  };
  /**
   * Extensions the server speaks, by identifier (`vendor.prefix/name`, the prefix is mandatory), with their
   * settings. `{}` means spoken, nothing to set.
   */
  extensions?: { [key: string]: JSONObject };
}

/**
 * A picture for a tool, prompt, resource or program, in one format and perhaps for one theme.
 *
 * @category Common Types
 */
export interface Icon {
  /**
   * Where the image is: an `https:` or `http:` URL, or the image itself in base64 as a `data:` URI. Fetch it
   * without credentials and only from a host you trust; an SVG can run scripts.
   *
   * @format uri
   */
  src: string;
  /** Format of the image, for example `image/png`, when `src` leaves it open. */
  mimeType?: string;
  /** Pixel sizes it suits, as `48x48`, or `any` for a vector image. Absent: all sizes. */
  sizes?: string[];
  /** Background it was drawn for. Absent: both. */
  theme?: "light" | "dark";
}

/**
 * Base of everything that can be shown with a picture.
 *
 * @internal
 */
export interface Icons {
  /**
   * The same picture in several sizes, formats or themes; show the one that fits. A client that shows icons
   * handles PNG and JPEG at least.
   */
  icons?: Icon[];
}

/**
 * Base of everything that has a name for programs and a label for people.
 *
 * @internal
 */
export interface BaseMetadata {
  /** Identifier for programs, and what to show if nothing better is given. */
  name: string;
  /** Label for people. Absent: show `name`, or for a tool `annotations.title` if it has one. */
  title?: string;
}

/**
 * A client or server program: what it is called and which build it is.
 *
 * @category `server/discover`
 */
export interface Implementation extends BaseMetadata, Icons {
  /** Version of the program itself, in its own numbering; unrelated to protocol revisions. */
  version: string;
  /** What the program is for, in words for people. */
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
 * Names a running request and how much of it is done.
 *
 * @category `notifications/progress`
 */
export interface ProgressNotificationParams extends NotificationParams {
  /** The token that request carries in `_meta`. */
  progressToken: ProgressToken;
  /**
   * Amount done, in units of the sender's choice, fractions allowed. Larger each time.
   *
   * @TJS-type number
   */
  progress: number;
  /**
   * Amount at which the work is done, in the units of `progress`, if the sender knows.
   *
   * @TJS-type number
   */
  total?: number;
  /** What is going on right now, in words for people. */
  message?: string;
}

/**
 * Reports the progress of a request on its response stream. Sent only for requests with a progress token.
 *
 * @category `notifications/progress`
 */
export interface ProgressNotification extends JSONRPCNotification {
  /** Wire name; server to client. */
  method: "notifications/progress";
  /** Which request, and how far. */
  params: ProgressNotificationParams;
}

// Pagination

/**
 * Params of the list requests.
 *
 * @category Common Types
 */
export interface PaginatedRequestParams extends RequestParams {
  /** The `nextCursor` of the page before. Absent: the first page. */
  cursor?: Cursor;
}

/**
 * The base of the requests for lists, which are paginated.
 *
 * @internal
 */
export interface PaginatedRequest extends JSONRPCRequest {
  /** Which page, and the `_meta` all requests need. */
  params: PaginatedRequestParams;
}

/**
 * Base of the list results: one page each.
 *
 * @internal
 */
export interface PaginatedResult extends Result {
  /** Send it as `cursor` to get the next page. Absent: this page is the last. */
  nextCursor?: Cursor;
}

// Caching

/**
 * Base of the results a client may keep and reuse for the same method and params.
 *
 * @internal
 */
export interface CacheableResult extends Result {
  /**
   * Milliseconds from arrival for which the result counts as fresh; 0 means fetch anew each time.
   *
   * @minimum 0
   */
  ttlMs: number;
  /**
   * Who may reuse it: `public` anyone, proxies included; `private` only the same credentials. All
   * pages of a list agree on it.
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
  /** Wire name; client to server, answered by `ListResourcesResult`. */
  method: "resources/list";
}

/**
 * One page of resources, cacheable page by page.
 *
 * @category `resources/list`
 */
export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  /** The resources on this page; servers may be able to read others too. */
  resources: Resource[];
}

/**
 * The whole answer to `resources/list`.
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
  /** Wire name; client to server, answered by `ListResourceTemplatesResult`. */
  method: "resources/templates/list";
}

/**
 * One page of resource templates, cacheable page by page.
 *
 * @category `resources/templates/list`
 */
export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  /** The templates on this page. */
  resourceTemplates: ResourceTemplate[];
}

/**
 * The whole answer to `resources/templates/list`.
 *
 * @category `resources/templates/list`
 */
export interface ListResourceTemplatesResultResponse extends JSONRPCResultResponse {
  /** One page of templates. */
  result: ListResourceTemplatesResult;
}

/**
 * Base of a request about one resource.
 *
 * @internal
 */
export interface ResourceRequestParams extends RequestParams {
  /**
   * Which resource, in any URI scheme the server understands.
   *
   * @format uri
   */
  uri: string;
}

/**
 * Which resource to read; on a second attempt also the answers the server asked for.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequestParams extends ResourceRequestParams, InputResponseRequestParams {}

/**
 * Reads the resource with a URI, which is listed or expanded from a template.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `ReadResourceResult` or `InputRequiredResult`. */
  method: "resources/read";
  /** Which resource to read. */
  params: ReadResourceRequestParams;
}

/**
 * What a resource holds right now; cacheable, unless it took several rounds to get.
 *
 * @category `resources/read`
 */
export interface ReadResourceResult extends CacheableResult {
  /**
   * The parts of the resource, each text or base64; a directory, say, gives one per file. Never empty for a
   * resource that does not exist: that is error -32602.
   */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/**
 * The whole answer to `resources/read`.
 *
 * @category `resources/read`
 */
export interface ReadResourceResultResponse extends JSONRPCResultResponse {
  /** The contents, or the questions to answer first; `resultType` tells which. */
  result: ReadResourceResult | InputRequiredResult;
}

/**
 * Reports that the list of resources has changed. Sent only to subscribers.
 *
 * @category `notifications/resources/list_changed`
 */
export interface ResourceListChangedNotification extends JSONRPCNotification {
  /** Wire name; server to client, on listen streams with `resourcesListChanged`. */
  method: "notifications/resources/list_changed";
  /** Nothing but `_meta`, with the subscription's id. */
  params?: NotificationParams;
}

/**
 * Kinds of change a client wants to hear about. Nothing is sent that is not switched on here.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionFilter {
  /** Send `notifications/tools/list_changed`. Absent means no. */
  toolsListChanged?: boolean;
  /** Send `notifications/prompts/list_changed`. Absent means no. */
  promptsListChanged?: boolean;
  /** Send `notifications/resources/list_changed`. Absent means no. */
  resourcesListChanged?: boolean;
  /** URIs to watch with `notifications/resources/updated`. Takes the place of `resources/subscribe`. */
  resourceSubscriptions?: string[];
}

/**
 * What a new stream should carry.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenRequestParams extends RequestParams {
  /** Kinds of change to report on the stream. */
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
  /** Wire name; client to server, answered by `SubscriptionsListenResult` when the stream ends. */
  method: "subscriptions/listen";
  /** What the stream should carry. */
  params: SubscriptionsListenRequestParams;
}

/**
 * Metadata of the result that ends a stream, naming the subscription it belongs to.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenResultMetaObject extends ResultMetaObject {
  /** Names the stream that ends: the id of its `subscriptions/listen` request and of this response. */
  "io.modelcontextprotocol/subscriptionId": RequestId;
}

/**
 * Ends a stream in good order, on the server's initiative. A stream that just breaks off has none.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenResult extends Result {
  /** Required here: names the subscription that ends. */
  _meta: SubscriptionsListenResultMetaObject;
}

/**
 * The whole answer to `subscriptions/listen`, sent when the server closes the stream.
 *
 * @category `subscriptions/listen`
 */
export interface SubscriptionsListenResultResponse extends JSONRPCResultResponse {
  /** The end of the stream. */
  result: SubscriptionsListenResult;
}

/**
 * What a stream will really carry.
 *
 * @category `notifications/subscriptions/acknowledged`
 */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  /** The part of the filter the server can serve. What it left out will never arrive. */
  notifications: SubscriptionFilter;
}

/**
 * Confirms a subscription. It is the first message of that subscription; on stdio, messages of others may
 * be sent before it.
 *
 * @category `notifications/subscriptions/acknowledged`
 */
export interface SubscriptionsAcknowledgedNotification extends JSONRPCNotification {
  /** Wire name; server to client, once per listen stream. */
  method: "notifications/subscriptions/acknowledged";
  /** What the stream will carry. */
  params: SubscriptionsAcknowledgedNotificationParams;
}

/**
 * Names the resource that changed.
 *
 * @category `notifications/resources/updated`
 */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  /**
   * The resource that changed: the one subscribed to, or something inside it.
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
  /** Wire name; server to client, on listen streams with `resourceSubscriptions`. */
  method: "notifications/resources/updated";
  /** Which resource changed. */
  params: ResourceUpdatedNotificationParams;
}

/**
 * Something a server can read, as a list shows it: where it is and what it is, without its contents.
 *
 * @category `resources/list`
 */
export interface Resource extends BaseMetadata, Icons {
  /**
   * Address to read it by.
   *
   * @format uri
   */
  uri: string;
  /** What is in it, written so that a model can tell whether it wants to read it. */
  description?: string;
  /** Format of the contents, if the server knows. */
  mimeType?: string;
  /** Hints for the host: whom it is for and how much it matters. */
  annotations?: Annotations;
  /**
   * Bytes of the contents themselves, before base64, if the server knows; helps a host judge what to load.
   */
  size?: number;
  /** Extra data about the resource, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * A pattern of URIs a server can read; fill in the variables to get the address of a resource.
 *
 * @category `resources/templates/list`
 */
export interface ResourceTemplate extends BaseMetadata, Icons {
  /**
   * Pattern in RFC 6570 syntax, for example `file:///{path}`.
   *
   * @format uri-template
   */
  uriTemplate: string;
  /** What the resources have in common, written so that a model can tell when to use one. */
  description?: string;
  /** Format of the contents; present only if it is the same for every resource of the pattern. */
  mimeType?: string;
  /** Hints for the host: whom the resources are for and how much they matter. */
  annotations?: Annotations;
  /** Extra data about the template, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * Base of the contents of a resource or of one part of it; `text` or `blob` holds them.
 *
 * @internal
 */
export interface ResourceContents {
  /**
   * Address of this part, which may lie below the one asked for.
   *
   * @format uri
   */
  uri: string;
  /** Format of this part, if the server knows. */
  mimeType?: string;
  /** Extra data about this part, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * Contents that are text.
 *
 * @category Content
 */
export interface TextResourceContents extends ResourceContents {
  /** The text itself. Its presence tells text from binary contents. */
  text: string;
}

/**
 * Contents that are bytes.
 *
 * @category Content
 */
export interface BlobResourceContents extends ResourceContents {
  /**
   * The bytes in base64. Its presence tells binary contents from text.
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
  /** Wire name; client to server, answered by `ListPromptsResult`. */
  method: "prompts/list";
}

/**
 * One page of prompts, cacheable page by page.
 *
 * @category `prompts/list`
 */
export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  /** The prompts on this page, with the arguments they take. */
  prompts: Prompt[];
}

/**
 * The whole answer to `prompts/list`.
 *
 * @category `prompts/list`
 */
export interface ListPromptsResultResponse extends JSONRPCResultResponse {
  /** One page of prompts. */
  result: ListPromptsResult;
}

/**
 * Which prompt to write out, its arguments and, on a second attempt, the answers the server asked for.
 *
 * @category `prompts/get`
 */
export interface GetPromptRequestParams extends InputResponseRequestParams {
  /** A `name` from `prompts/list`. */
  name: string;
  /** Values for the prompt's arguments, by argument name; always strings. */
  arguments?: { [key: string]: string };
}

/**
 * Gets the messages of a prompt, usually one that the user selected.
 *
 * @category `prompts/get`
 */
export interface GetPromptRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `GetPromptResult` or `InputRequiredResult`. */
  method: "prompts/get";
  /** Which prompt, and its arguments. */
  params: GetPromptRequestParams;
}

/**
 * A prompt written out as messages, ready to start a conversation with.
 *
 * @category `prompts/get`
 */
export interface GetPromptResult extends Result {
  /** What the prompt does, in words for people. */
  description?: string;
  /** The conversation so far, in order. */
  messages: PromptMessage[];
}

/**
 * The whole answer to `prompts/get`.
 *
 * @category `prompts/get`
 */
export interface GetPromptResultResponse extends JSONRPCResultResponse {
  /** The prompt, or the questions to answer first; `resultType` tells which. */
  result: GetPromptResult | InputRequiredResult;
}

/**
 * A prompt as a list shows it: what it is for and what it needs, without its messages.
 *
 * @category `prompts/list`
 */
export interface Prompt extends BaseMetadata, Icons {
  /** What the prompt does, in words for people. */
  description?: string;
  /** Arguments the prompt takes. Absent: none. */
  arguments?: PromptArgument[];
  /** Extra data about the prompt, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * One blank in a prompt, filled with a string.
 *
 * @category `prompts/list`
 */
export interface PromptArgument extends BaseMetadata {
  /** What to fill in, in words for people. */
  description?: string;
  /** `prompts/get` fails without it. Absent means optional. */
  required?: boolean;
}

/**
 * Whose words a message holds: the person's or the model's.
 *
 * @category Common Types
 */
export type Role = "user" | "assistant";

/**
 * One turn of a prompt. Unlike a sampling message it may link to resources or embed them.
 *
 * @category `prompts/get`
 */
export interface PromptMessage {
  /** Who is speaking in this turn. */
  role: Role;
  /** What is said: exactly one block, of any kind. */
  content: ContentBlock;
}

/**
 * Points to a resource instead of including it; read it with `resources/read`. It need not be among those
 * `resources/list` returns.
 *
 * @category Content
 */
export interface ResourceLink extends Resource {
  /** Tells a link from the other content blocks. */
  type: "resource_link";
}

/**
 * A resource with its contents, put right into a message; how to show it is the host's choice.
 *
 * @category Content
 */
export interface EmbeddedResource {
  /** Tells an embedded resource from the other content blocks. */
  type: "resource";
  /** The contents: text if it has `text`, bytes if it has `blob`. */
  resource: TextResourceContents | BlobResourceContents;
  /** Hints for the host: whom it is for and how much it matters. */
  annotations?: Annotations;
  /** Extra data about the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * Reports that the list of prompts has changed. Sent only to subscribers.
 *
 * @category `notifications/prompts/list_changed`
 */
export interface PromptListChangedNotification extends JSONRPCNotification {
  /** Wire name; server to client, on listen streams with `promptsListChanged`. */
  method: "notifications/prompts/list_changed";
  /** Nothing but `_meta`, with the subscription's id. */
  params?: NotificationParams;
}

// Tools

/**
 * Lists the tools of the server. Paginated.
 *
 * @category `tools/list`
 */
export interface ListToolsRequest extends PaginatedRequest {
  /** Wire name; client to server, answered by `ListToolsResult`. */
  method: "tools/list";
}

/**
 * One page of tools, cacheable page by page.
 *
 * @category `tools/list`
 */
export interface ListToolsResult extends PaginatedResult, CacheableResult {
  /** The tools on this page, complete with their schemas. */
  tools: Tool[];
}

/**
 * The whole answer to `tools/list`.
 *
 * @category `tools/list`
 */
export interface ListToolsResultResponse extends JSONRPCResultResponse {
  /** One page of tools. */
  result: ListToolsResult;
}

/**
 * What a tool returned. A tool that failed returns too, with `isError`, so that the model can see why; an
 * unknown tool is an error response instead.
 *
 * @category `tools/call`
 */
export interface CallToolResult extends Result {
  /**
   * What the model gets to see, as blocks in order; may be empty. Beside `structuredContent` it should hold
   * the same as JSON text, for clients that read only blocks.
   */
  content: ContentBlock[];
  /**
   * The same as any JSON value, for programs. If the tool has an `outputSchema`, a success
   * always has it and it fits.
   */
  structuredContent?: unknown;
  /** The tool ran and failed; `content` says how. Default: false. */
  isError?: boolean;
}

/**
 * The whole answer to `tools/call`.
 *
 * @category `tools/call`
 */
export interface CallToolResultResponse extends JSONRPCResultResponse {
  /** The tool's result, or the questions to answer first; `resultType` tells which. */
  result: CallToolResult | InputRequiredResult;
}

/**
 * Which tool to run, with what and, on a second attempt, the answers the server asked for.
 *
 * @category `tools/call`
 */
export interface CallToolRequestParams extends InputResponseRequestParams {
  /** A `name` from `tools/list`; upper and lower case differ. */
  name: string;
  /** Values for the tool, by name, that fit its `inputSchema`. Absent: none. */
  arguments?: { [key: string]: unknown };
}

/**
 * Calls a tool, usually because a model selected it.
 *
 * @category `tools/call`
 */
export interface CallToolRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `CallToolResult` or `InputRequiredResult`. */
  method: "tools/call";
  /** Which tool, and its arguments. */
  params: CallToolRequestParams;
}

/**
 * Reports that the list of tools has changed. Sent only to subscribers.
 *
 * @category `notifications/tools/list_changed`
 */
export interface ToolListChangedNotification extends JSONRPCNotification {
  /** Wire name; server to client, on listen streams with `toolsListChanged`. */
  method: "notifications/tools/list_changed";
  /** Nothing but `_meta`, with the subscription's id. */
  params?: NotificationParams;
}

/**
 * Claims a server makes about how its tool behaves. Show them, but base no permission on them
 * unless you trust the server.
 *
 * @category `tools/list`
 */
export interface ToolAnnotations {
  /** Label for people, to show if the tool itself has no `title`. */
  title?: string;
  /** It only looks and changes nothing. Default: false. */
  readOnlyHint?: boolean;
  /** It may overwrite or delete, not merely add. Says nothing if `readOnlyHint` is true. Default: true. */
  destructiveHint?: boolean;
  /** A second identical call changes nothing more. Says nothing if `readOnlyHint` is true. Default: false. */
  idempotentHint?: boolean;
  /**
   * It reaches beyond a fixed set of things, as a web search does and a note store does not. Default: true.
   */
  openWorldHint?: boolean;
}

/**
 * A function a server offers, as a model needs to know it in order to call it.
 *
 * @category `tools/list`
 */
export interface Tool extends BaseMetadata, Icons {
  /** What it does and when to use it, written for the model. */
  description?: string;
  /**
   * JSON Schema of `arguments`, in the 2020-12 dialect unless `$schema` names another; every keyword is
   * allowed. A property marked `x-mcp-header: "Name"` is also sent as the HTTP header `Mcp-Param-Name`.
   */
  inputSchema: {
    /** URI of the dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Arguments are always an object. */
    type: "object";
    /** Any other JSON Schema keyword; hand it on untouched. */
    [key: string]: unknown;
  };
  /**
   * JSON Schema of `structuredContent`, of any type, in the 2020-12 dialect unless `$schema` names another. A
   * tool that has it must return that member, and it must fit.
   */
  outputSchema?: {
    /** URI of the dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Any JSON Schema keyword, `type` among them; hand it on untouched. */
    [key: string]: unknown;
  };
  /** Claims about its behaviour, to be trusted as far as the server is. */
  annotations?: ToolAnnotations;
  /** Extra data about the tool, for hosts and extensions that know the keys. */
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
  /** How severe it is. */
  level: LoggingLevel;
  /** Part of the server it comes from. */
  logger?: string;
  /** What to log: a string or any other JSON value. Never secrets or personal data. */
  data: unknown;
}

/**
 * A log message about a request. Sent on its response stream, and only if the request sets a log level.
 *
 * @deprecated Since 2026-07-28; write to stderr or use OpenTelemetry instead.
 * @category `notifications/message`
 */
export interface LoggingMessageNotification extends JSONRPCNotification {
  /** Wire name; server to client. */
  method: "notifications/message";
  /** The message, its severity and its source. */
  params: LoggingMessageNotificationParams;
}

/**
 * Severities of RFC 5424, from the least to the most severe.
 *
 * @deprecated Since 2026-07-28, with logging as a whole; write to stderr or use OpenTelemetry instead.
 * @category Common Types
 */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

// Sampling

/**
 * The conversation and how to continue it. The client keeps to `maxTokens`; most else is advice.
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
  /** What matters in the choice of a model; the client may choose otherwise. */
  modelPreferences?: ModelPreferences;
  /** System prompt the server would like; the client may change or drop it. */
  systemPrompt?: string;
  /**
   * Whose context to add to the prompt. Default: `none`; the other values need `sampling.context`.
   *
   * @deprecated `thisServer` and `allServers` since 2025-11-25; leave the member out or send `none`.
   */
  includeContext?: "none" | "thisServer" | "allServers";
  /**
   * Randomness of the model's choices, on that model's own scale.
   *
   * @TJS-type number
   */
  temperature?: number;
  /** Most tokens the answer may have; it may be shorter. */
  maxTokens: number;
  /** Strings at which the model stops writing. */
  stopSequences?: string[];
  /** Settings for the model's provider, passed on as they are; each provider has its own. */
  metadata?: JSONObject;
  /** Tools the model may ask for. Needs `sampling.tools`. */
  tools?: Tool[];
  /** Whether the model has to use a tool. Needs `sampling.tools`. Default: `{ mode: "auto" }`. */
  toolChoice?: ToolChoice;
}

/**
 * How free the model is to use tools or not.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ToolChoice {
  /** `auto`: as it likes; `required`: one at least; `none`: not any. Default: `auto`. */
  mode?: "auto" | "required" | "none";
}

/**
 * Asks the client to sample its model, as part of an `InputRequiredResult`. The client selects the model,
 * and the user may review or reject the request.
 *
 * @deprecated Since 2026-07-28; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface CreateMessageRequest {
  /** Says that this input request is for the model; its answer is a `CreateMessageResult`. */
  method: "sampling/createMessage";
  /** The conversation and how to continue it. */
  params: CreateMessageRequestParams;
}

/**
 * The message the model wrote, once the person at the client had a chance to see it.
 *
 * @deprecated Since 2026-07-28; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface CreateMessageResult extends SamplingMessage {
  /** Model that wrote it, by its provider's name. */
  model: string;
  /**
   * Why the model stopped: done (`endTurn`), a stop sequence, the token limit, to have tools run (`toolUse`),
   * or a reason of its provider's.
   */
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | "toolUse" | string;
}

/**
 * One turn of a conversation with a model.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface SamplingMessage {
  /** Who is speaking in this turn. */
  role: Role;
  /** What is said: one block or several. A user turn with a `tool_result` holds nothing but tool results. */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  /** Extra data about the turn, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * What a turn with a model can hold; unlike a `ContentBlock` it includes tool use and no resources.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export type SamplingMessageContentBlock =
  TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

// Content

/**
 * Hints for the host: whom something is for and how much it matters.
 *
 * @category Common Types
 */
export interface Annotations {
  /** Who should get to see it: the person, the model, or both. Absent: no preference. */
  audience?: Role[];
  /**
   * How much it matters, from 0 (could be left out) to 1 (cannot be left out).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  priority?: number;
  /** When it last changed, in ISO 8601, for example `2025-06-18T09:00:00Z`. */
  lastModified?: string;
}

/**
 * What prompts and tool results are made of; `type` tells the blocks apart.
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
  /** Tells text from the other content blocks. */
  type: "text";
  /** The words themselves. */
  text: string;
  /** Hints for the host: whom it is for and how much it matters. */
  annotations?: Annotations;
  /** Extra data about the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * A picture, carried along in the message.
 *
 * @category Content
 */
export interface ImageContent {
  /** Tells an image from the other content blocks. */
  type: "image";
  /**
   * The image file in base64.
   *
   * @format byte
   */
  data: string;
  /** Format of the image, for example `image/png`. Not every model takes every format. */
  mimeType: string;
  /** Hints for the host: whom it is for and how much it matters. */
  annotations?: Annotations;
  /** Extra data about the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * A sound recording, carried along in the message.
 *
 * @category Content
 */
export interface AudioContent {
  /** Tells audio from the other content blocks. */
  type: "audio";
  /**
   * The audio file in base64.
   *
   * @format byte
   */
  data: string;
  /** Format of the audio, for example `audio/wav`. Not every model takes every format. */
  mimeType: string;
  /** Hints for the host: whom it is for and how much it matters. */
  annotations?: Annotations;
  /** Extra data about the block, for hosts and extensions that know the keys. */
  _meta?: MetaObject;
}

/**
 * The model's wish to have a tool run, found in its answer.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ToolUseContent {
  /** Tells a tool use from the other blocks of a turn. */
  type: "tool_use";
  /** Identifier the matching `tool_result` repeats. */
  id: string;
  /** Which of the offered tools. */
  name: string;
  /** Arguments for it, meant to fit its `inputSchema`. */
  input: { [key: string]: unknown };
  /** Extra data about the tool use. Keep it when the turn is sent again; caches rely on it. */
  _meta?: MetaObject;
}

/**
 * What a tool returned, on its way back to the model.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ToolResultContent {
  /** Tells a tool result from the other blocks of a turn. */
  type: "tool_result";
  /** Names the tool use it answers, in the turn before, by its `id`. */
  toolUseId: string;
  /** What the model gets to see, as in `CallToolResult`. */
  content: ContentBlock[];
  /** The same as any JSON value for programs; should fit the tool's `outputSchema`. */
  structuredContent?: unknown;
  /** The tool failed; `content` says how. Default: false. */
  isError?: boolean;
  /** Extra data about the tool result. Keep it when the turn is sent again; caches rely on it. */
  _meta?: MetaObject;
}

// Model selection

/**
 * What a server would like of the model: names it knows and what to weigh. The client need not follow.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ModelPreferences {
  /** Models it would like, best first. They go before the priorities. */
  hints?: ModelHint[];
  /**
   * How much a low price matters, from 0 (not at all) to 1 (above all).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  costPriority?: number;
  /**
   * How much a fast answer matters, from 0 (not at all) to 1 (above all).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  speedPriority?: number;
  /**
   * How much ability matters, from 0 (not at all) to 1 (above all).
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  intelligencePriority?: number;
}

/**
 * One model or family a server would like; members beyond `name` mean what the client makes of them.
 *
 * @deprecated Since 2026-07-28, with sampling as a whole; call a model provider's API directly instead.
 * @category `sampling/createMessage`
 */
export interface ModelHint {
  /**
   * Part of a model's name: `sonnet` fits all models called that. A client may take an
   * equivalent of another make.
   */
  name?: string;
}

// Completion

/**
 * Which argument of which prompt or template, and what is typed so far.
 *
 * @category `completion/complete`
 */
export interface CompleteRequestParams extends RequestParams {
  /** The prompt or resource template the argument belongs to. */
  ref: PromptReference | ResourceTemplateReference;
  /** The argument being typed. */
  argument: {
    /** Which prompt argument or template variable it is. */
    name: string;
    /** What is typed so far; may be empty. */
    value: string;
  };
  /** What is already settled and may narrow the choice. */
  context?: {
    /** Arguments or variables filled in before this one, by name. */
    arguments?: { [key: string]: string };
  };
}

/**
 * Requests suggestions for the value of an argument while the user types it.
 *
 * @category `completion/complete`
 */
export interface CompleteRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `CompleteResult`. */
  method: "completion/complete";
  /** Which argument, and what is typed so far. */
  params: CompleteRequestParams;
}

/**
 * Values that would complete the argument.
 *
 * @category `completion/complete`
 */
export interface CompleteResult extends Result {
  /** The values and how many there are. */
  completion: {
    /**
     * Suggestions, best first; 100 at most.
     *
     * @maxItems 100
     */
    values: string[];
    /** How many there are in all, if known; may be more than `values` has. */
    total?: number;
    /** There are more than `values` has, be their number known or not. Absent: nothing is said about it. */
    hasMore?: boolean;
  };
}

/**
 * The whole answer to `completion/complete`.
 *
 * @category `completion/complete`
 */
export interface CompleteResultResponse extends JSONRPCResultResponse {
  /** The values found. */
  result: CompleteResult;
}

/**
 * Points completion at a resource template, by URI.
 *
 * @category `completion/complete`
 */
export interface ResourceTemplateReference {
  /** Tells a resource from a prompt. */
  type: "ref/resource";
  /**
   * The template as listed, or a plain URI.
   *
   * @format uri-template
   */
  uri: string;
}

/**
 * Points completion at a prompt, by name.
 *
 * @category `completion/complete`
 */
export interface PromptReference extends BaseMetadata {
  /** Tells a prompt from a resource. */
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
  /** Says that this input request is for roots; its answer is a `ListRootsResult`. */
  method: "roots/list";
  /** Nothing but `_meta`. */
  params?: {
    /** Extra data about the request, under keys that server and client agree on. */
    _meta?: MetaObject;
  };
}

/**
 * The places a server may work in, all at once.
 *
 * @deprecated Since 2026-07-28; pass directories as tool arguments instead.
 * @category `roots/list`
 */
export interface ListRootsResult {
  /** The roots; there are no pages. */
  roots: Root[];
}

/**
 * A directory or file the user has opened to a server.
 *
 * @deprecated Since 2026-07-28; pass directories as tool arguments instead.
 * @category `roots/list`
 */
export interface Root {
  /**
   * Where it is; always a `file://` URI for now.
   *
   * @format uri
   */
  uri: string;
  /** Label for people, such as the project's name. */
  name?: string;
  /** Extra data about the root, for servers and extensions that know the keys. */
  _meta?: MetaObject;
}

// Elicitation

/**
 * Asks through a form. Never for passwords or other secrets: those go by URL.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequestFormParams {
  /** Form mode, which is also meant when the member is absent. */
  mode?: "form";
  /** Text above the form: what the server wants to know and why. */
  message: string;
  /** The form, as a JSON Schema of one level: no objects within the object. */
  requestedSchema: {
    /** URI of the dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** A form is always an object. */
    type: "object";
    /** The fields of the form, by name. */
    properties: {
      [key: string]: PrimitiveSchemaDefinition;
    };
    /** Names of the fields the user has to fill in. Absent: none. */
    required?: string[];
  };
}

/**
 * Asks on a web page, so that the answer passes neither the client nor the model.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequestURLParams {
  /** URL mode, never meant when the member is absent. */
  mode: "url";
  /** Text shown with the link: why the visit is needed. */
  message: string;
  /**
   * The page. Show it in full and open it only once the user agrees.
   *
   * @format uri
   */
  url: string;
}

/**
 * What to ask the user and where; without `mode` it is a form.
 *
 * @category `elicitation/create`
 */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/**
 * Asks the user for information, in a form or on a web page, as part of an `InputRequiredResult`.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequest {
  /** Says that this input request is for the user; its answer is an `ElicitResult`. */
  method: "elicitation/create";
  /** What to ask, and where. */
  params: ElicitRequestParams;
}

/**
 * One field of a form: text, a number, a yes or no, or a choice of one or several.
 *
 * @category `elicitation/create`
 */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/**
 * A field for text.
 *
 * @category `elicitation/create`
 */
export interface StringSchema {
  /** Tells text from the other fields; a choice has the same `type`, but options too. */
  type: "string";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /** Fewest characters allowed. */
  minLength?: number;
  /** Most characters allowed. */
  maxLength?: number;
  /** Kind of text to insist on: a mail address, a URI, a day, or a day with time. */
  format?: "email" | "uri" | "date" | "date-time";
  /** Text to start with. */
  default?: string;
}

/**
 * A field for a number.
 *
 * @category `elicitation/create`
 */
export interface NumberSchema {
  /** `integer` allows whole numbers only. */
  type: "number" | "integer";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /**
   * Smallest value allowed.
   *
   * @TJS-type number
   */
  minimum?: number;
  /**
   * Largest value allowed.
   *
   * @TJS-type number
   */
  maximum?: number;
  /**
   * Number to start with.
   *
   * @TJS-type number
   */
  default?: number;
}

/**
 * A field for yes or no.
 *
 * @category `elicitation/create`
 */
export interface BooleanSchema {
  /** Tells yes or no from the other fields. */
  type: "boolean";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /** Answer to start with. */
  default?: boolean;
}

/**
 * A choice of one, where the values speak for themselves.
 *
 * @category `elicitation/create`
 */
export interface UntitledSingleSelectEnumSchema {
  /** The chosen value is a string. */
  type: "string";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /** The values to choose from, shown as they are. */
  enum: string[];
  /** Value chosen to start with. */
  default?: string;
}

/**
 * A choice of one, where each value has a label.
 *
 * @category `elicitation/create`
 */
export interface TitledSingleSelectEnumSchema {
  /** The chosen value is a string. */
  type: "string";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /** The options to choose from. */
  oneOf: Array<{
    /** Value sent if this option is chosen. */
    const: string;
    /** Label of the option. */
    title: string;
  }>;
  /** Value chosen to start with. */
  default?: string;
}

/**
 * A choice of one; `enum` or `oneOf` tells whether the options have labels.
 *
 * @category `elicitation/create`
 */
export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

/**
 * A choice of any number, where the values speak for themselves.
 *
 * @category `elicitation/create`
 */
export interface UntitledMultiSelectEnumSchema {
  /** The chosen values come as an array. */
  type: "array";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /** Fewest options to choose. */
  minItems?: number;
  /** Most options to choose. */
  maxItems?: number;
  /** What each chosen value may be. */
  items: {
    /** Each chosen value is a string. */
    type: "string";
    /** The values to choose from, shown as they are. */
    enum: string[];
  };
  /** Values chosen to start with. */
  default?: string[];
}

/**
 * A choice of any number, where each value has a label.
 *
 * @category `elicitation/create`
 */
export interface TitledMultiSelectEnumSchema {
  /** The chosen values come as an array. */
  type: "array";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /** Fewest options to choose. */
  minItems?: number;
  /** Most options to choose. */
  maxItems?: number;
  /** What each chosen value may be, with labels. */
  items: {
    /** The options to choose from. */
    anyOf: Array<{
      /** Value sent if this option is chosen. */
      const: string;
      /** Label of the option. */
      title: string;
    }>;
  };
  /** Values chosen to start with. */
  default?: string[];
}

/**
 * A choice of any number; `items` tells whether the options have labels.
 *
 * @category `elicitation/create`
 */
export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

/**
 * A choice of one in the notation of 2025-06-18, still accepted and due to go; write
 * `TitledSingleSelectEnumSchema`.
 *
 * @category `elicitation/create`
 */
export interface LegacyTitledEnumSchema {
  /** The chosen value is a string. */
  type: "string";
  /** Label of the field. Absent: its name. */
  title?: string;
  /** Explanation shown with the field. */
  description?: string;
  /** The values to choose from; one of them is sent. */
  enum: string[];
  /** Labels of the values, in the same order; JSON Schema has no such keyword. */
  enumNames?: string[];
  /** Value chosen to start with. */
  default?: string;
}

/**
 * A field for a choice: of one, of several, or in the older notation.
 *
 * @category `elicitation/create`
 */
export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

/**
 * What the user did with the question.
 *
 * @category `elicitation/create`
 */
export interface ElicitResult {
  /** `accept`: answered or agreed; `decline`: said no; `cancel`: closed it without deciding. */
  action: "accept" | "decline" | "cancel";
  /**
   * The filled-in form, by field; only with `accept`, and never in URL mode. A
   * multiple choice gives an array.
   */
  content?: { [key: string]: string | number | boolean | string[] };
}

// What a client sends

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
 * The one notification a client may send.
 *
 * @internal
 */
export type ClientNotification = CancelledNotification;

/**
 * Unused: a client answers no requests in this revision. What it found out travels as `InputResponse`.
 *
 * @internal
 */
export type ClientResult = EmptyResult;

// What a server sends

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
 * Every result a server may answer with; `resultType` tells an `InputRequiredResult` from the others.
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
