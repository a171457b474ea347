/**
 * The tables of a revision, which generated code passes to the runtime; the
 * runtime itself contains no method, type or revision. `dispatch.ts` holds a
 * row for each message; its types are the same shapes without imports.
 * `client.ts` and `server.ts` make a `ClientSide` or `ServerSide` of the rows.
 */

import type { JsonObject } from "../../common/object.js";
import type { Issue } from "./errors.js";
import type { Reporting } from "./report.js";

/**
 * Tests whether a value is of a type, as each `isX` of `validators.ts` does. If
 * it returns false, the side's `lastIssue` says why.
 */
export type Guard = (value: unknown) => boolean;

/** Facts about a revision as a whole. */
export interface Revision {
  /**
   * The version of the layout of these tables. The runtime throws for an
   * unsupported one.
   */
  readonly format: 1;
  readonly revision: string;
  readonly opening: "initialize" | "per-request";
  readonly batches: boolean;
  /**
   * True if an error about an unreadable request has no id; otherwise its id is
   * null.
   */
  readonly idlessErrors?: true;
  /**
   * True if a server starts each HTTP stream with an event id, so that a client
   * can resume it.
   */
  readonly primedStreams?: true;
  /**
   * The methods that the engine uses, by role; absent if the revision has none
   * for the role.
   */
  readonly wellKnown: { readonly [role in WellKnownMethod]?: string };
  /** The reserved keys of `_meta`, by role. */
  readonly meta: { readonly [role in WellKnownMetaKey]?: string };
  /** The names of HTTP headers, by role. */
  readonly headers: { readonly [role in WellKnownHeader]?: string };
  /**
   * Error codes by name (PARSE_ERROR is -32700), of the schema and of the text
   * of the specification.
   */
  readonly errors: { readonly [name: string]: number };
  /**
   * Reserved ranges: a code in one that `errors` does not have is replaced
   * before it is sent.
   */
  readonly replacedCodes?: readonly (readonly [
    from: number,
    to: number,
    replacement: number,
  ])[];
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
  | "taskStatus"
  | "listSkills"
  | "getSkill"
  | "readDirectory";
export type WellKnownMetaKey =
  | "progressToken"
  | "protocolVersion"
  | "clientInfo"
  | "clientCapabilities"
  | "logLevel"
  | "serverInfo"
  | "subscriptionId"
  | "relatedTask";
export type WellKnownExtension = "ui" | "skills";
export type WellKnownHeader =
  "version" | "session" | "resume" | "method" | "name" | "param";

/** Part of a capabilities object: `{ resources: { subscribe: true } }`. */
export interface Capabilities {
  readonly [name: string]: Capabilities | true;
}

/** A capability that a request needs only with certain params. */
export interface Condition {
  /** The member of the params that decides. */
  readonly member: string;
  /**
   * The values that need the capability; null means that the member is absent.
   * Without this list, any value needs it.
   */
  readonly values?: readonly (string | number | boolean | null)[];
  readonly needs: Capabilities;
  /**
   * True if an empty parent object also declares the capability:
   * `elicitation: {}` means form.
   */
  readonly implied?: true;
}

/** The facts about a request that the engine uses. An absent flag is false. */
export interface RequestFacts {
  readonly kind: "request";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /**
   * The capability that the receiver must declare. A handler for the method
   * declares it.
   */
  readonly needs?: Capabilities;
  /**
   * Further capabilities that the receiver must declare, depending on the
   * params.
   */
  readonly conditions?: readonly Condition[];
  /** The member of the result that holds a page's items. */
  readonly items?: string;
  /** True if the request is sent inside a result and never as a message. */
  readonly embedded?: true;
  /** True if the request must not be cancelled. */
  readonly uncancellable?: true;
  /** True if the result says how long it may be cached. */
  readonly cacheable?: true;
  /** True if the result may ask for input. */
  readonly asksInput?: true;
  /**
   * The member of the params that requests another kind of result, such as a
   * task.
   */
  readonly augments?: string;
  /**
   * Other kinds of results by `resultType`, each with the extension that the
   * client must declare.
   */
  readonly variants?: { readonly [resultType: string]: Capabilities };
  /** The extension of the request. */
  readonly extension?: Capabilities;
  /**
   * The only side that must declare the extension; absent if both sides must.
   */
  readonly declaredBy?: "server";
  /**
   * The member of the params that is repeated in the header with the role
   * "name".
   */
  readonly header?: string;
  /**
   * Prefixes that a member of each item of a list in the result must have.
   * Guards do not check them.
   */
  readonly prefixes?: readonly {
    readonly list: string;
    readonly member: string;
    readonly prefix: string;
  }[];
  /** Defaults of required members of the result that a handler may omit. */
  readonly engineDefaults?: { readonly [member: string]: unknown };
}

export interface NotificationFacts {
  readonly kind: "notification";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /**
   * The capability that must be declared before the notification may be sent.
   */
  readonly needs?: Capabilities;
  /** The extension of the notification. */
  readonly extension?: Capabilities;
  /**
   * The only side that must declare the extension; absent if both sides must.
   */
  readonly declaredBy?: "server";
  /** The side that declares `needs`. */
  readonly needsOf?: "client" | "server";
  /** The member of a listen request's filter that requests it. */
  readonly filter?: string;
  /**
   * The member of the params that says what changed. Only peers that subscribed
   * to this value get the notification.
   */
  readonly subject?: string;
}

/** The check of the params of a message. */
export interface Incoming {
  readonly params: Guard;
  /** True if the message may have no params. */
  readonly optional?: true;
}

/**
 * Rules of the specification for a request of a server to its client, which
 * guards do not check. Each constant with rules is imported only by the
 * generated code whose revision has the request, so that other programs do not
 * bundle it.
 */
export interface QuestionRules {
  /** Throws a `ValidationError` for params that must not be sent. */
  readonly check: (
    method: string,
    params: unknown,
    reporting: Reporting,
  ) => void;
  /**
   * How to handle a form that the user fills in; absent if the request has
   * none.
   */
  readonly form?: FormRules;
}

/** How a form in the params of a request relates to the answer. */
export interface FormRules {
  /**
   * Removes from params what only those of the other mode have, so that no
   * handler takes a form for a page.
   */
  readonly ofMode: (params: unknown) => unknown;
  /** Adds the form's defaults for fields that the answer omits. */
  readonly fill: (params: JsonObject, answer: JsonObject) => JsonObject;
  /** Removes the content of an answer that must not have any. */
  readonly withoutContent: (
    params: JsonObject,
    answer: JsonObject,
  ) => JsonObject;
  /**
   * Describes why the content does not match the form; undefined if it does.
   */
  readonly issueIn: (
    params: JsonObject,
    answer: JsonObject,
  ) => string | undefined;
}

/** The checks of a request, for its sender and its receiver alike. */
export interface RequestChecks extends Incoming {
  readonly result: Guard;
  /** Checks the other kind of result that params can request. */
  readonly augmented?: Guard;
  /** Checks other kinds of results, by `resultType`. */
  readonly variants?: { readonly [resultType: string]: Guard };
}

/**
 * A request: its facts and checks, as `dispatch.ts` has them, and its rules.
 */
export interface RequestRow extends RequestFacts {
  readonly checks: RequestChecks;
  readonly rules?: QuestionRules;
}

/** A notification as `dispatch.ts` describes it. */
export interface NotificationRow extends NotificationFacts {
  readonly checks: Incoming;
}

/**
 * How to convert a value to a revision that does not have some of its members
 * or blocks.
 */
export interface Downgrade {
  /**
   * Lists to replace with lists of a member of their items:
   * `{ oneOf: { enum: "const" } }`.
   */
  readonly lists?: {
    readonly [list: string]: { readonly [list: string]: string };
  };
  /** Members to omit. */
  readonly omit?: readonly string[];
  /** How to convert members, by name. Applies to each item of a list. */
  readonly inside?: { readonly [member: string]: Downgrade };
  /** How to convert each value of a dictionary. */
  readonly values?: Downgrade;
  /**
   * How to convert blocks, by the value of their tag. `as` is a template that
   * replaces the block; `{member}` in its strings is a member of the block.
   * Null omits the block from its list.
   */
  readonly kinds?: {
    readonly [kind: string]: Downgrade & {
      readonly as?: { readonly [member: string]: unknown } | null;
    };
  };
}

/** How to convert all results and params that a server sends, by method. */
export interface Downgrades {
  /** The member that distinguishes blocks. */
  readonly tag: string;
  /**
   * Applies `kinds` and `lists`, with which few revisions have rules:
   * `convertBlocks`. Returns undefined for an omitted block.
   */
  readonly blocks?: (
    value: JsonObject,
    rule: Downgrade,
    downgrades: Pick<Downgrades, "tag" | "blocks">,
    onChange: (change: string) => void,
    path: string,
  ) => JsonObject | undefined;
  readonly results: { readonly [method: string]: Downgrade };
  readonly params: { readonly [method: string]: Downgrade };
}

/**
 * The messages that one side of one revision sends and receives, by method,
 * with their checks.
 */
export interface SideTable {
  readonly side: "client" | "server";
  readonly revision: Revision;
  /**
   * Returns what a guard expected, and at which path. Call it directly after
   * the guard returned false, with the same value. `member` is the property of
   * the message that holds the value, if any.
   */
  readonly lastIssue: (value: unknown, member?: string) => Issue;
  readonly outgoingRequests: { readonly [method: string]: RequestRow };
  readonly incomingRequests: { readonly [method: string]: RequestRow };
  readonly outgoingNotifications: {
    readonly [method: string]: NotificationRow;
  };
  readonly incomingNotifications: {
    readonly [method: string]: NotificationRow;
  };
  /**
   * Guards of error responses whose data the revision declares, by error code.
   */
  readonly failures?: { readonly [code: string]: Guard };
  /**
   * Capabilities that the side declares without a handler: extensions of which
   * it handles nothing.
   */
  readonly capabilities?: Capabilities;
  /**
   * The ids of the extensions for which the runtime has functions, by role;
   * absent if the revision has none for the role.
   */
  readonly extensions?: { readonly [role in WellKnownExtension]?: string };
}
