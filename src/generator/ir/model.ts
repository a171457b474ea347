import type { Schema } from "./constraint.js";
import type { WellKnownMethod } from "./facts.js";

export type { Doc, Tag } from "./constraint.js";
export type { WellKnownMethod } from "./facts.js";

/**
 * The intermediate representation (IR): one protocol revision as plain data, in
 * the order of its schema.
 *
 * Every reader produces it, every view consumes it, and `mcpgen ir` prints it.
 * Every reader keeps these invariants, which tests check on all sources:
 *
 * - closed: a reference names a declaration;
 * - ordered: arrays are in source order;
 * - plain: equal after a JSON round trip, without `undefined`;
 * - shallow: no schema is nested too deep for a program that recurses.
 */
export interface Protocol {
  /**
   * Version of this representation. Increases when programs that read the JSON
   * need a change.
   */
  readonly format: 2;
  /**
   * The date of the revision, or the schema's own name for itself. Compared for
   * equality, never ordered.
   */
  readonly revision: string;
  readonly source: Source;
  /**
   * How a connection opens: with an `initialize` handshake, or with metadata on
   * every request.
   */
  readonly opening: Opening;
  /** True if the revision supports JSON-RPC batches (arrays of messages). */
  readonly batches: boolean;
  /**
   * True if an error response for an unreadable request may omit its `id`.
   * Otherwise its id is null.
   */
  readonly idlessErrors: boolean;
  /**
   * True if a server starts each HTTP stream with an event id, so that a client
   * can resume it.
   */
  readonly primedStreams: boolean;
  /**
   * Error codes that only the prose defines. Codes that the schema names are
   * constants among the declarations.
   */
  readonly errors: Readonly<Partial<Record<ErrorName, number>>>;
  /**
   * The codes that a server must not send, in ranges. Codes that the schema
   * names are sent unchanged.
   */
  readonly replacedCodes: readonly ReplacedCodes[];
  /**
   * Log levels, the least severe first; empty if the revision has no log
   * messages.
   */
  readonly levels: readonly string[];
  /**
   * HTTP header names by their role; roles that the revision lacks are absent.
   */
  readonly headers: Readonly<Partial<Record<WellKnownHeader, string>>>;
  /**
   * Wire methods that a session engine uses, by their role; roles that the
   * revision lacks are absent.
   */
  readonly wellKnown: Readonly<Partial<Record<WellKnownMethod, string>>>;
  /** Reserved `_meta` keys by their role. */
  readonly meta: Readonly<Partial<Record<WellKnownMetaKey, string>>>;
  /**
   * Members for which a session engine supplies a default when a handler or
   * caller omits them.
   */
  readonly engineDefaults: readonly EngineDefault[];
  readonly declarations: readonly Declaration[];
  readonly messages: readonly Message[];
  /**
   * Extensions merged into the revision. Each applies only if the sides that
   * must declare it do so.
   */
  readonly extensions: readonly Extension[];
}

/** An extension of the revision, read from its own schema. */
export interface Extension {
  /** The key under which it is declared: "io.modelcontextprotocol/tasks". */
  readonly id: string;
  /** The only side that declares it; absent if both do. */
  readonly declaredBy?: "server";
  readonly source: Source;
  /**
   * The names of the declarations that the extension adds, including its
   * messages and results.
   */
  readonly adds: readonly string[];
}

export type Opening = "initialize" | "per-request";

/** The file that the revision was read from. */
export interface Source {
  /**
   * A path relative to the project or package, with forward slashes; never
   * absolute.
   */
  readonly name: string;
  readonly language: "typescript" | "json-schema";
  /** Lower-case hex of the source's bytes. */
  readonly sha256: string;
}

/** The codes of one range and the code that is sent in place of each. */
export interface ReplacedCodes {
  /** The lowest and the highest code. */
  readonly from: number;
  readonly to: number;
  readonly becomes: number;
}

export type ErrorName = "RESOURCE_NOT_FOUND";
export type WellKnownHeader =
  "version" | "session" | "resume" | "method" | "name" | "param";
export type WellKnownMetaKey =
  | "progressToken"
  | "protocolVersion"
  | "clientInfo"
  | "clientCapabilities"
  | "logLevel"
  | "serverInfo"
  | "subscriptionId"
  | "relatedTask";

/** A required member with a default, such as `resultType` with "complete". */
export interface EngineDefault {
  /**
   * The object with the member: the result of a handler, or the params of a
   * call.
   */
  readonly object: "result" | "params";
  readonly member: string;
  /** The default; null if the engine computes it (the request's `_meta`). */
  readonly value: string | number | boolean | null;
}

/** A type or a constant of the schema. */
export interface Declaration {
  readonly kind: "interface" | "alias" | "constant";
  readonly name: string;
  /**
   * The interfaces that an interface extends; empty for any other declaration.
   */
  readonly bases: readonly Base[];
  /**
   * Of an interface, its own members only: `flatten` adds the inherited ones.
   * Of a constant, its only value, a string or a number.
   */
  readonly schema: Schema;
}

/**
 * One entry of an `extends` list; `omit` names members left out by `Omit<…>`.
 */
export interface Base {
  readonly name: string;
  readonly omit: readonly string[];
}

/** A side of a connection. */
export type Side = "client" | "server";

export type Message = RequestMessage | NotificationMessage;

interface MessageBase {
  /** The wire method: "tools/call". */
  readonly method: string;
  /** The declaration that carries the literal: "CallToolRequest". */
  readonly name: string;
  readonly sender: Side | "either";
  readonly params: Params;
  /**
   * The capability that must be declared before the message may be sent; null
   * when none is needed.
   */
  readonly capability: Capability | null;
  readonly deprecated: boolean;
}

export interface RequestMessage extends MessageBase {
  readonly kind: "request";
  /** Names of the declarations of its results; the ordinary one first. */
  readonly results: readonly string[];
  /**
   * Since 2026-07-28 some requests are embedded in a result and are never
   * JSON-RPC messages of their own.
   */
  readonly carriage: "wire" | "embedded";
  /**
   * The member of the result with the items of a page; null if the method is
   * not paginated.
   */
  readonly items: string | null;
  readonly cancellable: boolean;
  readonly cacheable: boolean;
  /** True if the result may be a request for input. */
  readonly asksInput: boolean;
  /**
   * The member of the params that the HTTP header with the role "name" repeats.
   */
  readonly headerMember: string | null;
  /** Further capabilities that certain params need. */
  readonly conditions: readonly Condition[];
  /** Prefixes of text in the result that its type cannot express. */
  readonly prefixes: readonly Prefix[];
}

export interface NotificationMessage extends MessageBase {
  readonly kind: "notification";
  /**
   * The member of a listen request's filter that subscribes to it; null if
   * there is none.
   */
  readonly filter: string | null;
  /**
   * The member of the params that identifies what changed, if only its
   * subscribers receive the notification.
   */
  readonly subject: string | null;
}

export interface Params {
  readonly presence: "none" | "optional" | "required";
  /**
   * A reference where the schema names the params, an object where it writes
   * them inline; null for "none".
   */
  readonly schema: Schema | null;
  /**
   * The interface that declares the member: `CallToolRequest`, or a base such
   * as `PaginatedRequest`.
   */
  readonly declaredBy: string | null;
}

export interface Capability {
  /**
   * The side that declares the capability, and the path inside its
   * capabilities: server, "resources.subscribe".
   */
  readonly side: Side | "receiver";
  readonly path: string;
  /** True if the value `true` declares it; otherwise an object declares it. */
  readonly flag: boolean;
}

/** The prefix of a member in each item of a list. */
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
  /**
   * The values that need it, null for absence. If the list itself is null:
   * every value except absence.
   */
  readonly values: readonly (string | null)[] | null;
  readonly capability: Capability;
  /**
   * True if an empty parent object declares it too: `elicitation: {}` means
   * forms.
   */
  readonly implied: boolean;
}
