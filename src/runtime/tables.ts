/**
 * What generated code tells the runtime about a revision. Generated files declare the same shapes structurally, so that
 * neither side imports the other's types. The runtime reads these tables and holds no method, type or date of its own.
 */

/** A message's type, able to say yes or no and, after a no, where and why. Every `XSchema` of `validators.ts` is one. */
export interface Validator<T = unknown> {
  is(value: unknown): value is T;
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | { readonly success: false; readonly error: Invalid };
}

/** Why a value was refused: `content[1].type: expected "text" or "image", got "video"`. */
export interface Invalid {
  readonly message: string;
  readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[];
}

/** What is true of a revision as a whole. */
export interface Revision {
  /** The layout of these tables; a runtime that does not know it refuses. */
  readonly format: 1;
  readonly revision: string;
  readonly opening: "initialize" | "per-request";
  readonly batches: boolean;
  /** Wire methods by the job they have for the engine; absent when the revision lacks the job. */
  readonly jobs: Readonly<Partial<Record<Job, string>>>;
  /** Reserved `_meta` keys by their job. */
  readonly meta: Readonly<Partial<Record<MetaJob, string>>>;
  /** HTTP header names by their job. */
  readonly headers: Readonly<Partial<Record<HeaderJob, string>>>;
  /** The schema's numeric constants by name: PARSE_ERROR is -32700. */
  readonly errors: Readonly<Record<string, number>>;
}

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
  | "acknowledged";
export type MetaJob =
  | "progressToken"
  | "protocolVersion"
  | "clientInfo"
  | "clientCapabilities"
  | "logLevel"
  | "serverInfo"
  | "subscriptionId";
export type HeaderJob = "version" | "session" | "method" | "name" | "param";

/** What the engine must know of a request; an absent flag has its common value. */
export interface RequestFacts {
  readonly kind: "request";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /** The path inside the receiver's capabilities that must be declared: "tools", "resources.subscribe". */
  readonly needs?: string;
  /** The member of the result that holds a page's items. */
  readonly items?: string;
  /** Rides inside a result and never stands on the wire. */
  readonly embedded?: true;
  /** Must not be cancelled. */
  readonly uncancellable?: true;
  /** The result says how long it may be kept. */
  readonly cacheable?: true;
  /** May be answered with a request for input. */
  readonly asksInput?: true;
  /** The member of the params mirrored in the header with the job "name". */
  readonly header?: string;
  /** Required members of the result that the engine fills when a handler leaves them out. */
  readonly fills?: Readonly<Record<string, unknown>>;
}

export interface NotificationFacts {
  readonly kind: "notification";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /** Whose capability announces it, and where it stands. */
  readonly needs?: string;
  readonly needsOf?: "client" | "server";
}

/** A request this side may send: its facts and what checks the answer. */
export interface OutgoingRequest extends RequestFacts {
  readonly result: Validator;
}

/** A request this side may receive; without `params` the request carries none. */
export interface IncomingRequest extends RequestFacts {
  readonly params?: Validator;
  /** The request must carry params. */
  readonly paramsRequired?: true;
}

/** A notification this side may receive. */
export interface IncomingNotification extends NotificationFacts {
  readonly params?: Validator;
  readonly paramsRequired?: true;
}

/** All that one side of one revision needs: what it sends and what it hears, by wire method. */
export interface SideTable {
  readonly side: "client" | "server";
  readonly revision: Revision;
  readonly sends: Readonly<Record<string, OutgoingRequest>>;
  readonly hears: Readonly<Record<string, IncomingRequest>>;
  readonly announces: Readonly<Record<string, NotificationFacts>>;
  readonly notices: Readonly<Record<string, IncomingNotification>>;
}
