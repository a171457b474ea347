// The Model Context Protocol, revision 2025-03-26: every message, member and constant it defines.
// The facts are the specification's, member for member. The sentences are our own; where they are
// silent or unclear, modelcontextprotocol.io decides.

// Messages and the parts they share

/** What goes over the wire at once, as a stdio line, POST body or SSE event: a message or a batch of them. */
export type JSONRPCMessage =
  | JSONRPCRequest
  | JSONRPCNotification
  | JSONRPCBatchRequest
  | JSONRPCResponse
  | JSONRPCError
  | JSONRPCBatchResponse;

/**
 * Several requests and notifications sent as one array; receivers must accept it, senders need not use it.
 * `initialize` never goes into a batch.
 */
export type JSONRPCBatchRequest = (JSONRPCRequest | JSONRPCNotification)[];

/** Answers to a batch in any order, matched by `id`; notifications get no entry. */
export type JSONRPCBatchResponse = (JSONRPCResponse | JSONRPCError)[];

/** The revision this file describes, as written in `protocolVersion` during `initialize`. */
export const LATEST_PROTOCOL_VERSION = "2025-03-26";
/** The JSON-RPC version all messages carry in `jsonrpc`. */
export const JSONRPC_VERSION = "2.0";

/**
 * Ties progress notifications to a request; the requester picks it, unique among its running
 * requests. A number is an integer.
 */
export type ProgressToken = string | number;

/** A server's bookmark in a list: send it back unchanged, never parse it or keep it beyond the session. */
export type Cursor = string;

/** The members of every request, without the `jsonrpc` and `id` of JSON-RPC. */
export interface Request {
  /** Which operation is asked for, such as `tools/call`. */
  method: string;
  /** Input of the operation. A concrete request narrows it, but may always carry `_meta` too. */
  params?: {
    /** Data about the request rather than for it. */
    _meta?: {
      /**
       * Asks for progress on this request; the notifications repeat the token. The receiver may send none.
       */
      progressToken?: ProgressToken;
    };
    /** Members of the concrete request, and any a peer adds. */
    [key: string]: unknown;
  };
}

/** The members of every notification, without the `jsonrpc` of JSON-RPC. */
export interface Notification {
  /** What happened, such as `notifications/progress`. */
  method: string;
  /** Details of what happened. A concrete notification narrows them, but may always carry `_meta` too. */
  params?: {
    /** Data about the notification, by key; free for both sides to add to. */
    _meta?: { [key: string]: unknown };
    /** Members of the concrete notification, and any a peer adds. */
    [key: string]: unknown;
  };
}

/** What all results have in common: room for `_meta` and the members of the method. */
export interface Result {
  /** Data about the result rather than part of it, by key; free for both sides to add to. */
  _meta?: { [key: string]: unknown };
  /** Members the method defines, and any an extension or a peer adds. */
  [key: string]: unknown;
}

/** Pairs a response with its request. A number is an integer; never null, never used twice in a session. */
export type RequestId = string | number;

/** A message that requires a response. Both sides send requests. */
export interface JSONRPCRequest extends Request {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Chosen by the sender; the response repeats it. */
  id: RequestId;
}

/** A message without `id`. It gets no response, not even an error. */
export interface JSONRPCNotification extends Notification {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
}

/** The answer to a request that worked. A failed one is answered with `JSONRPCError`. */
export interface JSONRPCResponse {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Id of the request being answered, as the requester wrote it. */
  id: RequestId;
  /** What the method returns; its shape follows from the request's `method`. */
  result: Result;
}

// Error codes

/** The bytes received are not JSON. */
export const PARSE_ERROR = -32700;
/** JSON, but not a well-formed JSON-RPC request. */
export const INVALID_REQUEST = -32600;
/** The receiver has no such method, or never declared the capability it needs. */
export const METHOD_NOT_FOUND = -32601;
/** The method exists, its params do not fit: an unknown tool, a missing argument, a stale cursor. */
export const INVALID_PARAMS = -32602;
/** The receiver failed for reasons of its own. */
export const INTERNAL_ERROR = -32603;

/** The answer to a request that failed. */
export interface JSONRPCError {
  /** Marks the message as JSON-RPC 2.0. */
  jsonrpc: typeof JSONRPC_VERSION;
  /** Id of the request that failed, as the requester wrote it. */
  id: RequestId;
  /** What went wrong. */
  error: {
    /** Integer saying what kind of failure it is; the constants of this file name the known ones. */
    code: number;
    /** One short sentence for a person to read. */
    message: string;
    /** Whatever the sender adds to explain the failure; its shape depends on `code`. */
    data?: unknown;
  };
}

// Empty result

/** A plain acknowledgement: the request worked and there is nothing to return, `{}`. */
export type EmptyResult = Result;

// Cancellation

/**
 * Cancels a request of the sender, which may already be complete. The receiver stops the work and sends no
 * response. `initialize` cannot be cancelled.
 */
export interface CancelledNotification extends Notification {
  /** Wire name; either side sends it about a request of its own. */
  method: "notifications/cancelled";
  /** Which request, and why. */
  params: {
    /** Id of a request the sender of this notification made itself. */
    requestId: RequestId;
    /** Why, for logs or the user; no meaning for programs. */
    reason?: string;
  };
}

// Initialization

/**
 * Opens a session: the client proposes a revision and declares its capabilities. Only `ping` may be sent
 * earlier.
 */
export interface InitializeRequest extends Request {
  /** Wire name; client to server, answered by `InitializeResult`. */
  method: "initialize";
  /** The client's offer. */
  params: {
    /** Revision the client would like, normally its newest. The server may answer with another. */
    protocolVersion: string;
    /** What the server may ask of this client for the whole connection. */
    capabilities: ClientCapabilities;
    /** Name and version of the client program. */
    clientInfo: Implementation;
  };
}

/** The server's side of the handshake: the revision to use from here on and what it offers. */
export interface InitializeResult extends Result {
  /** Revision for the rest of the connection. A client that does not know it disconnects. */
  protocolVersion: string;
  /** What the client may ask of this server for the whole connection. */
  capabilities: ServerCapabilities;
  /** Name and version of the server program. */
  serverInfo: Implementation;
  /** Advice on using this server, written for a model; a host may put it into the system prompt. */
  instructions?: string;
}

/** Ends the handshake: the client accepts the revision, and both sides may send other requests. */
export interface InitializedNotification extends Notification {
  /** Wire name; client to server, once, right after `InitializeResult`. */
  method: "notifications/initialized";
}

/** What a server may ask of a client. A member that is present means yes; unknown members are allowed. */
export interface ClientCapabilities {
  /** Trial features outside the protocol, by name; the objects hold their settings. */
  experimental?: { [key: string]: object };
  /** The client answers `roots/list`. */
  roots?: {
    /** The client also announces changes with `notifications/roots/list_changed`. Absent means no. */
    listChanged?: boolean;
  };
  /** The client answers `sampling/createMessage` by running a model. */
  sampling?: object;
}

/** What a client may ask of a server. A member that is present means yes; unknown members are allowed. */
export interface ServerCapabilities {
  /** Trial features outside the protocol, by name; the objects hold their settings. */
  experimental?: { [key: string]: object };
  /** The server sends `notifications/message` and answers `logging/setLevel`. */
  logging?: object;
  /** The server answers `completion/complete`. */
  completions?: object;
  /** The server answers `prompts/list` and `prompts/get`. */
  prompts?: {
    /** It announces changes with `notifications/prompts/list_changed`. Absent means no. */
    listChanged?: boolean;
  };
  /** The server answers `resources/list`, `resources/templates/list` and `resources/read`. */
  resources?: {
    /** It also answers `resources/subscribe` and `resources/unsubscribe`. Absent means no. */
    subscribe?: boolean;
    /** It announces changes with `notifications/resources/list_changed`. Absent means no. */
    listChanged?: boolean;
  };
  /** The server answers `tools/list` and `tools/call`. */
  tools?: {
    /** It announces changes with `notifications/tools/list_changed`. Absent means no. */
    listChanged?: boolean;
  };
}

/** A client or server program: what it is called and which build it is. */
export interface Implementation {
  /** Name of the program, not of this connection. */
  name: string;
  /** Version of the program itself, in its own numbering; unrelated to protocol revisions. */
  version: string;
}

// Ping

/**
 * Checks that the other side still responds. Allowed at any time. Without a response, the sender may close
 * the connection.
 */
export interface PingRequest extends Request {
  /** Wire name; either side sends it, answered by `EmptyResult`. */
  method: "ping";
}

// Progress

/** Reports the progress of a request to its sender. Sent only for requests with a progress token. */
export interface ProgressNotification extends Notification {
  /** Wire name; sent by whichever side works on the request. */
  method: "notifications/progress";
  /** Which request, and how far. */
  params: {
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
  };
}

// Pagination

/** The base of the requests for lists, which are paginated. */
export interface PaginatedRequest extends Request {
  /** Which page. */
  params?: {
    /** The `nextCursor` of the page before. Absent: the first page. */
    cursor?: Cursor;
  };
}

/** Base of the list results: one page each. */
export interface PaginatedResult extends Result {
  /** Send it as `cursor` to get the next page. Absent: this page is the last. */
  nextCursor?: Cursor;
}

// Resources

/** Lists the resources of the server that have a fixed URI. Paginated. */
export interface ListResourcesRequest extends PaginatedRequest {
  /** Wire name; client to server, answered by `ListResourcesResult`. */
  method: "resources/list";
}

/** One page of resources. */
export interface ListResourcesResult extends PaginatedResult {
  /** The resources on this page; servers may be able to read others too. */
  resources: Resource[];
}

/** Lists the URI templates of the server's resources. Paginated. */
export interface ListResourceTemplatesRequest extends PaginatedRequest {
  /** Wire name; client to server, answered by `ListResourceTemplatesResult`. */
  method: "resources/templates/list";
}

/** One page of resource templates. */
export interface ListResourceTemplatesResult extends PaginatedResult {
  /** The templates on this page. */
  resourceTemplates: ResourceTemplate[];
}

/** Reads the resource with a URI, which is listed or expanded from a template. */
export interface ReadResourceRequest extends Request {
  /** Wire name; client to server, answered by `ReadResourceResult`. */
  method: "resources/read";
  /** Which resource to read. */
  params: {
    /**
     * Address of the resource, in any URI scheme the server understands.
     *
     * @format uri
     */
    uri: string;
  };
}

/** What a resource holds right now. */
export interface ReadResourceResult extends Result {
  /** The parts of the resource, each text or base64; a directory, say, gives one per file. */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/** Reports that the list of resources has changed. Sent without a subscription. */
export interface ResourceListChangedNotification extends Notification {
  /** Wire name; server to client, if it declared `resources.listChanged`. */
  method: "notifications/resources/list_changed";
}

/** Subscribes to the changes of a resource, until `resources/unsubscribe`. */
export interface SubscribeRequest extends Request {
  /** Wire name; client to server, answered by `EmptyResult`. Needs `resources.subscribe`. */
  method: "resources/subscribe";
  /** Which resource to watch. */
  params: {
    /**
     * Address of the resource to watch, in any URI scheme the server understands.
     *
     * @format uri
     */
    uri: string;
  };
}

/** Ends the subscription to the resource with this URI. */
export interface UnsubscribeRequest extends Request {
  /** Wire name; client to server, answered by `EmptyResult`. */
  method: "resources/unsubscribe";
  /** Which resource to stop watching. */
  params: {
    /**
     * The URI given to `resources/subscribe`.
     *
     * @format uri
     */
    uri: string;
  };
}

/** Reports that a resource has changed. Read it again for its new contents. Sent only to subscribers. */
export interface ResourceUpdatedNotification extends Notification {
  /** Wire name; server to client, after `resources/subscribe`. */
  method: "notifications/resources/updated";
  /** Which resource changed. */
  params: {
    /**
     * The resource that changed: the one subscribed to, or something inside it.
     *
     * @format uri
     */
    uri: string;
  };
}

/** Something a server can read, as a list shows it: where it is and what it is, without its contents. */
export interface Resource {
  /**
   * Address to read it by.
   *
   * @format uri
   */
  uri: string;
  /** Label for people, fit for a list or a menu. */
  name: string;
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
}

/** A pattern of URIs a server can read; fill in the variables to get the address of a resource. */
export interface ResourceTemplate {
  /**
   * Pattern in RFC 6570 syntax, for example `file:///{path}`.
   *
   * @format uri-template
   */
  uriTemplate: string;
  /** Label for people, fit for a list or a menu. */
  name: string;
  /** What the resources have in common, written so that a model can tell when to use one. */
  description?: string;
  /** Format of the contents; present only if it is the same for every resource of the pattern. */
  mimeType?: string;
  /** Hints for the host: whom the resources are for and how much they matter. */
  annotations?: Annotations;
}

/** Base of the contents of a resource or of one part of it; `text` or `blob` holds them. */
export interface ResourceContents {
  /**
   * Address of this part, which may lie below the one asked for.
   *
   * @format uri
   */
  uri: string;
  /** Format of this part, if the server knows. */
  mimeType?: string;
}

/** Contents that are text. */
export interface TextResourceContents extends ResourceContents {
  /** The text itself. Its presence tells text from binary contents. */
  text: string;
}

/** Contents that are bytes. */
export interface BlobResourceContents extends ResourceContents {
  /**
   * The bytes in base64. Its presence tells binary contents from text.
   *
   * @format byte
   */
  blob: string;
}

// Prompts

/** Lists the prompts of the server. Paginated. */
export interface ListPromptsRequest extends PaginatedRequest {
  /** Wire name; client to server, answered by `ListPromptsResult`. */
  method: "prompts/list";
}

/** One page of prompts. */
export interface ListPromptsResult extends PaginatedResult {
  /** The prompts on this page, with the arguments they take. */
  prompts: Prompt[];
}

/** Gets the messages of a prompt, usually one that the user selected. */
export interface GetPromptRequest extends Request {
  /** Wire name; client to server, answered by `GetPromptResult`. */
  method: "prompts/get";
  /** Which prompt, and its arguments. */
  params: {
    /** A `name` from `prompts/list`. */
    name: string;
    /** Values for the prompt's arguments, by argument name; always strings. */
    arguments?: { [key: string]: string };
  };
}

/** A prompt written out as messages, ready to start a conversation with. */
export interface GetPromptResult extends Result {
  /** What the prompt does, in words for people. */
  description?: string;
  /** The conversation so far, in order. */
  messages: PromptMessage[];
}

/** A prompt as a list shows it: what it is for and what it needs, without its messages. */
export interface Prompt {
  /** Identifier to pass to `prompts/get`. */
  name: string;
  /** What the prompt does, in words for people. */
  description?: string;
  /** Arguments the prompt takes. Absent: none. */
  arguments?: PromptArgument[];
}

/** One blank in a prompt, filled with a string. */
export interface PromptArgument {
  /** Key of the value in `arguments` of `prompts/get`. */
  name: string;
  /** What to fill in, in words for people. */
  description?: string;
  /** `prompts/get` fails without it. Absent means optional. */
  required?: boolean;
}

/** Whose words a message holds: the person's or the model's. */
export type Role = "user" | "assistant";

/** One turn of a prompt. Unlike a sampling message it may embed resources. */
export interface PromptMessage {
  /** Who is speaking in this turn. */
  role: Role;
  /** What is said: exactly one block, of any kind. */
  content: TextContent | ImageContent | AudioContent | EmbeddedResource;
}

/** A resource with its contents, put right into a message; how to show it is the host's choice. */
export interface EmbeddedResource {
  /** Tells an embedded resource from the other content blocks. */
  type: "resource";
  /** The contents: text if it has `text`, bytes if it has `blob`. */
  resource: TextResourceContents | BlobResourceContents;
  /** Hints for the host: whom it is for and how much it matters. */
  annotations?: Annotations;
}

/** Reports that the list of prompts has changed. Sent without a subscription. */
export interface PromptListChangedNotification extends Notification {
  /** Wire name; server to client, if it declared `prompts.listChanged`. */
  method: "notifications/prompts/list_changed";
}

// Tools

/** Lists the tools of the server. Paginated. */
export interface ListToolsRequest extends PaginatedRequest {
  /** Wire name; client to server, answered by `ListToolsResult`. */
  method: "tools/list";
}

/** One page of tools. */
export interface ListToolsResult extends PaginatedResult {
  /** The tools on this page, complete with their schemas. */
  tools: Tool[];
}

/**
 * What a tool returned. A tool that failed returns too, with `isError`, so that the model can see why; an
 * unknown tool is an error response instead.
 */
export interface CallToolResult extends Result {
  /** What the model gets to see, as blocks in order; may be empty. */
  content: (TextContent | ImageContent | AudioContent | EmbeddedResource)[];
  /** The tool ran and failed; `content` says how. Default: false. */
  isError?: boolean;
}

/** Calls a tool, usually because a model selected it. */
export interface CallToolRequest extends Request {
  /** Wire name; client to server, answered by `CallToolResult`. */
  method: "tools/call";
  /** Which tool, and its arguments. */
  params: {
    /** A `name` from `tools/list`. */
    name: string;
    /** Values for the tool, by name, that fit its `inputSchema`. Absent: none. */
    arguments?: { [key: string]: unknown };
  };
}

/** Reports that the list of tools has changed. Sent without a subscription. */
export interface ToolListChangedNotification extends Notification {
  /** Wire name; server to client, if it declared `tools.listChanged`. */
  method: "notifications/tools/list_changed";
}

/**
 * Claims a server makes about how its tool behaves. Show them, but base no permission on them
 * unless you trust the server.
 */
export interface ToolAnnotations {
  /** Label for people, to show in place of `name`. */
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

/** A function a server offers, as a model needs to know it in order to call it. */
export interface Tool {
  /** Identifier to pass to `tools/call`, unique within the server. */
  name: string;
  /** What it does and when to use it, written for the model. */
  description?: string;
  /** JSON Schema of `arguments`. The revision fixes no dialect. */
  inputSchema: {
    /** Arguments are always an object. */
    type: "object";
    /** Schema of each argument, by name. Absent: the tool names none. */
    properties?: { [key: string]: object };
    /** Names of the arguments a call cannot do without. Absent: all are optional. */
    required?: string[];
  };
  /** Claims about its behaviour, to be trusted as far as the server is. */
  annotations?: ToolAnnotations;
}

// Logging

/** Sets the lowest severity of the log messages that the server sends. */
export interface SetLevelRequest extends Request {
  /** Wire name; client to server, answered by `EmptyResult`. Needs `logging`. */
  method: "logging/setLevel";
  /** The new threshold. */
  params: {
    /** Least severe level to send; everything more severe comes too. */
    level: LoggingLevel;
  };
}

/** A log message. Until the client sets a level, the server chooses what to send. */
export interface LoggingMessageNotification extends Notification {
  /** Wire name; server to client. */
  method: "notifications/message";
  /** The message, its severity and its source. */
  params: {
    /** How severe it is. */
    level: LoggingLevel;
    /** Part of the server it comes from. */
    logger?: string;
    /** What to log: a string or any other JSON value. Never secrets or personal data. */
    data: unknown;
  };
}

/** Severities of RFC 5424, from the least to the most severe. */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

// Sampling

/**
 * Asks the client to sample its model. The client selects the model, and the user may review or reject the
 * request.
 */
export interface CreateMessageRequest extends Request {
  /** Wire name; server to client, answered by `CreateMessageResult`. */
  method: "sampling/createMessage";
  /** The conversation and how to continue it. */
  params: {
    /** The conversation so far, oldest message first. */
    messages: SamplingMessage[];
    /** What matters in the choice of a model; the client may choose otherwise. */
    modelPreferences?: ModelPreferences;
    /** System prompt the server would like; the client may change or drop it. */
    systemPrompt?: string;
    /**
     * Whose context to add to the prompt: none, that of this server, or of all connected ones.
     * The client may ignore it.
     */
    includeContext?: "none" | "thisServer" | "allServers";
    /**
     * Randomness of the model's choices, on that model's own scale.
     *
     * @TJS-type number
     */
    temperature?: number;
    /** Most tokens the answer should have; it may be shorter. */
    maxTokens: number;
    /** Strings at which the model stops writing. */
    stopSequences?: string[];
    /** Settings for the model's provider, passed on as they are; each provider has its own. */
    metadata?: object;
  };
}

/** The message the model wrote, once the person at the client had a chance to see it. */
export interface CreateMessageResult extends Result, SamplingMessage {
  /** Model that wrote it, by its provider's name. */
  model: string;
  /**
   * Why the model stopped: done (`endTurn`), a stop sequence, the token limit, or a reason of its provider's.
   */
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | string;
}

/** One turn of a conversation with a model. */
export interface SamplingMessage {
  /** Who is speaking in this turn. */
  role: Role;
  /** What is said: one block of text, an image or audio. */
  content: TextContent | ImageContent | AudioContent;
}

// Content

/** Hints for the host: whom something is for and how much it matters. */
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
}

/** A block of plain text. */
export interface TextContent {
  /** Tells text from the other content blocks. */
  type: "text";
  /** The words themselves. */
  text: string;
  /** Hints for the host: whom it is for and how much it matters. */
  annotations?: Annotations;
}

/** A picture, carried along in the message. */
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
}

/** A sound recording, carried along in the message. */
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
}

// Model selection

/** What a server would like of the model: names it knows and what to weigh. The client need not follow. */
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

/** One model or family a server would like; members beyond `name` mean what the client makes of them. */
export interface ModelHint {
  /**
   * Part of a model's name: `sonnet` fits all models called that. A client may take an
   * equivalent of another make.
   */
  name?: string;
}

// Completion

/** Requests suggestions for the value of an argument while the user types it. */
export interface CompleteRequest extends Request {
  /** Wire name; client to server, answered by `CompleteResult`. */
  method: "completion/complete";
  /** Which argument, and what is typed so far. */
  params: {
    /** The prompt or resource the argument belongs to. */
    ref: PromptReference | ResourceReference;
    /** The argument being typed. */
    argument: {
      /** Which prompt argument or template variable it is. */
      name: string;
      /** What is typed so far; may be empty. */
      value: string;
    };
  };
}

/** Values that would complete the argument. */
export interface CompleteResult extends Result {
  /** The values and how many there are. */
  completion: {
    /** Suggestions, best first; 100 at most. */
    values: string[];
    /** How many there are in all, if known; may be more than `values` has. */
    total?: number;
    /** There are more than `values` has, be their number known or not. Absent: nothing is said about it. */
    hasMore?: boolean;
  };
}

/** Points completion at a resource template, by URI. */
export interface ResourceReference {
  /** Tells a resource from a prompt. */
  type: "ref/resource";
  /**
   * The template as listed, or a plain URI.
   *
   * @format uri-template
   */
  uri: string;
}

/** Points completion at a prompt, by name. */
export interface PromptReference {
  /** Tells a prompt from a resource. */
  type: "ref/prompt";
  /** A `name` from `prompts/list`. */
  name: string;
}

// Roots

/** Lists the directories and files that the server may work with. */
export interface ListRootsRequest extends Request {
  /** Wire name; server to client, answered by `ListRootsResult`. Needs `roots`. */
  method: "roots/list";
}

/** The places a server may work in, all at once. */
export interface ListRootsResult extends Result {
  /** The roots; there are no pages. */
  roots: Root[];
}

/** A directory or file the user has opened to a server. */
export interface Root {
  /**
   * Where it is; always a `file://` URI for now.
   *
   * @format uri
   */
  uri: string;
  /** Label for people, such as the project's name. */
  name?: string;
}

/** Reports that the list of roots has changed. The server should request it again. */
export interface RootsListChangedNotification extends Notification {
  /** Wire name; client to server, if it declared `roots.listChanged`. */
  method: "notifications/roots/list_changed";
}

// What a client sends

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

/** Every result a client may answer with. */
export type ClientResult = EmptyResult | CreateMessageResult | ListRootsResult;

// What a server sends

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

/** Every result a server may answer with. */
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
