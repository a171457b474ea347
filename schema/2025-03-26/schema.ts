// The Model Context Protocol, revision 2025-03-26: every message, member and constant it defines.
// The declarations are those of the specification. The comments are our own; where they are silent
// or unclear, the specification at modelcontextprotocol.io is authoritative.

// Messages and shared types

/**
 * A JSON-RPC message or a batch of messages: a line on stdio, the body of a POST request or the data of an
 * SSE event.
 */
export type JSONRPCMessage =
  | JSONRPCRequest
  | JSONRPCNotification
  | JSONRPCBatchRequest
  | JSONRPCResponse
  | JSONRPCError
  | JSONRPCBatchResponse;

/**
 * Requests and notifications sent as one array. Receivers must accept batches; senders need not use them. A
 * batch must not contain `initialize`.
 */
export type JSONRPCBatchRequest = (JSONRPCRequest | JSONRPCNotification)[];

/** Responses to the requests of a batch, in any order. Match them by `id`. Notifications have no response. */
export type JSONRPCBatchResponse = (JSONRPCResponse | JSONRPCError)[];

/** The revision that this file describes, as sent in `protocolVersion` of `initialize`. */
export const LATEST_PROTOCOL_VERSION = "2025-03-26";
/** The JSON-RPC version: the value of `jsonrpc` in every message. */
export const JSONRPC_VERSION = "2.0";

/**
 * Identifies a request in its progress notifications. The sender of the request chooses it, unique among its
 * active requests. A number must be an integer.
 */
export type ProgressToken = string | number;

/**
 * Marks a position in a paginated list. Clients send it back unchanged, do not parse it and do not keep it
 * after the session.
 */
export type Cursor = string;

/** The members of every request except `jsonrpc` and `id`. */
export interface Request {
  /** Name of the method to call, such as `tools/call`. */
  method: string;
  /** Parameters of the method. Each request type narrows them; `_meta` is always allowed. */
  params?: {
    /** Metadata of the request. */
    _meta?: {
      /** Requests progress notifications that carry this token. The receiver may send none. */
      progressToken?: ProgressToken;
    };
    /** Parameters that the request type defines, and additional members. */
    [key: string]: unknown;
  };
}

/** The members of every notification except `jsonrpc`. */
export interface Notification {
  /** Name of the notification, such as `notifications/progress`. */
  method: string;
  /** Parameters of the notification. Each notification type narrows them; `_meta` is always allowed. */
  params?: {
    /** Metadata of the notification, by key. Both sides may add keys. */
    _meta?: { [key: string]: unknown };
    /** Parameters that the notification type defines, and additional members. */
    [key: string]: unknown;
  };
}

/** Base of all results: `_meta` and the members that the method defines. */
export interface Result {
  /** Metadata of the result, by key. Both sides may add keys. */
  _meta?: { [key: string]: unknown };
  /** Members that the method, an extension or the sender defines. */
  [key: string]: unknown;
}

/**
 * Identifies a request and its response. A number must be an integer. An id is never null and is never reused
 * in a session.
 */
export type RequestId = string | number;

/** A message that requires a response. Both sides send requests. */
export interface JSONRPCRequest extends Request {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Chosen by the sender. The response has the same `id`. */
  id: RequestId;
}

/** A message without `id`. It has no response, not even an error. */
export interface JSONRPCNotification extends Notification {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
}

/** The response to a successful request. The response to a failed request is a `JSONRPCError`. */
export interface JSONRPCResponse {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** The `id` of the request, unchanged. */
  id: RequestId;
  /** The result. Its type depends on the `method` of the request. */
  result: Result;
}

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

/** The response to a failed request. */
export interface JSONRPCError {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** The `id` of the failed request, unchanged. */
  id: RequestId;
  /** The error: a code, a message and optional details. */
  error: {
    /** The kind of error, an integer. The error constants of this file are the known codes. */
    code: number;
    /** One short sentence that explains the error to people. */
    message: string;
    /** Details of the error. Their type depends on `code`. */
    data?: unknown;
  };
}

// Empty result

/** Acknowledges a successful request that has nothing to return: `{}`. */
export type EmptyResult = Result;

// Cancellation

/**
 * Cancels a request of the sender, which may already be complete. The receiver stops the work and sends no
 * response. `initialize` cannot be cancelled.
 */
export interface CancelledNotification extends Notification {
  /** Method name. Sent by either side for a request that it made. */
  method: "notifications/cancelled";
  /** The request to cancel and the reason. */
  params: {
    /** The `id` of a request that the sender of this notification made. */
    requestId: RequestId;
    /** The reason, for logs or the user. Programs do not interpret it. */
    reason?: string;
  };
}

// Initialization

/**
 * Opens a session: the client proposes a revision and declares its capabilities. Only `ping` may be sent
 * earlier.
 */
export interface InitializeRequest extends Request {
  /** Method name. Sent by the client; the result is `InitializeResult`. */
  method: "initialize";
  /** The proposed revision, and the capabilities, name and version of the client. */
  params: {
    /** The revision that the client proposes, normally its latest. The server may return another. */
    protocolVersion: string;
    /** Capabilities of the client, valid for the whole connection. */
    capabilities: ClientCapabilities;
    /** Name and version of the client program. */
    clientInfo: Implementation;
  };
}

/** The server's part of the handshake: the revision to use and the server's capabilities. */
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

/** Ends the handshake: the client accepts the revision, and both sides may send other requests. */
export interface InitializedNotification extends Notification {
  /** Method name. Sent by the client once, right after `InitializeResult`. */
  method: "notifications/initialized";
}

/**
 * Features that a client supports. A member that is present declares its feature; unknown members are
 * allowed.
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
  sampling?: object;
}

/**
 * Features that a server supports. A member that is present declares its feature; unknown members are
 * allowed.
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
}

/** Identifies a client or server program by name and version. */
export interface Implementation {
  /** Name of the program, not of this connection. */
  name: string;
  /** Version of the program, in its own numbering; unrelated to protocol revisions. */
  version: string;
}

// Ping

/**
 * Checks that the other side still responds. Allowed at any time. Without a response, the sender may close
 * the connection.
 */
export interface PingRequest extends Request {
  /** Method name. Sent by either side; the result is `EmptyResult`. */
  method: "ping";
}

// Progress

/** Reports the progress of a request to its sender. Sent only for requests with a progress token. */
export interface ProgressNotification extends Notification {
  /** Method name. Sent by the side that processes the request. */
  method: "notifications/progress";
  /** The request and its progress. */
  params: {
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
  };
}

// Pagination

/** Base of the list requests, which are paginated. */
export interface PaginatedRequest extends Request {
  /** The page to get. */
  params?: {
    /** The `nextCursor` of the previous page. If absent, the first page is returned. */
    cursor?: Cursor;
  };
}

/** Base of the list results, each of which is one page. */
export interface PaginatedResult extends Result {
  /** The `cursor` of the next page. If absent, this page is the last. */
  nextCursor?: Cursor;
}

// Resources

/** Lists the resources of the server that have a fixed URI. Paginated. */
export interface ListResourcesRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListResourcesResult`. */
  method: "resources/list";
}

/** One page of resources. */
export interface ListResourcesResult extends PaginatedResult {
  /** The resources on this page. The server may be able to read others too. */
  resources: Resource[];
}

/** Lists the URI templates of the server's resources. Paginated. */
export interface ListResourceTemplatesRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListResourceTemplatesResult`. */
  method: "resources/templates/list";
}

/** One page of resource templates. */
export interface ListResourceTemplatesResult extends PaginatedResult {
  /** The templates on this page. */
  resourceTemplates: ResourceTemplate[];
}

/** Reads a resource by its URI, which is listed or expanded from a template. */
export interface ReadResourceRequest extends Request {
  /** Method name. Sent by the client; the result is `ReadResourceResult`. */
  method: "resources/read";
  /** The resource to read. */
  params: {
    /**
     * URI of the resource, in any scheme that the server supports.
     *
     * @format uri
     */
    uri: string;
  };
}

/** The current contents of a resource. */
export interface ReadResourceResult extends Result {
  /** The parts of the resource, each text or base64. A directory, for example, has one part per file. */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/** Reports that the list of resources has changed. Sent without a subscription. */
export interface ResourceListChangedNotification extends Notification {
  /** Method name. Sent by the server if it declared `resources.listChanged`. */
  method: "notifications/resources/list_changed";
}

/** Subscribes to the changes of a resource until `resources/unsubscribe`. */
export interface SubscribeRequest extends Request {
  /** Method name. Sent by the client; the result is `EmptyResult`. Requires `resources.subscribe`. */
  method: "resources/subscribe";
  /** The resource to subscribe to. */
  params: {
    /**
     * URI of the resource, in any scheme that the server supports.
     *
     * @format uri
     */
    uri: string;
  };
}

/** Ends the subscription to the resource with this URI. */
export interface UnsubscribeRequest extends Request {
  /** Method name. Sent by the client; the result is `EmptyResult`. */
  method: "resources/unsubscribe";
  /** The resource to unsubscribe from. */
  params: {
    /**
     * The URI passed to `resources/subscribe`.
     *
     * @format uri
     */
    uri: string;
  };
}

/** Reports that a resource has changed. Read it again for its new contents. Sent only to subscribers. */
export interface ResourceUpdatedNotification extends Notification {
  /** Method name. Sent by the server after `resources/subscribe`. */
  method: "notifications/resources/updated";
  /** The resource that changed. */
  params: {
    /**
     * URI of the resource that changed: the subscribed resource or one inside it.
     *
     * @format uri
     */
    uri: string;
  };
}

/** A resource in a list: its URI and description, without its contents. */
export interface Resource {
  /**
   * URI of the resource, for `resources/read`.
   *
   * @format uri
   */
  uri: string;
  /** Display name, for a list or a menu. */
  name: string;
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
}

/**
 * A URI pattern of resources that the server can read. Replace its variables to get the URI of a resource.
 */
export interface ResourceTemplate {
  /**
   * URI template in RFC 6570 syntax, for example `file:///{path}`.
   *
   * @format uri-template
   */
  uriTemplate: string;
  /** Display name, for a list or a menu. */
  name: string;
  /** Describes the resources to a model, so that it can decide when to use one. */
  description?: string;
  /** MIME type of the contents. Present only if it is the same for all resources of the template. */
  mimeType?: string;
  /** Hints for the host: the audience and the importance of the resources. */
  annotations?: Annotations;
}

/** Base of the contents of a resource or of a part of it. `text` or `blob` has the contents. */
export interface ResourceContents {
  /**
   * URI of this part, which may be below the requested URI.
   *
   * @format uri
   */
  uri: string;
  /** MIME type of this part, if the server knows it. */
  mimeType?: string;
}

/** Text contents. */
export interface TextResourceContents extends ResourceContents {
  /** The text. Only text contents have this member. */
  text: string;
}

/** Binary contents. */
export interface BlobResourceContents extends ResourceContents {
  /**
   * The bytes in base64. Only binary contents have this member.
   *
   * @format byte
   */
  blob: string;
}

// Prompts

/** Lists the prompts of the server. Paginated. */
export interface ListPromptsRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListPromptsResult`. */
  method: "prompts/list";
}

/** One page of prompts. */
export interface ListPromptsResult extends PaginatedResult {
  /** The prompts on this page, with the arguments they take. */
  prompts: Prompt[];
}

/** Gets the messages of a prompt, usually one that the user selected. */
export interface GetPromptRequest extends Request {
  /** Method name. Sent by the client; the result is `GetPromptResult`. */
  method: "prompts/get";
  /** The prompt and its arguments. */
  params: {
    /** Name of a prompt from `prompts/list`. */
    name: string;
    /** Arguments of the prompt, by name. All values are strings. */
    arguments?: { [key: string]: string };
  };
}

/** The messages of a prompt, ready to start a conversation. */
export interface GetPromptResult extends Result {
  /** Describes the prompt to people. */
  description?: string;
  /** The messages, in order. */
  messages: PromptMessage[];
}

/** A prompt in a list: its description and arguments, without its messages. */
export interface Prompt {
  /** Identifier to pass to `prompts/get`. */
  name: string;
  /** Describes the prompt to people. */
  description?: string;
  /** Arguments of the prompt. Default: none. */
  arguments?: PromptArgument[];
}

/** An argument of a prompt. Its value is a string. */
export interface PromptArgument {
  /** Name of the argument: its key in `arguments` of `prompts/get`. */
  name: string;
  /** Describes the argument to people. */
  description?: string;
  /** If true, `prompts/get` fails without this argument. Default: false. */
  required?: boolean;
}

/** A role in a conversation: the user or the model. */
export type Role = "user" | "assistant";

/** A message of a prompt. Unlike a sampling message, it may embed resources. */
export interface PromptMessage {
  /** Role of the author of the message. */
  role: Role;
  /** Content of the message: one block of any type. */
  content: TextContent | ImageContent | AudioContent | EmbeddedResource;
}

/** A resource embedded in a message, with its contents. The host decides how to show it. */
export interface EmbeddedResource {
  /** Identifies an embedded resource. */
  type: "resource";
  /** The contents of the resource, with `text` or `blob`. */
  resource: TextResourceContents | BlobResourceContents;
  /** Hints for the host: the audience and the importance. */
  annotations?: Annotations;
}

/** Reports that the list of prompts has changed. Sent without a subscription. */
export interface PromptListChangedNotification extends Notification {
  /** Method name. Sent by the server if it declared `prompts.listChanged`. */
  method: "notifications/prompts/list_changed";
}

// Tools

/** Lists the tools of the server. Paginated. */
export interface ListToolsRequest extends PaginatedRequest {
  /** Method name. Sent by the client; the result is `ListToolsResult`. */
  method: "tools/list";
}

/** One page of tools. */
export interface ListToolsResult extends PaginatedResult {
  /** The tools on this page, with their schemas. */
  tools: Tool[];
}

/**
 * The result of a tool call. A tool that fails returns a result with `isError`, so that the model can see the
 * reason. A call of an unknown tool gets an error response instead.
 */
export interface CallToolResult extends Result {
  /** Content for the model, as ordered blocks. May be empty. */
  content: (TextContent | ImageContent | AudioContent | EmbeddedResource)[];
  /** True if the tool ran and failed; `content` explains why. Default: false. */
  isError?: boolean;
}

/** Calls a tool, usually because a model selected it. */
export interface CallToolRequest extends Request {
  /** Method name. Sent by the client; the result is `CallToolResult`. */
  method: "tools/call";
  /** The tool and its arguments. */
  params: {
    /** Name of a tool from `tools/list`. */
    name: string;
    /** Arguments of the tool, by name, valid for its `inputSchema`. Default: none. */
    arguments?: { [key: string]: unknown };
  };
}

/** Reports that the list of tools has changed. Sent without a subscription. */
export interface ToolListChangedNotification extends Notification {
  /** Method name. Sent by the server if it declared `tools.listChanged`. */
  method: "notifications/tools/list_changed";
}

/**
 * Hints of the server about the behaviour of its tool. Clients may show them, but must not base permissions
 * on them unless they trust the server.
 */
export interface ToolAnnotations {
  /** Display name, to show instead of `name`. */
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

/** A function of the server that a model can call. */
export interface Tool {
  /** Identifier to pass to `tools/call`, unique within the server. */
  name: string;
  /** Describes to the model what the tool does and when to use it. */
  description?: string;
  /** JSON Schema of `arguments`. This revision does not specify a dialect. */
  inputSchema: {
    /** Arguments are always an object. */
    type: "object";
    /** Schema of each argument, by name. If absent, the tool declares none. */
    properties?: { [key: string]: object };
    /** Names of the required arguments. If absent, all are optional. */
    required?: string[];
  };
  /** Hints about the behaviour of the tool. Trust them only if you trust the server. */
  annotations?: ToolAnnotations;
}

// Logging

/** Sets the lowest severity of the log messages that the server sends. */
export interface SetLevelRequest extends Request {
  /** Method name. Sent by the client; the result is `EmptyResult`. Requires `logging`. */
  method: "logging/setLevel";
  /** The new minimum severity. */
  params: {
    /** Minimum severity of the log messages to send. */
    level: LoggingLevel;
  };
}

/** A log message. Until the client sets a level, the server chooses what to send. */
export interface LoggingMessageNotification extends Notification {
  /** Method name. Sent by the server. */
  method: "notifications/message";
  /** The message, its severity and its source. */
  params: {
    /** Severity of the message. */
    level: LoggingLevel;
    /** Name of the part of the server that logged the message. */
    logger?: string;
    /** The message: a string or any other JSON value. Must not contain secrets or personal data. */
    data: unknown;
  };
}

/** Severity levels of RFC 5424, from the least to the most severe. */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

// Sampling

/**
 * Requests a message from a model of the client. The client selects the model, and the user may review or
 * reject the request.
 */
export interface CreateMessageRequest extends Request {
  /** Method name. Sent by the server; the result is `CreateMessageResult`. */
  method: "sampling/createMessage";
  /** The conversation and the options for the next message. */
  params: {
    /** The conversation so far, oldest message first. */
    messages: SamplingMessage[];
    /** Preferences for the choice of a model. The client may ignore them. */
    modelPreferences?: ModelPreferences;
    /** System prompt that the server suggests. The client may change or drop it. */
    systemPrompt?: string;
    /**
     * Context to add to the prompt: none, the context of this server, or of all connected servers. The client
     * may ignore it.
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
  };
}

/** The message that the model generated, after the user had the chance to review it. */
export interface CreateMessageResult extends Result, SamplingMessage {
  /** The model, by the name that its provider uses. */
  model: string;
  /**
   * Why the model stopped: the end of its turn (`endTurn`), a stop sequence, the token limit, or a
   * provider-specific reason.
   */
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | string;
}

/** A message of a conversation with a model. */
export interface SamplingMessage {
  /** Role of the author of the message. */
  role: Role;
  /** Content of the message: text, an image or audio. */
  content: TextContent | ImageContent | AudioContent;
}

// Content

/** Hints for the host: the audience and the importance. */
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
}

/** A block of plain text. */
export interface TextContent {
  /** Identifies a text block. */
  type: "text";
  /** The text. */
  text: string;
  /** Hints for the host: the audience and the importance. */
  annotations?: Annotations;
}

/** An image embedded in a message. */
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
}

/** Audio embedded in a message. */
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
}

// Model selection

/** Preferences of the server for the choice of a model: names and priorities. The client may ignore them. */
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

/** A preferred model or model family. The client decides the meaning of members other than `name`. */
export interface ModelHint {
  /**
   * Part of a model name: `sonnet` matches all models whose name contains it. The client may select an
   * equivalent model of another provider.
   */
  name?: string;
}

// Completion

/** Requests suggestions for the value of an argument while the user types it. */
export interface CompleteRequest extends Request {
  /** Method name. Sent by the client; the result is `CompleteResult`. */
  method: "completion/complete";
  /** The argument and the text that the user has typed so far. */
  params: {
    /** The prompt or resource the argument belongs to. */
    ref: PromptReference | ResourceReference;
    /** The argument to complete. */
    argument: {
      /** Name of the prompt argument or template variable. */
      name: string;
      /** The text that the user has typed so far. May be empty. */
      value: string;
    };
  };
}

/** Suggested values for an argument. */
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

/** Refers to a resource template by its URI, for completion. */
export interface ResourceReference {
  /** Identifies a reference to a resource. */
  type: "ref/resource";
  /**
   * The URI template as listed, or the URI of a resource.
   *
   * @format uri-template
   */
  uri: string;
}

/** Refers to a prompt by its name, for completion. */
export interface PromptReference {
  /** Identifies a reference to a prompt. */
  type: "ref/prompt";
  /** Name of a prompt from `prompts/list`. */
  name: string;
}

// Roots

/** Lists the directories and files that the server may work with. */
export interface ListRootsRequest extends Request {
  /** Method name. Sent by the server; the result is `ListRootsResult`. Requires `roots`. */
  method: "roots/list";
}

/** The directories and files that the server may work with. */
export interface ListRootsResult extends Result {
  /** All roots. The list is not paginated. */
  roots: Root[];
}

/** A directory or file that the user has made available to the server. */
export interface Root {
  /**
   * URI of the root, currently always a `file://` URI.
   *
   * @format uri
   */
  uri: string;
  /** Display name, such as the name of the project. */
  name?: string;
}

/** Reports that the list of roots has changed. The server should request it again. */
export interface RootsListChangedNotification extends Notification {
  /** Method name. Sent by the client if it declared `roots.listChanged`. */
  method: "notifications/roots/list_changed";
}

// Messages of the client

/** Every request a client may send. */
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
  | ListToolsRequest;

/** Every notification a client may send. */
export type ClientNotification =
  CancelledNotification | ProgressNotification | InitializedNotification | RootsListChangedNotification;

/** Every result a client may return. */
export type ClientResult = EmptyResult | CreateMessageResult | ListRootsResult;

// Messages of the server

/** Every request a server may send. */
export type ServerRequest = PingRequest | CreateMessageRequest | ListRootsRequest;

/** Every notification a server may send. */
export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ResourceUpdatedNotification
  | ResourceListChangedNotification
  | ToolListChangedNotification
  | PromptListChangedNotification;

/** Every result a server may return. */
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
  | ListToolsResult;
