/**
 * The intermediate representation: one protocol revision as plain data, in the order its schema tells it.
 *
 * Every reader produces it, every view consumes it, and `mcpgen ir` prints it. Invariants (checked by `check.ts`
 * after every reader): closed (a reference names a declaration), ordered (arrays in source order), plain (survives a
 * JSON round trip, no `undefined`), normal (no union in a union, none of one member, optionality on `Property` alone).
 */
export interface Protocol {
  /** Version of this representation. Rises when a reader of the JSON would have to change. */
  readonly format: 1;
  /** The dated revision, or whatever the schema calls itself. Compared for equality, never ordered. */
  readonly revision: string;
  readonly source: Source;
  /** How a connection opens: with an `initialize` handshake, or with metadata on every request. */
  readonly opening: Opening;
  /** Does the revision speak JSON-RPC batches (arrays of messages)? */
  readonly batches: boolean;
  /** May an error response leave its `id` out when the request could not be read? Without it the id is null there. */
  readonly idlessErrors: boolean;
  /** Does a server begin each HTTP stream with an event id, so that a client may come back for any answer? */
  readonly primedStreams: boolean;
  /** Error codes that only prose tells; those that the schema names are constants among the declarations. */
  readonly errors: Readonly<Partial<Record<ErrorName, number>>>;
  /** The severities of log messages, the least severe first; empty when the revision has no log. */
  readonly levels: readonly string[];
  /** HTTP header names by their job; a job the revision does not have is absent. */
  readonly headers: Readonly<Partial<Record<HeaderJob, string>>>;
  /** Wire methods by the job they have for a session engine; a job the revision does not have is absent. */
  readonly jobs: Readonly<Partial<Record<Job, string>>>;
  /** Reserved `_meta` keys by their job. */
  readonly meta: Readonly<Partial<Record<MetaJob, string>>>;
  /** Members that a session engine fills when the author of a handler or call leaves them out. */
  readonly fills: readonly Fill[];
  readonly declarations: readonly Declaration[];
  readonly messages: readonly Message[];
  /** What was merged into the revision; it is used only between two sides that both declare it. */
  readonly extensions: readonly Extension[];
}

/** An extension of the revision, from a schema of its own. */
export interface Extension {
  /** The key under which both sides declare it: "io.modelcontextprotocol/tasks". */
  readonly id: string;
  readonly source: Source;
  /** The names of the declarations that came with it, its messages and results among them. */
  readonly adds: readonly string[];
}

export type Opening = "initialize" | "per-request";

/** What the revision was read from. */
export interface Source {
  /** A path relative to the project or package, with forward slashes; never absolute. */
  readonly name: string;
  readonly language: "typescript" | "json-schema";
  /** Lower-case hex of the source's bytes. */
  readonly sha256: string;
}

export type ErrorName = "RESOURCE_NOT_FOUND";
export type HeaderJob = "version" | "session" | "resume" | "method" | "name" | "param";
export type Job =
  | "initialize"
  | "initialized"
  | "discover"
  | "ping"
  | "cancelled"
  | "progress"
  | "log"
  | "setLevel"
  | "listen"
  | "acknowledged"
  | "subscribe"
  | "unsubscribe"
  | "listTools"
  | "callTool"
  | "listResources"
  | "listTemplates"
  | "readResource"
  | "listPrompts"
  | "getPrompt"
  | "complete"
  | "getTask"
  | "taskResult"
  | "cancelTask"
  | "listTasks"
  | "updateTask"
  | "taskStatus";
export type MetaJob =
  | "progressToken"
  | "protocolVersion"
  | "clientInfo"
  | "clientCapabilities"
  | "logLevel"
  | "serverInfo"
  | "subscriptionId"
  | "relatedTask";

/** A required member that the engine may fill: `resultType` with "complete", say. */
export interface Fill {
  /** Where the member stands: in what a handler returns, or in what a caller sends. */
  readonly place: "result" | "params";
  readonly member: string;
  /** The value to fill in; null when the engine computes it (the request's `_meta`). */
  readonly value: string | number | boolean | null;
}

export type Declaration = InterfaceDeclaration | AliasDeclaration | ConstantDeclaration;

export interface InterfaceDeclaration {
  readonly kind: "interface";
  readonly name: string;
  readonly doc: Doc;
  readonly bases: readonly Base[];
  /** Own members only, in source order; `flatten` adds the inherited ones. */
  readonly properties: readonly Property[];
  /** The type of the interface's own index signature, null without one. */
  readonly rest: Type | null;
}

/** One entry of an `extends` list; `omit` names members left out by `Omit<…>`. */
export interface Base {
  readonly name: string;
  readonly omit: readonly string[];
}

export interface AliasDeclaration {
  readonly kind: "alias";
  readonly name: string;
  readonly doc: Doc;
  readonly type: Type;
}

export interface ConstantDeclaration {
  readonly kind: "constant";
  readonly name: string;
  readonly doc: Doc;
  readonly value: string | number;
}

export interface Property {
  /** The wire name, raw: it may be any string. */
  readonly name: string;
  readonly optional: boolean;
  readonly type: Type;
  readonly doc: Doc;
}

/** Prose, and the machine-readable tags beside it. */
export interface Doc {
  /** Prose without comment marks; paragraphs split by an empty line; empty when there is none. */
  readonly text: string;
  /** In source order; the text is trimmed and may be empty. */
  readonly tags: readonly Tag[];
}

export interface Tag {
  /** Without the at-sign: format, TJS-type, minimum, maximum, maxItems, nullable, deprecated, internal, category. */
  readonly name: string;
  readonly text: string;
}

export type Type =
  /** Any JSON value. */
  | { readonly kind: "unknown" }
  | { readonly kind: "boolean" }
  /** Any finite number, or only whole ones; the bounds are inclusive. */
  | {
      readonly kind: "number";
      readonly integer: boolean;
      readonly minimum: number | null;
      readonly maximum: number | null;
    }
  /** `format` annotates and never rejects; `known` are the named values of an open enumeration. */
  | { readonly kind: "string"; readonly format: string | null; readonly known: readonly string[] }
  /** One value; `constant` names the declaration it was written with (`typeof PARSE_ERROR`). */
  | {
      readonly kind: "literal";
      readonly value: string | number | boolean | null;
      readonly constant: string | null;
    }
  | { readonly kind: "array"; readonly element: Type; readonly maxItems: number | null }
  /** An object used as a map. */
  | { readonly kind: "record"; readonly member: Type }
  /** An anonymous object; without members and `rest` it is any object. */
  | { readonly kind: "object"; readonly properties: readonly Property[]; readonly rest: Type | null }
  | { readonly kind: "union"; readonly members: readonly Type[] }
  /** All of them at once; the members are references and objects. */
  | { readonly kind: "intersection"; readonly members: readonly Type[] }
  | { readonly kind: "reference"; readonly name: string };

export type Message = RequestMessage | NotificationMessage;

interface MessageBase {
  /** The wire method: "tools/call". */
  readonly method: string;
  /** The declaration that carries the literal: "CallToolRequest". */
  readonly name: string;
  readonly sender: "client" | "server" | "either";
  readonly params: Params;
  /** The capability that must be declared before the message may be sent; null when none is needed. */
  readonly capability: Capability | null;
  readonly deprecated: boolean;
}

export interface RequestMessage extends MessageBase {
  readonly kind: "request";
  /** Names of the declarations it may be answered with; the ordinary one first. */
  readonly results: readonly string[];
  /** Since 2026-07-28 some requests ride inside a result and never stand on the wire. */
  readonly carriage: "wire" | "embedded";
  /** The member of the result that holds a page's items; null when the list is not paged. */
  readonly items: string | null;
  readonly cancellable: boolean;
  readonly cacheable: boolean;
  /** May the answer be a request for input? */
  readonly asksInput: boolean;
  /** The member of the params that is mirrored in the HTTP header with the job "name". */
  readonly headerMember: string | null;
  /** Capabilities that are needed besides, depending on the params. */
  readonly conditions: readonly Condition[];
  /** What text in the result begins with, beyond what its type can say. */
  readonly prefixes: readonly Prefix[];
}

export interface NotificationMessage extends MessageBase {
  readonly kind: "notification";
  /** The member of a listen request's filter that asks for it; null when it cannot be asked for. */
  readonly filter: string | null;
  /** The member of the params that says what changed, when only those who named it hear of it. */
  readonly subject: string | null;
}

export interface Params {
  readonly presence: "none" | "optional" | "required";
  /** A reference where the schema names the params, an object where it writes them inline; null for "none". */
  readonly type: Type | null;
  /** The interface that declares the member: `CallToolRequest`, or a base such as `PaginatedRequest`. */
  readonly declaredBy: string | null;
}

export interface Capability {
  /** Whose capabilities, and the path inside them: server, "resources.subscribe". */
  readonly side: "client" | "server" | "receiver";
  readonly path: string;
  /** Is it declared by `true`? Otherwise an object declares it. */
  readonly flag: boolean;
}

/** What one member of each item of a list begins with. */
export interface Prefix {
  /** The member of the result that holds the items. */
  readonly list: string;
  readonly member: string;
  readonly prefix: string;
}

/** A capability that a request needs only with certain params. */
export interface Condition {
  /** The member of the params that decides. */
  readonly member: string;
  /** The values that need it, null standing for absence; null for all values but absence. */
  readonly values: readonly (string | null)[] | null;
  readonly capability: Capability;
  /** An empty object in the parent's place declares it too: `elicitation: {}` means forms. */
  readonly implied: boolean;
}
