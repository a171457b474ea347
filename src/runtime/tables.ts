/**
 * The tables of a revision, as generated code passes them to the runtime, which has no method, type or date of its own. The facts are
 * in `dispatch.ts`, which declares the same shapes structurally and imports nothing; `client.ts` and `server.ts` join them with
 * validators to one `ClientSide` or `ServerSide`.
 */

/** Is the value of its type? Every `isX` of `validators.ts` is one; when it returns false, the side's `refusal` says why. */
export type Guard = (value: unknown) => boolean;

/** Why a value is not of its type: what was expected, and the path to it from the root of the value. */
export interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[] | undefined;
}

/** What is true of a revision as a whole. */
export interface Revision {
  /** The layout of these tables; a runtime that does not know it refuses. */
  readonly format: 2;
  readonly revision: string;
  readonly opening: "initialize" | "per-request";
  readonly batches: boolean;
  /** An error whose request could not be read has no id; absent, its id is null. */
  readonly idlessErrors?: true;
  /** A server begins each HTTP stream with an event id, so that a client may come back for any answer. */
  readonly primedStreams?: true;
  /** The wire methods that the engine has to know, by their roles; absent where the revision has none. */
  readonly wellKnown: { readonly [role in WellKnownMethod]?: string };
  /** The reserved keys of `_meta`, by their roles. */
  readonly meta: { readonly [role in WellKnownMetaKey]?: string };
  /** The names of HTTP headers, by their roles. */
  readonly headers: { readonly [role in WellKnownHeader]?: string };
  /** Error codes by name (PARSE_ERROR is -32700): those of the schema, and those that only the text of the specification has. */
  readonly errors: { readonly [name: string]: number };
  /** Ranges of codes that are not sent unless `errors` has them, each with the code that is sent instead. */
  readonly replacedCodes?: readonly (readonly [from: number, to: number, instead: number])[];
}

export type WellKnownMethod =
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
export type WellKnownMetaKey =
  | "progressToken"
  | "protocolVersion"
  | "clientInfo"
  | "clientCapabilities"
  | "logLevel"
  | "serverInfo"
  | "subscriptionId"
  | "relatedTask";
export type WellKnownHeader = "version" | "session" | "resume" | "method" | "name" | "param";

/** Part of a capabilities object, as the side that has it declares it: `{ resources: { subscribe: true } }`. */
export interface Capabilities {
  readonly [name: string]: Capabilities | true;
}

/** A capability that is needed only when the params say so. */
export interface Condition {
  /** The member of the params that decides. */
  readonly member: string;
  /** The values that need the capability, null standing for absence; left out, any value present needs it. */
  readonly values?: readonly (string | number | boolean | null)[];
  readonly needs: Capabilities;
  /** The capability is also declared by an empty object in its parent's place: `elicitation: {}` means form. */
  readonly implied?: true;
}

/** The facts about a request that the engine needs; an absent flag has its usual value. */
export interface RequestFacts {
  readonly kind: "request";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /** What the receiver must declare; a handler for the method declares just this. */
  readonly needs?: Capabilities;
  /** What the receiver must declare besides, depending on the params. */
  readonly conditions?: readonly Condition[];
  /** The member of the result that holds a page's items. */
  readonly items?: string;
  /** Is carried inside a result and never sent as a message of its own. */
  readonly embedded?: true;
  /** Must not be cancelled. */
  readonly uncancellable?: true;
  /** The result says how long it may be kept. */
  readonly cacheable?: true;
  /** May be answered with a request for input. */
  readonly asksInput?: true;
  /** The member of the params that asks for another kind of answer. */
  readonly augments?: string;
  /** Other kinds of answer by their `resultType`, each with the extension that both sides must have declared for it. */
  readonly variants?: { readonly [resultType: string]: Capabilities };
  /** The extension it belongs to, which both sides must have declared. */
  readonly extension?: Capabilities;
  /** The member of the params that is repeated in the header with the role "name". */
  readonly header?: string;
  /** What a member of each item of a list in the result begins with, beyond what its guard checks. */
  readonly prefixes?: readonly { readonly list: string; readonly member: string; readonly prefix: string }[];
  /** Required members of the result that the engine fills when a handler leaves them out. */
  readonly fills?: { readonly [member: string]: unknown };
}

export interface NotificationFacts {
  readonly kind: "notification";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /** What must be declared before it may be sent. */
  readonly needs?: Capabilities;
  /** The extension it belongs to, which both sides must have declared. */
  readonly extension?: Capabilities;
  /** Who declares it. */
  readonly needsOf?: "client" | "server";
  /** The member of a listen request's filter that asks for it. */
  readonly filter?: string;
  /** The member of the params that says what changed; only peers that subscribed to this value get the notification. */
  readonly subject?: string;
}

/** Checks the params of a message, whichever side sends it; its method has found the row. */
export interface Incoming {
  readonly params: Guard;
  /** May the params be left out? */
  readonly optional?: true;
}

/** A request: its facts, and what checks its params and its answer, on the side that sends them as on the one that gets them. */
export interface IncomingRequest extends Incoming {
  readonly facts: RequestFacts;
  readonly result: Guard;
  /** Checks a result that asks for input. */
  readonly input?: Guard;
  /** Checks the other kind of result, where the params asked for it. */
  readonly augmented?: Guard;
  /** Checks other kinds of results, by their `resultType`. */
  readonly variants?: { readonly [resultType: string]: Guard };
}
export type OutgoingRequest = IncomingRequest;

export interface IncomingNotification extends Incoming {
  readonly facts: NotificationFacts;
}
export type OutgoingNotification = IncomingNotification;

/** How a value is changed before it is sent in a revision that lacks some of its members or blocks. */
export interface Fitting {
  /** Members to leave out. */
  readonly omit?: readonly string[];
  /** What to change further inside, by member; lists are walked through. */
  readonly inside?: { readonly [member: string]: Fitting };
  /**
   * Blocks by the value of their tag: `as` replaces them, `{member}` in its texts standing for a member of the block; null leaves
   * them out of their list.
   */
  readonly kinds?: {
    readonly [kind: string]: Fitting & { readonly as?: { readonly [member: string]: unknown } | null };
  };
}

/** The changes to everything that a server sends, by wire method. */
export interface Fittings {
  /** The member that tells blocks apart. */
  readonly tag: string;
  readonly results: { readonly [method: string]: Fitting };
  readonly params: { readonly [method: string]: Fitting };
}

/** The messages that one side of one revision sends and receives, by wire method, with what checks them. */
export interface SideTable {
  readonly side: "client" | "server";
  readonly revision: Revision;
  /**
   * Returns what the guard that has just refused a value expected, and at which path. Call it directly after the guard, with the same
   * value and, where the value is a member of the message, the name of that member.
   */
  readonly refusal: (value: unknown, member?: string) => Issue;
  readonly outgoingRequests: { readonly [method: string]: OutgoingRequest };
  readonly incomingRequests: { readonly [method: string]: IncomingRequest };
  readonly outgoingNotifications: { readonly [method: string]: OutgoingNotification };
  readonly incomingNotifications: { readonly [method: string]: IncomingNotification };
  /** Guards of error responses whose data the revision declares, by error code. */
  readonly failures?: { readonly [code: string]: Guard };
}
