// The Model Context Protocol, revision 2025-11-25: every message, member and constant it defines.
// The facts are the specification's, member for member. The sentences are our own; where they are
// silent or unclear, modelcontextprotocol.io decides.

// Messages and the parts they share

/**
 * One message as it goes over the wire: a line on stdio, the body of a POST or the data of an SSE event.
 *
 * @category JSON-RPC
 */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/**
 * The revision this file describes, as written in `protocolVersion` during `initialize`.
 *
 * @internal
 */
export const LATEST_PROTOCOL_VERSION = "2025-11-25";
/**
 * The JSON-RPC version all messages carry in `jsonrpc`.
 *
 * @internal
 */
export const JSONRPC_VERSION = "2.0";

/**
 * Ties progress notifications to a request; the requester picks it, unique among its running
 * requests. A number is an integer.
 *
 * @category Common Types
 */
export type ProgressToken = string | number;

/**
 * A server's bookmark in a list: send it back unchanged, never parse it or keep it beyond the session.
 *
 * @category Common Types
 */
export type Cursor = string;

/**
 * Params of a request the receiver may run as a task: `tools/call`,
 * `sampling/createMessage`, `elicitation/create`.
 *
 * @internal
 */
export interface TaskAugmentedRequestParams extends RequestParams {
  /**
   * Asks to run the request as a task: the answer is a `CreateTaskResult` at once, and `tasks/result` has the
   * rest. Ignored by a receiver that did not declare task support for this kind of request.
   */
  task?: TaskMetadata;
}

/**
 * What the params of any request may carry.
 *
 * @internal
 */
export interface RequestParams {
  /**
   * Data about the request rather than for it; keys with a `modelcontextprotocol` or
   * `mcp` prefix are reserved.
   */
  _meta?: {
    /** Asks for progress on this request; the notifications repeat the token. The receiver may send none. */
    progressToken?: ProgressToken;
    /** Further metadata, under keys the sender or an extension defines. */
    [key: string]: unknown;
  };
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
 * @internal
 */
export interface NotificationParams {
  /** Data about the notification; keys with a `modelcontextprotocol` or `mcp` prefix are reserved. */
  _meta?: { [key: string]: unknown };
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
 * What all results have in common: room for `_meta` and the members of the method.
 *
 * @category Common Types
 */
export interface Result {
  /**
   * Data about the result rather than part of it; keys with a `modelcontextprotocol` or
   * `mcp` prefix are reserved.
   */
  _meta?: { [key: string]: unknown };
  /** Members the method defines, and any an extension or a peer adds. */
  [key: string]: unknown;
}

/**
 * The `error` of a failed request. Not JavaScript's global `Error`.
 *
 * @category Common Types
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
 * Pairs a response with its request. A number is an integer; never null, never used twice in a session.
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
  /** Chosen by the sender; the response repeats it. */
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
/** The receiver has no such method, or never declared the capability it needs. */
export const METHOD_NOT_FOUND = -32601;
/** The method exists, its params do not fit: an unknown tool, a missing argument, a stale cursor. */
export const INVALID_PARAMS = -32602;
/** The receiver failed for reasons of its own. */
export const INTERNAL_ERROR = -32603;
/**
 * The user has to visit the URLs in `error.data.elicitations` before the request can succeed.
 *
 * @internal
 */
export const URL_ELICITATION_REQUIRED = -32042;

/**
 * Refuses a request until the user has dealt with some URLs. The client opens them with
 * consent, then tries again.
 *
 * @internal
 */
export interface URLElicitationRequiredError extends Omit<JSONRPCErrorResponse, "error"> {
  /** The error, with the list of URLs in `data`. */
  error: Error & {
    /** Always -32042. */
    code: typeof URL_ELICITATION_REQUIRED;
    /** What the user has to do first. */
    data: {
      /** The visits needed, each in `url` mode with its own `elicitationId`. */
      elicitations: ElicitRequestURLParams[];
      /** Anything else the server wants to say. */
      [key: string]: unknown;
    };
  };
}

// Empty result

/**
 * A plain acknowledgement: the request worked and there is nothing to return, `{}`.
 *
 * @category Common Types
 */
export type EmptyResult = Result;

// Cancellation

/**
 * Names the request to give up.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotificationParams extends NotificationParams {
  /**
   * Id of a request the sender of this notification made itself. Always present, except
   * where a task is concerned.
   */
  requestId?: RequestId;
  /** Why, for logs or the user; no meaning for programs. */
  reason?: string;
}

/**
 * Cancels a request of the sender, which may already be complete. The receiver stops the work and sends no
 * response. `initialize` cannot be cancelled, and a task is cancelled with `tasks/cancel`.
 *
 * @category `notifications/cancelled`
 */
export interface CancelledNotification extends JSONRPCNotification {
  /** Wire name; either side sends it about a request of its own. */
  method: "notifications/cancelled";
  /** Which request, and why. */
  params: CancelledNotificationParams;
}

// Initialization

/**
 * The client's offer: revision, capabilities and who it is.
 *
 * @category `initialize`
 */
export interface InitializeRequestParams extends RequestParams {
  /** Revision the client would like, normally its newest. The server may answer with another. */
  protocolVersion: string;
  /** What the server may ask of this client for the whole connection. */
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
  /** Wire name; client to server, answered by `InitializeResult`. */
  method: "initialize";
  /** The client's offer. */
  params: InitializeRequestParams;
}

/**
 * The server's side of the handshake: the revision to use from here on and what it offers.
 *
 * @category `initialize`
 */
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

/**
 * Ends the handshake: the client accepts the revision, and both sides may send other requests.
 *
 * @category `notifications/initialized`
 */
export interface InitializedNotification extends JSONRPCNotification {
  /** Wire name; client to server, once, right after `InitializeResult`. */
  method: "notifications/initialized";
  /** Nothing but `_meta`. */
  params?: NotificationParams;
}

/**
 * What a server may ask of a client. A member that is present means yes; unknown members are allowed.
 *
 * @category `initialize`
 */
export interface ClientCapabilities {
  /** Trial features outside the protocol, by name; the objects hold their settings. */
  experimental?: { [key: string]: object };
  /** The client answers `roots/list`. */
  roots?: {
    /** The client also announces changes with `notifications/roots/list_changed`. Absent means no. */
    listChanged?: boolean;
  };
  /** The client answers `sampling/createMessage` by running a model. */
  sampling?: {
    /** It honours `includeContext`; without this, servers send `none` or nothing. */
    context?: object;
    /** It honours `tools` and `toolChoice`; without this, servers must not send them. */
    tools?: object;
  };
  /** The client answers `elicitation/create`. An empty object means form mode only. */
  elicitation?: {
    /** It can show a form built from a schema. */
    form?: object;
    /** It can send the user to a URL, after asking. */
    url?: object;
  };
  /** The client runs some of the server's requests as tasks. Experimental in this revision. */
  tasks?: {
    /** It answers `tasks/list`. */
    list?: object;
    /** It answers `tasks/cancel`. */
    cancel?: object;
    /** The requests it can run as tasks; what is not listed it cannot. */
    requests?: {
      /** Tasks among the sampling requests. */
      sampling?: {
        /** `sampling/createMessage` may carry `task`. */
        createMessage?: object;
      };
      /** Tasks among the elicitation requests. */
      elicitation?: {
        /** `elicitation/create` may carry `task`. */
        create?: object;
      };
    };
  };
}

/**
 * What a client may ask of a server. A member that is present means yes; unknown members are allowed.
 *
 * @category `initialize`
 */
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
  /** The server runs some of the client's requests as tasks. Experimental in this revision. */
  tasks?: {
    /** It answers `tasks/list`. */
    list?: object;
    /** It answers `tasks/cancel`. */
    cancel?: object;
    /** The requests it can run as tasks; what is not listed it cannot. */
    requests?: {
      /** Tasks among the tool requests. */
      tools?: {
        /** `tools/call` may carry `task`, if the tool itself allows it. */
        call?: object;
      };
    };
  };
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
 * @category `initialize`
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

// Ping

/**
 * Checks that the other side still responds. Allowed at any time. Without a response, the sender may close
 * the connection.
 *
 * @category `ping`
 */
export interface PingRequest extends JSONRPCRequest {
  /** Wire name; either side sends it, answered by `EmptyResult`. */
  method: "ping";
  /** Nothing but `_meta`. */
  params?: RequestParams;
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
 * Reports the progress of a request to its sender. Sent only for requests with a progress token.
 *
 * @category `notifications/progress`
 */
export interface ProgressNotification extends JSONRPCNotification {
  /** Wire name; sent by whichever side works on the request. */
  method: "notifications/progress";
  /** Which request, and how far. */
  params: ProgressNotificationParams;
}

// Pagination

/**
 * Params of the list requests.
 *
 * @internal
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
  /** Which page. */
  params?: PaginatedRequestParams;
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
 * One page of resources.
 *
 * @category `resources/list`
 */
export interface ListResourcesResult extends PaginatedResult {
  /** The resources on this page; servers may be able to read others too. */
  resources: Resource[];
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
 * One page of resource templates.
 *
 * @category `resources/templates/list`
 */
export interface ListResourceTemplatesResult extends PaginatedResult {
  /** The templates on this page. */
  resourceTemplates: ResourceTemplate[];
}

/**
 * Base of the requests about one resource.
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
 * Which resource to read.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequestParams extends ResourceRequestParams {}

/**
 * Reads the resource with a URI, which is listed or expanded from a template.
 *
 * @category `resources/read`
 */
export interface ReadResourceRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `ReadResourceResult`. */
  method: "resources/read";
  /** Which resource to read. */
  params: ReadResourceRequestParams;
}

/**
 * What a resource holds right now.
 *
 * @category `resources/read`
 */
export interface ReadResourceResult extends Result {
  /** The parts of the resource, each text or base64; a directory, say, gives one per file. */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/**
 * Reports that the list of resources has changed. Sent without a subscription.
 *
 * @category `notifications/resources/list_changed`
 */
export interface ResourceListChangedNotification extends JSONRPCNotification {
  /** Wire name; server to client, if it declared `resources.listChanged`. */
  method: "notifications/resources/list_changed";
  /** Nothing but `_meta`. */
  params?: NotificationParams;
}

/**
 * Which resource to watch.
 *
 * @category `resources/subscribe`
 */
export interface SubscribeRequestParams extends ResourceRequestParams {}

/**
 * Subscribes to the changes of a resource, until `resources/unsubscribe`.
 *
 * @category `resources/subscribe`
 */
export interface SubscribeRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `EmptyResult`. Needs `resources.subscribe`. */
  method: "resources/subscribe";
  /** Which resource to watch. */
  params: SubscribeRequestParams;
}

/**
 * Which resource to stop watching.
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
  /** Wire name; client to server, answered by `EmptyResult`. */
  method: "resources/unsubscribe";
  /** Which resource to stop watching. */
  params: UnsubscribeRequestParams;
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
 * Reports that a resource has changed. Read it again for its new contents. Sent only to subscribers.
 *
 * @category `notifications/resources/updated`
 */
export interface ResourceUpdatedNotification extends JSONRPCNotification {
  /** Wire name; server to client, after `resources/subscribe`. */
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
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
 * One page of prompts.
 *
 * @category `prompts/list`
 */
export interface ListPromptsResult extends PaginatedResult {
  /** The prompts on this page, with the arguments they take. */
  prompts: Prompt[];
}

/**
 * Which prompt to write out, and its arguments.
 *
 * @category `prompts/get`
 */
export interface GetPromptRequestParams extends RequestParams {
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
  /** Wire name; client to server, answered by `GetPromptResult`. */
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
}

/**
 * Reports that the list of prompts has changed. Sent without a subscription.
 *
 * @category `notifications/prompts/list_changed`
 */
export interface PromptListChangedNotification extends JSONRPCNotification {
  /** Wire name; server to client, if it declared `prompts.listChanged`. */
  method: "notifications/prompts/list_changed";
  /** Nothing but `_meta`. */
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
 * One page of tools.
 *
 * @category `tools/list`
 */
export interface ListToolsResult extends PaginatedResult {
  /** The tools on this page, complete with their schemas. */
  tools: Tool[];
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
   * The same as an object, for programs. If the tool has an `outputSchema`, a success
   * always has it and it fits.
   */
  structuredContent?: { [key: string]: unknown };
  /** The tool ran and failed; `content` says how. Default: false. */
  isError?: boolean;
}

/**
 * Which tool to run, with what, and whether as a task.
 *
 * @category `tools/call`
 */
export interface CallToolRequestParams extends TaskAugmentedRequestParams {
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
  /** Wire name; client to server, answered by `CallToolResult`, or by `CreateTaskResult` if run as a task. */
  method: "tools/call";
  /** Which tool, and its arguments. */
  params: CallToolRequestParams;
}

/**
 * Reports that the list of tools has changed. Sent without a subscription.
 *
 * @category `notifications/tools/list_changed`
 */
export interface ToolListChangedNotification extends JSONRPCNotification {
  /** Wire name; server to client, if it declared `tools.listChanged`. */
  method: "notifications/tools/list_changed";
  /** Nothing but `_meta`. */
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
 * How a tool may be run.
 *
 * @category `tools/list`
 */
export interface ToolExecution {
  /**
   * Whether calls may carry `task`: `forbidden` never, `optional` either way, `required` always. Default:
   * `forbidden`. A call that breaks the rule gets error -32601.
   */
  taskSupport?: "forbidden" | "optional" | "required";
}

/**
 * A function a server offers, as a model needs to know it in order to call it.
 *
 * @category `tools/list`
 */
export interface Tool extends BaseMetadata, Icons {
  /** What it does and when to use it, written for the model. */
  description?: string;
  /** JSON Schema of `arguments`, in the 2020-12 dialect unless `$schema` names another. */
  inputSchema: {
    /** URI of the dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Arguments are always an object. */
    type: "object";
    /** Schema of each argument, by name. Absent: the tool names none. */
    properties?: { [key: string]: object };
    /** Names of the arguments a call cannot do without. Absent: all are optional. */
    required?: string[];
  };
  /** How calls may be run. Absent: never as a task. */
  execution?: ToolExecution;
  /**
   * JSON Schema of `structuredContent`, in the 2020-12 dialect unless `$schema` names another. A tool that
   * has it must return that member, and it must fit.
   */
  outputSchema?: {
    /** URI of the dialect. Default: JSON Schema 2020-12. */
    $schema?: string;
    /** Structured output is always an object in this revision. */
    type: "object";
    /** Schema of each member of the output, by name. */
    properties?: { [key: string]: object };
    /** Names of the members the output always has. */
    required?: string[];
  };
  /** Claims about its behaviour, to be trusted as far as the server is. */
  annotations?: ToolAnnotations;
  /** Extra data about the tool, for hosts and extensions that know the keys. */
  _meta?: { [key: string]: unknown };
}

// Tasks

/**
 * How far a task is. It starts `working`, may turn to `input_required` and back, and stays
 * in any of the other three.
 *
 * @category `tasks`
 */
export type TaskStatus =
  /** The request is being worked on. */
  | "working"
  /** It waits for an answer from the requester; `tasks/result` delivers the question. */
  | "input_required"
  /** It is done and `tasks/result` has what came of it. */
  | "completed"
  /** It went wrong: an error, or a tool result with `isError`. */
  | "failed"
  /** It was called off before its end. */
  | "cancelled";

/**
 * What a requester wishes for the task it asks for.
 *
 * @category `tasks`
 */
export interface TaskMetadata {
  /** Milliseconds from creation to keep the task and its result. The receiver may decide otherwise. */
  ttl?: number;
}

/**
 * Marks a message as belonging to a task; goes into `_meta` under `io.modelcontextprotocol/related-task`.
 *
 * @category `tasks`
 */
export interface RelatedTaskMetadata {
  /** The task the message belongs to. */
  taskId: string;
}

/**
 * A request that runs on after its first answer, as seen by whoever asked for it.
 *
 * @category `tasks`
 */
export interface Task {
  /** Identifier made up by the side that runs the task; opaque, unique there. */
  taskId: string;
  /** How far the task is. */
  status: TaskStatus;
  /** More about the status in words for people, such as why it failed. */
  statusMessage?: string;
  /** When it was created, in ISO 8601, for example `2025-11-25T10:30:00Z`. */
  createdAt: string;
  /** When it last changed, in ISO 8601. */
  lastUpdatedAt: string;
  /**
   * Milliseconds from creation after which it may be deleted; null means it is kept without limit.
   *
   * @nullable
   */
  ttl: number | null;
  /** Milliseconds to wait between two `tasks/get`. Absent: the requester chooses. */
  pollInterval?: number;
}

/**
 * The first answer to a request that runs as a task; its real result comes from `tasks/result`.
 *
 * @category `tasks`
 */
export interface CreateTaskResult extends Result {
  /** The new task, its status `working`. */
  task: Task;
}

/**
 * Gets the status of a task without waiting for its end.
 *
 * @category `tasks/get`
 */
export interface GetTaskRequest extends JSONRPCRequest {
  /** Wire name; from whoever asked for the task, answered by `GetTaskResult`. */
  method: "tasks/get";
  /** Which task. */
  params: {
    /** Identifier from `CreateTaskResult`; an unknown or expired one is error -32602. */
    taskId: string;
  };
}

/**
 * A task as it stands, its members next to those of any result.
 *
 * @category `tasks/get`
 */
export type GetTaskResult = Result & Task;

/**
 * Waits for the end of a task and gets its result.
 *
 * @category `tasks/result`
 */
export interface GetTaskPayloadRequest extends JSONRPCRequest {
  /** Wire name; from whoever asked for the task, answered by `GetTaskPayloadResult`. */
  method: "tasks/result";
  /** Which task. */
  params: {
    /** Identifier from `CreateTaskResult`; an unknown or expired one is error -32602. */
    taskId: string;
  };
}

/**
 * What the request would have returned had it not run as a task: a `CallToolResult` for
 * `tools/call`, and so on.
 *
 * @category `tasks/result`
 */
export interface GetTaskPayloadResult extends Result {
  /** Members of that result. */
  [key: string]: unknown;
}

/**
 * Cancels a task. Error -32602 if it has already ended.
 *
 * @category `tasks/cancel`
 */
export interface CancelTaskRequest extends JSONRPCRequest {
  /** Wire name; from whoever asked for the task, answered by `CancelTaskResult`. */
  method: "tasks/cancel";
  /** Which task. */
  params: {
    /** Identifier from `CreateTaskResult`; an unknown or expired one is error -32602. */
    taskId: string;
  };
}

/**
 * The task after the request, its status `cancelled`.
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
  /** Wire name; either side, if the other declared `tasks.list`; answered by `ListTasksResult`. */
  method: "tasks/list";
}

/**
 * One page of tasks.
 *
 * @category `tasks/list`
 */
export interface ListTasksResult extends PaginatedResult {
  /** The tasks on this page; where there is authorization, those of this requester only. */
  tasks: Task[];
}

/**
 * The whole task, with its new status.
 *
 * @category `notifications/tasks/status`
 */
export type TaskStatusNotificationParams = NotificationParams & Task;

/**
 * Reports the new status of a task. It is optional, so the requester must poll in any case.
 *
 * @category `notifications/tasks/status`
 */
export interface TaskStatusNotification extends JSONRPCNotification {
  /** Wire name; from the side that runs the task. */
  method: "notifications/tasks/status";
  /** The task as it stands. */
  params: TaskStatusNotificationParams;
}

// Logging

/**
 * The new threshold.
 *
 * @category `logging/setLevel`
 */
export interface SetLevelRequestParams extends RequestParams {
  /** Least severe level to send; everything more severe comes too. */
  level: LoggingLevel;
}

/**
 * Sets the lowest severity of the log messages that the server sends.
 *
 * @category `logging/setLevel`
 */
export interface SetLevelRequest extends JSONRPCRequest {
  /** Wire name; client to server, answered by `EmptyResult`. Needs `logging`. */
  method: "logging/setLevel";
  /** The new threshold. */
  params: SetLevelRequestParams;
}

/**
 * A log message with its severity and source.
 *
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
 * A log message. Until the client sets a level, the server chooses what to send.
 *
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
 * @category Common Types
 */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

// Sampling

/**
 * The conversation and how to continue it; most of it advice the client may ignore.
 *
 * @category `sampling/createMessage`
 */
export interface CreateMessageRequestParams extends TaskAugmentedRequestParams {
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
   * Whose context to add to the prompt. Default: `none`; the other values are on their way out and
   * need `sampling.context`.
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
  /** Tools the model may ask for. Needs `sampling.tools`, else the client answers with an error. */
  tools?: Tool[];
  /**
   * Whether the model has to use a tool. Needs `sampling.tools`, else the client answers with an error.
   * Default: `{ mode: "auto" }`.
   */
  toolChoice?: ToolChoice;
}

/**
 * How free the model is to use tools or not.
 *
 * @category `sampling/createMessage`
 */
export interface ToolChoice {
  /** `auto`: as it likes; `required`: one at least; `none`: not any. Default: `auto`. */
  mode?: "auto" | "required" | "none";
}

/**
 * Asks the client to sample its model. The client selects the model, and the user may review or reject the
 * request.
 *
 * @category `sampling/createMessage`
 */
export interface CreateMessageRequest extends JSONRPCRequest {
  /**
   * Wire name; server to client, answered by `CreateMessageResult`, or by
   * `CreateTaskResult` if run as a task.
   */
  method: "sampling/createMessage";
  /** The conversation and how to continue it. */
  params: CreateMessageRequestParams;
}

/**
 * The message the model wrote, once the person at the client had a chance to see it.
 *
 * @category `sampling/createMessage`
 */
export interface CreateMessageResult extends Result, SamplingMessage {
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
 * @category `sampling/createMessage`
 */
export interface SamplingMessage {
  /** Who is speaking in this turn. */
  role: Role;
  /** What is said: one block or several. A user turn with a `tool_result` holds nothing but tool results. */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  /** Extra data about the turn, for hosts and extensions that know the keys. */
  _meta?: { [key: string]: unknown };
}

/**
 * What a turn with a model can hold; unlike a `ContentBlock` it includes tool use and no resources.
 *
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
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
  _meta?: { [key: string]: unknown };
}

/**
 * The model's wish to have a tool run, found in its answer.
 *
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
  _meta?: { [key: string]: unknown };
}

/**
 * What a tool returned, on its way back to the model.
 *
 * @category `sampling/createMessage`
 */
export interface ToolResultContent {
  /** Tells a tool result from the other blocks of a turn. */
  type: "tool_result";
  /** Names the tool use it answers, in the turn before, by its `id`. */
  toolUseId: string;
  /** What the model gets to see, as in `CallToolResult`. */
  content: ContentBlock[];
  /** The same as an object for programs; should fit the tool's `outputSchema`. */
  structuredContent?: { [key: string]: unknown };
  /** The tool failed; `content` says how. Default: false. */
  isError?: boolean;
  /** Extra data about the tool result. Keep it when the turn is sent again; caches rely on it. */
  _meta?: { [key: string]: unknown };
}

// Model selection

/**
 * What a server would like of the model: names it knows and what to weigh. The client need not follow.
 *
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
    /** Suggestions, best first; 100 at most. */
    values: string[];
    /** How many there are in all, if known; may be more than `values` has. */
    total?: number;
    /** There are more than `values` has, be their number known or not. Absent: nothing is said about it. */
    hasMore?: boolean;
  };
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
 * Lists the directories and files that the server may work with.
 *
 * @category `roots/list`
 */
export interface ListRootsRequest extends JSONRPCRequest {
  /** Wire name; server to client, answered by `ListRootsResult`. Needs `roots`. */
  method: "roots/list";
  /** Nothing but `_meta`. */
  params?: RequestParams;
}

/**
 * The places a server may work in, all at once.
 *
 * @category `roots/list`
 */
export interface ListRootsResult extends Result {
  /** The roots; there are no pages. */
  roots: Root[];
}

/**
 * A directory or file the user has opened to a server.
 *
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
  _meta?: { [key: string]: unknown };
}

/**
 * Reports that the list of roots has changed. The server should request it again.
 *
 * @category `notifications/roots/list_changed`
 */
export interface RootsListChangedNotification extends JSONRPCNotification {
  /** Wire name; client to server, if it declared `roots.listChanged`. */
  method: "notifications/roots/list_changed";
  /** Nothing but `_meta`. */
  params?: NotificationParams;
}

// Elicitation

/**
 * Asks through a form. Never for passwords or other secrets: those go by URL.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
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
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  /** URL mode, never meant when the member is absent. */
  mode: "url";
  /** Text shown with the link: why the visit is needed. */
  message: string;
  /**
   * Identifier of this visit, unique at the server and opaque to the client; the end of
   * it is announced under it.
   */
  elicitationId: string;
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
 * Asks the user for information, in a form or on a web page.
 *
 * @category `elicitation/create`
 */
export interface ElicitRequest extends JSONRPCRequest {
  /** Wire name; server to client, answered by `ElicitResult`, or by `CreateTaskResult` if run as a task. */
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
export interface ElicitResult extends Result {
  /** `accept`: answered or agreed; `decline`: said no; `cancel`: closed it without deciding. */
  action: "accept" | "decline" | "cancel";
  /**
   * The filled-in form, by field; only with `accept`, and never in URL mode. A
   * multiple choice gives an array.
   */
  content?: { [key: string]: string | number | boolean | string[] };
}

/**
 * Reports that the user has completed an elicitation in URL mode. A request that waited for it can be sent
 * again.
 *
 * @category `notifications/elicitation/complete`
 */
export interface ElicitationCompleteNotification extends JSONRPCNotification {
  /** Wire name; server to the client that got the request. It may never come. */
  method: "notifications/elicitation/complete";
  /** Which visit is over. */
  params: {
    /** The `elicitationId` of the request; unknown ones are ignored. */
    elicitationId: string;
  };
}

// What a client sends

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
 * Every result a client may answer with, but for `CreateTaskResult`, which is in no union.
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

// What a server sends

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
 * Every result a server may answer with, but for `CreateTaskResult`, which is in no union.
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
