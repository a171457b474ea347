import type { Schema } from "./validate.js";

/** Facts about a revision as a whole. */
export interface Revision {
  /** The version of the layout of this table. */
  readonly format: 1;
  readonly revision: string;
  /** How a session begins: with the request `initialize`, or with metadata in every request. */
  readonly opening: "initialize" | "per-request";
  /** Messages may be sent as an array. */
  readonly batches: boolean;
  /** An error about an unreadable request has no id; otherwise its id is null. */
  readonly idlessErrors?: true;
  /** A server starts each HTTP stream with an event id. */
  readonly primedStreams?: true;
  /** The methods that a session uses, by role. */
  readonly wellKnown: { readonly [role: string]: string };
  /** The reserved keys of `_meta`, by role. */
  readonly meta: { readonly [role: string]: string };
  /** The names of HTTP headers, by role. */
  readonly headers: { readonly [role: string]: string };
  /** Error codes by name, from the schema and from the text of the specification. */
  readonly errors: { readonly [name: string]: number };
  /** Reserved ranges of codes: a code in a range that is not in `errors` is replaced before it is sent. */
  readonly replacedCodes: readonly (readonly [
    from: number,
    to: number,
    replacement: number,
  ])[];
}

/** Part of a capabilities object: `{ resources: { subscribe: true } }`. */
export interface Capabilities {
  readonly [name: string]: Capabilities | true;
}

/** A capability that a request needs only with certain params. */
export interface Condition {
  /** The member of the params that the condition tests. */
  readonly member: string;
  /** The values that need the capability (null: an absent member). If omitted, any value needs it. */
  readonly values?: readonly (string | null)[];
  readonly needs: Capabilities;
  /** True if an empty parent object declares the capability, too. */
  readonly implied?: true;
}

/** The facts about a request. An absent flag is false. */
export interface RequestFacts {
  readonly kind: "request";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /** The capability that the receiver must declare. */
  readonly needs?: Capabilities;
  readonly conditions?: readonly Condition[];
  /** The member of the result that holds a page's items. */
  readonly items?: string;
  /** The request is sent inside a result and never as a message. */
  readonly embedded?: true;
  readonly uncancellable?: true;
  /** The result contains how long it may be cached. */
  readonly cacheable?: true;
  /** The result may ask for input. */
  readonly asksInput?: true;
  /** The member of the params that requests another kind of result. */
  readonly augments?: string;
  /** Other kinds of results by `resultType`, each with the extension that both sides must declare. */
  readonly variants?: { readonly [resultType: string]: Capabilities };
  /** The extension of the request. */
  readonly extension?: Capabilities;
  /** The only side that must declare the extension; absent if both must. */
  readonly declaredBy?: "server";
  /** The member of the params that an HTTP header repeats. */
  readonly header?: string;
  /** Prefixes that a member of each item of a list in the result must have. */
  readonly prefixes?: readonly {
    readonly list: string;
    readonly member: string;
    readonly prefix: string;
  }[];
  /** Defaults of required members of the result that a handler may omit. */
  readonly engineDefaults?: {
    readonly [member: string]: string | number | boolean;
  };
}

/** The facts about a notification. */
export interface NotificationFacts {
  readonly kind: "notification";
  readonly method: string;
  readonly sender: "client" | "server" | "either";
  /** The extension of the notification. */
  readonly extension?: Capabilities;
  /** The only side that must declare the extension; absent if both must. */
  readonly declaredBy?: "server";
  /** The capability that must be declared. */
  readonly needs?: Capabilities;
  /** The side that declares it. */
  readonly needsOf?: "client" | "server";
  /** The member of a subscription's filter that requests it. */
  readonly filter?: string;
  /** The member of the params that identifies what changed. */
  readonly subject?: string;
}

/** Tests whether a value is of a type, as each `isX` of `validators.ts` does. */
export type Guard = (value: unknown) => boolean;

/** The check of the params of a message. */
export interface Checks {
  readonly params: Guard;
  /** The message may have no params. */
  readonly optional?: true;
}

/** The checks of a request, for its sender and its receiver alike. */
export interface RequestChecks extends Checks {
  readonly result: Guard;
  /** Checks the other kind of result that params can request. */
  readonly augmented?: Guard;
  /** Checks other kinds of results, by `resultType`. */
  readonly variants?: { readonly [resultType: string]: Guard };
}

/** A request: its facts and checks. */
export interface RequestRow extends RequestFacts {
  readonly checks: RequestChecks;
}

/** A notification: its facts and checks. */
export interface NotificationRow extends NotificationFacts {
  readonly checks: Checks;
}

/** The types of a request, its params and its result. */
export interface RequestTypes {
  request: unknown;
  params: unknown;
  result: unknown;
}

/** The facts and schemas of a request. */
export interface RequestMethod<Types extends RequestTypes> {
  readonly facts: RequestRow;
  readonly request: Schema<Types["request"]>;
  readonly result: Schema<Types["result"]>;
  /** The schemas of other kinds of results. */
  readonly others: readonly Schema<unknown>[];
}

/** The types of a notification and its params. */
export interface NotificationTypes {
  notification: unknown;
  params: unknown;
}

/** The facts and schema of a notification. */
export interface NotificationMethod<Types extends NotificationTypes> {
  readonly facts: NotificationRow;
  readonly notification: Schema<Types["notification"]>;
}

/** A revision: its facts, and a row for each message by method. */
export interface ProtocolTable<
  Revised extends string,
  Opening extends Revision["opening"],
  Batches extends boolean,
  Requests extends { [Method in keyof Requests]: RequestTypes },
  Notifications extends { [Method in keyof Notifications]: NotificationTypes },
> {
  readonly revision: Revised;
  readonly opening: Opening;
  readonly batches: Batches;
  readonly facts: Revision;
  readonly requests: {
    readonly [Method in keyof Requests]: RequestMethod<Requests[Method]>;
  };
  readonly notifications: {
    readonly [Method in keyof Notifications]: NotificationMethod<
      Notifications[Method]
    >;
  };
}

/** The kind of a JSON-RPC message. */
export type Classified =
  | {
      readonly kind: "request";
      readonly method: string;
      /** Undefined if the revision has no such method. */
      readonly row: RequestMethod<RequestTypes> | undefined;
    }
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly row: NotificationMethod<NotificationTypes> | undefined;
    }
  | { readonly kind: "result"; readonly id: unknown }
  | { readonly kind: "error"; readonly id: unknown }
  | { readonly kind: "batch"; readonly messages: readonly unknown[] }
  | { readonly kind: "invalid"; readonly reason: string };

/** Rows by method. */
interface RequestTable {
  readonly [method: string]: RequestMethod<RequestTypes>;
}
interface NotificationTable {
  readonly [method: string]: NotificationMethod<NotificationTypes>;
}

/**
 * Makes a table of requests by method. The list has a row for each method of
 * the table; the compiler does not check this, which would cost time.
 */
export function requestTable<Table extends RequestTable>(
  rows: readonly (readonly [
    facts: RequestRow,
    request: Schema<unknown>,
    result: Schema<unknown>,
    others?: readonly Schema<unknown>[],
  ])[],
): Table {
  return Object.fromEntries(
    rows.map(([facts, request, result, others = []]) => [
      facts.method,
      { facts, request, result, others },
    ]),
  ) as RequestTable as Table;
}

/** Makes a table of notifications by method, as `requestTable` does. */
export function notificationTable<Table extends NotificationTable>(
  rows: readonly (readonly [
    facts: NotificationRow,
    notification: Schema<unknown>,
  ])[],
): Table {
  return Object.fromEntries(
    rows.map(([facts, notification]) => [
      facts.method,
      { facts, notification },
    ]),
  ) as NotificationTable as Table;
}

/**
 * Classifies a JSON value as a message of a revision. It checks what JSON-RPC
 * requires around the content: `jsonrpc`, the kinds of ids, and that a response
 * has a result or an error. It does not check params, results and errors. Never
 * throws, and the messages of a batch are never batches.
 */
export function classifyMessage(
  protocol: {
    readonly batches: boolean;
    readonly requests: RequestTable;
    readonly notifications: NotificationTable;
  },
  message: unknown,
): Classified {
  const { batches, requests, notifications } = protocol;
  if (Array.isArray(message)) {
    if (!batches) return invalid("this revision has no batches");
    if (message.length === 0)
      return invalid("a batch must have at least one message");
    if (message.some(Array.isArray))
      return invalid("a batch must not contain another batch");
    return { kind: "batch", messages: message };
  }
  if (typeof message !== "object" || message === null) {
    return invalid("a message must be an object");
  }
  const { jsonrpc, method, id, result, error } = message as {
    readonly [member: string]: unknown;
  };
  if (jsonrpc !== "2.0") return invalid('"jsonrpc" must be "2.0"');
  const hasId = typeof id === "string" || Number.isInteger(id);
  if (typeof method === "string") {
    if (id === undefined)
      return { kind: "notification", method, row: find(notifications, method) };
    if (hasId) return { kind: "request", method, row: find(requests, method) };
    return invalid("the id of a request must be a string or an integer");
  }
  if (method !== undefined) return invalid("a method must be a string");
  if (result !== undefined && error !== undefined) {
    return invalid("a response must have a result or an error, not both");
  }
  if (result !== undefined) {
    if (hasId) return { kind: "result", id };
    return invalid("the id of a result must be a string or an integer");
  }
  if (error !== undefined) {
    // An error about an unreadable request has the id null, or none.
    if (hasId || id === null || id === undefined) return { kind: "error", id };
    return invalid("the id of an error must be a string, an integer or null");
  }
  return invalid("a message must have a method, a result or an error");
}

function invalid(reason: string): Classified {
  return { kind: "invalid", reason };
}

function find<Row>(
  rows: { readonly [method: string]: Row },
  method: string,
): Row | undefined {
  return Object.hasOwn(rows, method) ? rows[method] : undefined;
}
