// The Model Context Protocol, revision 2025-11-25: every message, member and constant it defines.
// The declarations are those of the specification. The comments are our own; where they are silent
// or unclear, the specification at modelcontextprotocol.io is authoritative.

// Messages and shared types

/**
 * A JSON-RPC message: a line on stdio, the body of a POST request or the data of an SSE event.
 *
 * @category JSON-RPC
 */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/**
 * The revision that this file describes, as sent in `protocolVersion` of `initialize`.
 *
 * @internal
 */
export const LATEST_PROTOCOL_VERSION = "2025-11-25";
/**
 * The JSON-RPC version: the value of `jsonrpc` in every message.
 *
 * @internal
 */
export const JSONRPC_VERSION = "2.0";

/**
 * Identifies a request in its progress notifications. The sender of the request chooses it, unique among its
 * active requests. A number must be an integer.
 *
 * @category Common Types
 */
export type ProgressToken = string | number;

/**
 * Marks a position in a paginated list. Clients send it back unchanged, do not parse it and do not keep it
 * after the session.
 *
 * @category Common Types
 */
export type Cursor = string;

/**
 * Parameters of a request that the receiver may run as a task: `tools/call`, `sampling/createMessage`,
 * `elicitation/create`.
 *
 * @internal
 */
export interface TaskAugmentedRequestParams extends RequestParams {
  /**
   * Requests that the receiver run this request as a task. The receiver returns a `CreateTaskResult`
   * immediately, and `tasks/result` returns the result. A receiver that did not declare task support for this
   * method ignores this member.
   */
  task?: TaskMetadata;
}

/**
 * Parameters that every request may have.
 *
 * @internal
 */
export interface RequestParams {
  /** Metadata of the request. Keys with a `modelcontextprotocol` or `mcp` prefix are reserved. */
  _meta?: {
    /** Requests progress notifications that carry this token. The receiver may send none. */
    progressToken?: ProgressToken;
    /** Other metadata. The sender or an extension defines the keys. */
    [key: string]: unknown;
  };
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
 * @internal
 */
export interface NotificationParams {
  /** Metadata of the notification. Keys with a `modelcontextprotocol` or `mcp` prefix are reserved. */
  _meta?: { [key: string]: unknown };
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
 * Base of all results: `_meta` and the members that the method defines.
 *
 * @category Common Types
 */
export interface Result {
  /** Metadata of the result. Keys with a `modelcontextprotocol` or `mcp` prefix are reserved. */
  _meta?: { [key: string]: unknown };
  /** Members that the method, an extension or the sender defines. */
  [key: string]: unknown;
}

/**
 * The `error` of a failed request. Not JavaScript's global `Error`.
 *
 * @category Common Types
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
 * Identifies a request and its response. A number must be an integer. An id is never null and is never reused
 * in a session.
 *
 * @category Common Types
 */
export type RequestId = string | number;

/**
 * A message that requires a response. Both sides send requests.
 *
 * @category JSON-RPC
 */
export interface JSONRPCRequest extends Request {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Chosen by the sender. The response has the same `id`. */
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
/** The receiver does not implement the method or did not declare the capability that it requires. */
export const METHOD_NOT_FOUND = -32601;
/** The parameters do not fit the method: an unknown tool, a missing argument, an expired cursor. */
export const INVALID_PARAMS = -32602;
/** The receiver failed for an internal reason. */
export const INTERNAL_ERROR = -32603;
/**
 * The user must open the URLs in `error.data.elicitations` before the request can succeed.
 *
 * @internal
 */
export const URL_ELICITATION_REQUIRED = -32042;

/**
 * Rejects a request that requires the user to open URLs first. The client opens them with the user's consent,
 * then retries the request.
 *
 * @internal
 */
export interface URLElicitationRequiredError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error, with the list of URLs in `data`. */
  error: Error & {
    /** Always -32042. */
    code: typeof URL_ELICITATION_REQUIRED;
    /** The required elicitations. */
    data: {
      /** The required elicitations, each in `url` mode with its own `elicitationId`. */
      elicitations: ElicitRequestURLParams[];
      /** Additional data from the server. */
      [key: string]: unknown;
    };
  };
}

// Empty result

/**
 * Acknowledges a successful request that has nothing to return: `{}`.
 *
 * @category Common Types
 */
export type EmptyResult = Result;

// Cancellation

/**
 * The request to cancel and the reason.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotificationParams extends NotificationParams {
  /** The `id` of a request that the sender of this notification made. Required, except for tasks. */
  requestId?: RequestId;
  /** The reason, for logs or the user. Programs do not interpret it. */
  reason?: string;
}

/**
 * Cancels a request of the sender, which may already be complete. The receiver stops the work and sends no
 * response. `initialize` cannot be cancelled, and a task is cancelled with `tasks/cancel`.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotification extends JSONRPCNotification {
  /** Method name. Sent by either side for a request that it made. */
  method: "notifications/cancelled";
  /** The request to cancel and the reason. */
  params: CancelledNotificationParams;
}

// Initialization

/**
 * The proposed revision, and the capabilities, name and version of the client.
 *
 * @category `initialize`
 */
export interface InitializeRequestParams extends RequestParams {
  /** The revision that the client proposes, normally its latest. The server may return another. */
  protocolVersion: string;
  /** Capabilities of the client, valid for the whole connection. */
  capabilities: ClientCapabilities;
  /** Name and version of the client program. */
  clientInfo: Implementation;
}

/**
 * Opens a session: the client proposes a revision and declares its capabilities. Only `ping` may be sent
 * earlier.
 *
 * @category `initialize`
 */
export interface InitializeRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `InitializeResult`. */
  method: "initialize";
  /** The proposed revision, and the capabilities, name and version of the client. */
  params: InitializeRequestParams;
}

/**
 * The server's part of the handshake: the revision to use and the server's capabilities.
 *
 * @category `initialize`
 */
export interface InitializeResult extends Result {
  /** The revision for the rest of the connection. A client that does not support it disconnects. */
  protocolVersion: string;
  /** Capabilities of the server, valid for the whole connection. */
  capabilities: ServerCapabilities;
  /** Name and version of the server program. */
  serverInfo: Implementation;
  /** Advice on using this server, written for a model; a host may put it into the system prompt. */
  instructions?: string;
}

/**
 * Ends the handshake: the client accepts the revision, and both sides may send other requests.
 *
 * @category `notifications/initialized`
 */
export interface InitializedNotification extends JSONRPCNotification {
  /** Method name. Sent by the client once, right after `InitializeResult`. */
  method: "notifications/initialized";
  /** Only `_meta`. */
  params?: NotificationParams;
}

/**
 * Features that a client supports. A member that is present declares its feature; unknown members are
 * allowed.
 *
 * @category `initialize`
 */
export interface ClientCapabilities {
  /** Experimental features outside the protocol, by name. The objects are their settings. */
  experimental?: { [key: string]: object };
  /** The client supports `roots/list`. */
  roots?: {
    /** The client sends `notifications/roots/list_changed` when the list changes. Default: false. */
    listChanged?: boolean;
  };
  /** The client supports `sampling/createMessage`, which runs a model. */
  sampling?: {
    /** The client supports `includeContext`. Without it, servers send only `none` or omit the member. */
    context?: object;
    /** The client supports `tools` and `toolChoice`. Without it, servers must not send them. */
    tools?: object;
  };
  /** The client supports `elicitation/create`. An empty object means form mode only. */
  elicitation?: {
    /** The client can show a form that a schema describes. */
    form?: object;
    /** The client can open a URL with the user's consent. */
    url?: object;
  };
  /** The client can run requests of the server as tasks. Experimental in this revision. */
  tasks?: {
    /** Supports `tasks/list`. */
    list?: object;
    /** Supports `tasks/cancel`. */
    cancel?: object;
    /** The requests that can run as tasks. All other requests cannot. */
    requests?: {
      /** Sampling requests that can run as tasks. */
      sampling?: {
        /** `sampling/createMessage` may have `task`. */
        createMessage?: object;
      };
      /** Elicitation requests that can run as tasks. */
      elicitation?: {
        /** `elicitation/create` may have `task`. */
        create?: object;
      };
    };
  };
}

/**
 * Features that a server supports. A member that is present declares its feature; unknown members are
 * allowed.
 *
 * @category `initialize`
 */
export interface ServerCapabilities {
  /** Experimental features outside the protocol, by name. The objects are their settings. */
  experimental?: { [key: string]: object };
  /** The server sends `notifications/message` and supports `logging/setLevel`. */
  logging?: object;
  /** The server supports `completion/complete`. */
  completions?: object;
  /** The server supports `prompts/list` and `prompts/get`. */
  prompts?: {
    /** The server sends `notifications/prompts/list_changed` when the list changes. Default: false. */
    listChanged?: boolean;
  };
  /** The server supports `resources/list`, `resources/templates/list` and `resources/read`. */
  resources?: {
    /** The server supports `resources/subscribe` and `resources/unsubscribe`. Default: false. */
    subscribe?: boolean;
    /** The server sends `notifications/resources/list_changed` when the list changes. Default: false. */
    listChanged?: boolean;
  };
  /** The server supports `tools/list` and `tools/call`. */
  tools?: {
    /** The server sends `notifications/tools/list_changed` when the list changes. Default: false. */
    listChanged?: boolean;
  };
  /** The server can run requests of the client as tasks. Experimental in this revision. */
  tasks?: {
    /** Supports `tasks/list`. */
    list?: object;
    /** Supports `tasks/cancel`. */
    cancel?: object;
    /** The requests that can run as tasks. All other requests cannot. */
    requests?: {
      /** Tool requests that can run as tasks. */
      tools?: {
        /** `tools/call` may have `task` if the tool allows it. */
        call?: object;
      };
    };
  };
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
 * @category `initialize`
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

// Ping

/**
 * Checks that the other side still responds. Allowed at any time. Without a response, the sender may close
 * the connection.
 *
 * @category `ping`
 */
export interface PingRequest extends JSONRPCRequest {
  /** Method name. Sent by either side; the result is `EmptyResult`. */
  method: "ping";
  /** Only `_meta`. */
  params?: RequestParams;
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
 * Reports the progress of a request to its sender. Sent only for requests with a progress token.
 *
 * @category `notifications/progress`
 */
export interface ProgressNotification extends JSONRPCNotification {
  /** Method name. Sent by the side that processes the request. */
  method: "notifications/progress";
  /** The request and its progress. */
  params: ProgressNotificationParams;
}

// Pagination

/**
 * Parameters of the list requests.
 *
 * @internal
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
  /** The page to get. */
  params?: PaginatedRequestParams;
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
 * One page of resources.
 *
 * @category `resources/list`
 */
export interface ListResourcesResult extends PaginatedResult {
  /** The resources on this page. The server may be able to read others too. */
  resources: Resource[];
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
 * One page of resource templates.
 *
 * @category `resources/templates/list`
 */
export interface ListResourceTemplatesResult extends PaginatedResult {
  /** The templates on this page. */
  resourceTemplates: ResourceTemplate[];
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
 * The resource to read.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequestParams extends ResourceRequestParams {}

/**
 * Reads a resource by its URI, which is listed or expanded from a template.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `ReadResourceResult`. */
  method: "resources/read";
  /** The resource to read. */
  params: ReadResourceRequestParams;
}

/**
 * The current contents of a resource.
 *
 * @category `resources/read`
 */
export interface ReadResourceResult extends Result {
  /** The parts of the resource, each text or base64. A directory, for example, has one part per file. */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/**
 * Reports that the list of resources has changed. Sent without a subscription.
 *
 * @category `notifications/resources/list_changed`
 */
export interface ResourceListChangedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server if it declared `resources.listChanged`. */
  method: "notifications/resources/list_changed";
  /** Only `_meta`. */
  params?: NotificationParams;
}

/**
 * The resource to subscribe to.
 *
 * @category `resources/subscribe`
 */
export interface SubscribeRequestParams extends ResourceRequestParams {}

/**
 * Subscribes to the changes of a resource until `resources/unsubscribe`.
 *
 * @category `resources/subscribe`
 */
export interface SubscribeRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `EmptyResult`. Requires `resources.subscribe`. */
  method: "resources/subscribe";
  /** The resource to subscribe to. */
  params: SubscribeRequestParams;
}

/**
 * The resource to unsubscribe from.
 *
 * @category `resources/unsubscribe`
 */
export interface UnsubscribeRequestParams extends ResourceRequestParams {}

/**
 * Ends the subscription to the resource with this URI.
 *
 * @category `resources/unsubscribe`
 */
export interface UnsubscribeRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `EmptyResult`. */
  method: "resources/unsubscribe";
  /** The resource to unsubscribe from. */
  params: UnsubscribeRequestParams;
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
 * Reports that a resource has changed. Read it again for its new contents. Sent only to subscribers.
 *
 * @category `notifications/resources/updated`
 */
export interface ResourceUpdatedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server after `resources/subscribe`. */
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
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
 * One page of prompts.
 *
 * @category `prompts/list`
 */
export interface ListPromptsResult extends PaginatedResult {
  /** The prompts on this page, with the arguments they take. */
  prompts: Prompt[];
}

/**
 * The prompt and its arguments.
 *
 * @category `prompts/get`
 */
export interface GetPromptRequestParams extends RequestParams {
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
  /** Method name. Sent by the client; the result is `GetPromptResult`. */
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
}

/**
 * Reports that the list of prompts has changed. Sent without a subscription.
 *
 * @category `notifications/prompts/list_changed`
 */
export interface PromptListChangedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server if it declared `prompts.listChanged`. */
  method: "notifications/prompts/list_changed";
  /** Only `_meta`. */
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
 * One page of tools.
 *
 * @category `tools/list`
 */
export interface ListToolsResult extends PaginatedResult {
  /** The tools on this page, with their schemas. */
  tools: Tool[];
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
   * The result as an object, for programs. If the tool has an `outputSchema`, a successful result has this
   * member, and the object is valid for the schema.
   */
  structuredContent?: { [key: string]: unknown };
  /** True if the tool ran and failed; `content` explains why. Default: false. */
  isError?: boolean;
}

/**
 * The tool, its arguments, and whether to run the call as a task.
 *
 * @category `tools/call`
 */
export interface CallToolRequestParams extends TaskAugmentedRequestParams {
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
  /**
   * Method name. Sent by the client; the result is `CallToolResult`, or `CreateTaskResult` if run as a task.
   */
  method: "tools/call";
  /** The tool and its arguments. */
  params: CallToolRequestParams;
}

/**
 * Reports that the list of tools has changed. Sent without a subscription.
 *
 * @category `notifications/tools/list_changed`
 */
export interface ToolListChangedNotification extends JSONRPCNotification {
  /** Method name. Sent by the server if it declared `tools.listChanged`. */
  method: "notifications/tools/list_changed";
  /** Only `_meta`. */
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
 * How calls of a tool run.
 *
 * @category `tools/list`
 */
export interface ToolExecution {
  /**
   * Whether calls have `task`: never (`forbidden`), optionally (`optional`) or always (`required`). Other
   * calls get error -32601. Default: `forbidden`.
   */
  taskSupport?: "forbidden" | "optional" | "required";
}

/**
 * A function of the server that a model can call.
 *
 * @category `tools/list`
 */
export interface Tool extends BaseMetadata, Icons {
  /** Describes to the model what the tool does and when to use it. */
  description?: string;
  /** JSON Schema of `arguments`, in the 2020-12 dialect unless `$schema` names another. */
  inputSchema: {
    /** URI of the JSON Schema dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Arguments are always an object. */
    type: "object";
    /** Schema of each argument, by name. If absent, the tool declares none. */
    properties?: { [key: string]: object };
    /** Names of the required arguments. If absent, all are optional. */
    required?: string[];
  };
  /** How calls of the tool run. If absent, they cannot run as tasks. */
  execution?: ToolExecution;
  /**
   * JSON Schema of `structuredContent`, in the 2020-12 dialect unless `$schema` names another. If present,
   * the tool must return a valid `structuredContent`.
   */
  outputSchema?: {
    /** URI of the JSON Schema dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Structured output is always an object in this revision. */
    type: "object";
    /** Schema of each member of the output, by name. */
    properties?: { [key: string]: object };
    /** Names of the required members of the output. */
    required?: string[];
  };
  /** Hints about the behaviour of the tool. Trust them only if you trust the server. */
  annotations?: ToolAnnotations;
  /** Metadata of the tool, for hosts and extensions that know the keys. */
  _meta?: { [key: string]: unknown };
}

// Tasks

/**
 * Status of a task. A task starts as `working` and may change to `input_required` and back. The other three
 * values are final.
 *
 * @category `tasks`
 */
export type TaskStatus =
  /** The receiver is processing the request. */
  | "working"
  /** The task waits for input from the requester. `tasks/result` delivers the request for the input. */
  | "input_required"
  /** The task is complete, and `tasks/result` returns the result. */
  | "completed"
  /** The task failed with an error, or with a tool result that has `isError`. */
  | "failed"
  /** The task was cancelled before it completed. */
  | "cancelled";

/**
 * Options for a new task.
 *
 * @category `tasks`
 */
export interface TaskMetadata {
  /**
   * Requested time to keep the task and its result, in milliseconds from creation. The receiver may choose
   * another.
   */
  ttl?: number;
}

/**
 * Associates a message with a task: the value of `io.modelcontextprotocol/related-task` in `_meta`.
 *
 * @category `tasks`
 */
export interface RelatedTaskMetadata {
  /** Id of the task that the message belongs to. */
  taskId: string;
}

/**
 * The state of a request that runs as a task.
 *
 * @category `tasks`
 */
export interface Task {
  /** Id of the task, chosen by the side that runs it. It is opaque and unique for that side. */
  taskId: string;
  /** Status of the task. */
  status: TaskStatus;
  /** Text for people about the status, such as the reason for a failure. */
  statusMessage?: string;
  /** Time of creation, in ISO 8601, for example `2025-11-25T10:30:00Z`. */
  createdAt: string;
  /** Time of the last change, in ISO 8601. */
  lastUpdatedAt: string;
  /**
   * Milliseconds from creation after which the task may be deleted. Null means no limit.
   *
   * @nullable
   */
  ttl: number | null;
  /** Milliseconds to wait between two `tasks/get` requests. If absent, the requester chooses. */
  pollInterval?: number;
}

/**
 * The immediate result of a request that runs as a task. `tasks/result` returns the actual result.
 *
 * @category `tasks`
 */
export interface CreateTaskResult extends Result {
  /** The new task, with the status `working`. */
  task: Task;
}

/**
 * Gets the status of a task without waiting for its completion.
 *
 * @category `tasks/get`
 */
export interface GetTaskRequest extends JSONRPCRequest {
  /** Method name. Sent by the requester of the task; the result is `GetTaskResult`. */
  method: "tasks/get";
  /** The task. */
  params: {
    /** Id from `CreateTaskResult`. An unknown or expired id results in error -32602. */
    taskId: string;
  };
}

/**
 * The current state of a task.
 *
 * @category `tasks/get`
 */
export type GetTaskResult = Result & Task;

/**
 * Waits for the completion of a task and gets its result.
 *
 * @category `tasks/result`
 */
export interface GetTaskPayloadRequest extends JSONRPCRequest {
  /** Method name. Sent by the requester of the task; the result is `GetTaskPayloadResult`. */
  method: "tasks/result";
  /** The task. */
  params: {
    /** Id from `CreateTaskResult`. An unknown or expired id results in error -32602. */
    taskId: string;
  };
}

/**
 * The result of the original request, such as a `CallToolResult` for `tools/call`.
 *
 * @category `tasks/result`
 */
export interface GetTaskPayloadResult extends Result {
  /** Members of the result. */
  [key: string]: unknown;
}

/**
 * Cancels a task. Results in error -32602 if the task has already ended.
 *
 * @category `tasks/cancel`
 */
export interface CancelTaskRequest extends JSONRPCRequest {
  /** Method name. Sent by the requester of the task; the result is `CancelTaskResult`. */
  method: "tasks/cancel";
  /** The task. */
  params: {
    /** Id from `CreateTaskResult`. An unknown or expired id results in error -32602. */
    taskId: string;
  };
}

/**
 * The task, with the status `cancelled`.
 *
 * @category `tasks/cancel`
 */
export type CancelTaskResult = Result & Task;

/**
 * Lists the tasks that the receiver stores for the sender. Paginated.
 *
 * @category `tasks/list`
 */
export interface ListTasksRequest extends PaginatedRequest {
  /** Method name. Sent by either side if the other declared `tasks.list`; the result is `ListTasksResult`. */
  method: "tasks/list";
}

/**
 * One page of tasks.
 *
 * @category `tasks/list`
 */
export interface ListTasksResult extends PaginatedResult {
  /** The tasks on this page. With authorization, only the tasks of this requester. */
  tasks: Task[];
}

/**
 * The task, with its new status.
 *
 * @category `notifications/tasks/status`
 */
export type TaskStatusNotificationParams = NotificationParams & Task;

/**
 * Reports the new status of a task. The notification is optional, so the requester must poll in any case.
 *
 * @category `notifications/tasks/status`
 */
export interface TaskStatusNotification extends JSONRPCNotification {
  /** Method name. Sent by the side that runs the task. */
  method: "notifications/tasks/status";
  /** The current state of the task. */
  params: TaskStatusNotificationParams;
}

// Logging

/**
 * The new minimum severity.
 *
 * @category `logging/setLevel`
 */
export interface SetLevelRequestParams extends RequestParams {
  /** Minimum severity of the log messages to send. */
  level: LoggingLevel;
}

/**
 * Sets the lowest severity of the log messages that the server sends.
 *
 * @category `logging/setLevel`
 */
export interface SetLevelRequest extends JSONRPCRequest {
  /** Method name. Sent by the client; the result is `EmptyResult`. Requires `logging`. */
  method: "logging/setLevel";
  /** The new minimum severity. */
  params: SetLevelRequestParams;
}

/**
 * A log message with its severity and source.
 *
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
 * A log message. Until the client sets a level, the server chooses what to send.
 *
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
 * @category Common Types
 */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

// Sampling

/**
 * The conversation and the options for the next message. The client may ignore most of the options.
 *
 * @category `sampling/createMessage`
 */
export interface CreateMessageRequestParams extends TaskAugmentedRequestParams {
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
   * Context to add to the prompt. Default: `none`. The other values are being phased out and require
   * `sampling.context`.
   */
  includeContext?: "none" | "thisServer" | "allServers";
  /**
   * Randomness of the output. The scale depends on the model.
   *
   * @TJS-type number
   */
  temperature?: number;
  /** Requested maximum length of the message in tokens. It may be shorter. */
  maxTokens: number;
  /** Strings that stop the generation. */
  stopSequences?: string[];
  /**
   * Settings for the provider of the model, which the client passes on unchanged. They depend on the
   * provider.
   */
  metadata?: object;
  /** Tools that the model can call. Requires `sampling.tools`; otherwise the client returns an error. */
  tools?: Tool[];
  /**
   * Whether the model must use a tool. Requires `sampling.tools`; otherwise the client returns an error.
   * Default: `{ mode: "auto" }`.
   */
  toolChoice?: ToolChoice;
}

/**
 * Whether the model may, must or must not use tools.
 *
 * @category `sampling/createMessage`
 */
export interface ToolChoice {
  /**
   * `auto`: the model decides; `required`: at least one tool call; `none`: no tool calls. Default: `auto`.
   */
  mode?: "auto" | "required" | "none";
}

/**
 * Requests a message from a model of the client. The client selects the model, and the user may review or
 * reject the request.
 *
 * @category `sampling/createMessage`
 */
export interface CreateMessageRequest extends JSONRPCRequest {
  /**
   * Method name. Sent by the server; the result is `CreateMessageResult`, or `CreateTaskResult` if run as a
   * task.
   */
  method: "sampling/createMessage";
  /** The conversation and the options for the next message. */
  params: CreateMessageRequestParams;
}

/**
 * The message that the model generated, after the user had the chance to review it.
 *
 * @category `sampling/createMessage`
 */
export interface CreateMessageResult extends Result, SamplingMessage {
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
  _meta?: { [key: string]: unknown };
}

/**
 * A block of content in a sampling message. Unlike a `ContentBlock`, it may be a tool use or tool result, but
 * not a resource.
 *
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
}

/**
 * A tool call in a message of the model.
 *
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
  _meta?: { [key: string]: unknown };
}

/**
 * The result of a tool call, for the model.
 *
 * @category `sampling/createMessage`
 */
export interface ToolResultContent {
  /** Identifies a tool result block. */
  type: "tool_result";
  /** Refers to the tool use in the previous message by its `id`. */
  toolUseId: string;
  /** Content for the model, as in `CallToolResult`. */
  content: ContentBlock[];
  /** The result as an object, for programs. It should be valid for the tool's `outputSchema`. */
  structuredContent?: { [key: string]: unknown };
  /** True if the tool failed; `content` explains why. Default: false. */
  isError?: boolean;
  /** Metadata of the tool result. Keep it when you send the message again, because caches rely on it. */
  _meta?: { [key: string]: unknown };
}

// Model selection

/**
 * Preferences of the server for the choice of a model: names and priorities. The client may ignore them.
 *
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
    /** Suggested values, best first. At most 100. */
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
 * Lists the directories and files that the server may work with.
 *
 * @category `roots/list`
 */
export interface ListRootsRequest extends JSONRPCRequest {
  /** Method name. Sent by the server; the result is `ListRootsResult`. Requires `roots`. */
  method: "roots/list";
  /** Only `_meta`. */
  params?: RequestParams;
}

/**
 * The directories and files that the server may work with.
 *
 * @category `roots/list`
 */
export interface ListRootsResult extends Result {
  /** All roots. The list is not paginated. */
  roots: Root[];
}

/**
 * A directory or file that the user has made available to the server.
 *
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
  _meta?: { [key: string]: unknown };
}

/**
 * Reports that the list of roots has changed. The server should request it again.
 *
 * @category `notifications/roots/list_changed`
 */
export interface RootsListChangedNotification extends JSONRPCNotification {
  /** Method name. Sent by the client if it declared `roots.listChanged`. */
  method: "notifications/roots/list_changed";
  /** Only `_meta`. */
  params?: NotificationParams;
}

// Elicitation

/**
 * Requests information through a form. Must not request passwords or other secrets; use URL mode for them.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
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
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  /** URL mode. The member is required, because the default is form mode. */
  mode: "url";
  /** Text to show with the link: why the user should open it. */
  message: string;
  /**
   * Id of the elicitation, unique for the server and opaque to the client. The notification of its completion
   * has the same id.
   */
  elicitationId: string;
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
 * Requests information from the user, in a form or on a web page.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequest extends JSONRPCRequest {
  /**
   * Method name. Sent by the server; the result is `ElicitResult`, or `CreateTaskResult` if run as a task.
   */
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
export interface ElicitResult extends Result {
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

/**
 * Reports that the user has completed an elicitation in URL mode. The client can retry the request that
 * required it.
 *
 * @category `notifications/elicitation/complete`
 */
export interface ElicitationCompleteNotification extends JSONRPCNotification {
  /** Method name. Sent by the server to the client that received the request. The server may omit it. */
  method: "notifications/elicitation/complete";
  /** The elicitation that is complete. */
  params: {
    /** The `elicitationId` of the request. Unknown ids are ignored. */
    elicitationId: string;
  };
}

// Messages of the client

/**
 * Every request a client may send.
 *
 * @internal
 */
export type ClientRequest =
  | PingRequest
  | InitializeRequest
  | CompleteRequest
  | SetLevelRequest
  | GetPromptRequest
  | ListPromptsRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | CallToolRequest
  | ListToolsRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

/**
 * Every notification a client may send.
 *
 * @internal
 */
export type ClientNotification =
  | CancelledNotification
  | ProgressNotification
  | InitializedNotification
  | RootsListChangedNotification
  | TaskStatusNotification;

/**
 * Every result a client may return, except `CreateTaskResult`, which is in no union.
 *
 * @internal
 */
export type ClientResult =
  | EmptyResult
  | CreateMessageResult
  | ListRootsResult
  | ElicitResult
  | GetTaskResult
  | GetTaskPayloadResult
  | ListTasksResult
  | CancelTaskResult;

// Messages of the server

/**
 * Every request a server may send.
 *
 * @internal
 */
export type ServerRequest =
  | PingRequest
  | CreateMessageRequest
  | ListRootsRequest
  | ElicitRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

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
  | ElicitationCompleteNotification
  | TaskStatusNotification;

/**
 * Every result a server may return, except `CreateTaskResult`, which is in no union.
 *
 * @internal
 */
export type ServerResult =
  | EmptyResult
  | InitializeResult
  | CompleteResult
  | GetPromptResult
  | ListPromptsResult
  | ListResourceTemplatesResult
  | ListResourcesResult
  | ReadResourceResult
  | CallToolResult
  | ListToolsResult
  | GetTaskResult
  | GetTaskPayloadResult
  | ListTasksResult
  | CancelTaskResult;
