import type { Message, RequestMessage } from "../ir/model.js";
import { arrayCode, type Code, code, identifier, literal, nameList, objectCode } from "./typescript/code.js";
import { TABLE_TYPES } from "./plan/published.js";
import { messageFacts, revisionFacts } from "./roles/facts.js";
import {
  type RevisionContext,
  handlerParams,
  messageDoc,
  notifications,
  requests,
  resultType,
  schemaOf,
  sentBy,
  wireKey,
} from "./roles/messages.js";

/** `dispatch.ts`: the facts of the revision and its messages, with their validators. */
export interface DispatchView {
  readonly revision: Code;
  readonly name: Code;
  readonly opening: Code;
  readonly batches: Code;
  readonly messages: readonly FactsView[];
  /** The rows by wire method. */
  readonly requests: Code;
  readonly notifications: Code;
  readonly needsAnything: boolean;
  /** The imports from `tables.ts`, and its types, to export again. */
  readonly tableImports: Code;
  readonly tableTypes: Code;
  /** The four maps from wire method to types, by direction. */
  readonly maps: readonly MapView[];
}

export interface FactsView {
  readonly doc: Code | null;
  readonly name: Code;
  readonly type: Code;
  readonly facts: Code;
}

export interface MapView {
  readonly doc: Code;
  readonly name: Code;
  readonly isRequests: boolean;
  readonly entries: readonly {
    readonly key: Code;
    readonly message: Code;
    readonly params: Code;
    readonly result: Code | null;
  }[];
}

export function dispatchView(context: RevisionContext): DispatchView {
  const { protocol } = context;
  const allRequests = requests(context);
  const allNotifications = notifications(context);
  return {
    revision: revisionFacts(protocol),
    name: literal(protocol.revision),
    opening: literal(protocol.opening),
    batches: literal(protocol.batches),
    messages: factsViews(context),
    requests: objectCode(allRequests.map((message) => [wireKey(message), requestRow(context, message)])),
    notifications: objectCode(
      allNotifications.map((message) => [wireKey(message), notificationRow(context, message)]),
    ),
    needsAnything: allRequests.some(({ results }) => results.length === 0),
    tableImports: nameList([
      code`type Classified`,
      code`classifyMessage`,
      ...(allNotifications.length > 0 ? [code`type NotificationFacts`] : []),
      code`type NotificationMethod`,
      ...(allRequests.length > 0 ? [code`type RequestFacts`] : []),
      code`type RequestMethod`,
      code`type Revision`,
    ]),
    tableTypes: nameList(TABLE_TYPES.map(identifier)),
    maps: MAPS.map((map) => mapView(context, map)),
  };
}

/** The facts of each message, as constants. */
export function factsViews(context: RevisionContext): FactsView[] {
  return context.protocol.messages.map((message) => ({
    doc: messageDoc(context, message, []),
    name: context.naming.row(message.method),
    type: message.kind === "request" ? code`RequestFacts` : code`NotificationFacts`,
    facts: messageFacts(context, message),
  }));
}

function requestRow(context: RevisionContext, message: RequestMessage): Code {
  const [result, ...others] = message.results;
  return objectCode([
    [code`facts`, context.naming.row(message.method)],
    [code`request`, schemaOf(context, message.name)],
    [code`result`, schemaOf(context, result)],
    [code`others`, arrayCode(others.map((name) => schemaOf(context, name)))],
  ]);
}

function notificationRow(context: RevisionContext, message: Message): Code {
  return objectCode([
    [code`facts`, context.naming.row(message.method)],
    [code`notification`, schemaOf(context, message.name)],
  ]);
}

interface MapKind {
  readonly kind: Message["kind"];
  readonly sender: "client" | "server";
}

const MAPS: readonly MapKind[] = [
  { kind: "request", sender: "client" },
  { kind: "request", sender: "server" },
  { kind: "notification", sender: "client" },
  { kind: "notification", sender: "server" },
];

function mapView(context: RevisionContext, { kind, sender }: MapKind): MapView {
  const messages = context.protocol.messages.filter((entry) => entry.kind === kind && sentBy(sender, entry));
  return {
    doc: kind === "request" ? mapDoc.requests[sender] : mapDoc.notifications[sender],
    name: kind === "request" ? mapName.requests[sender] : mapName.notifications[sender],
    isRequests: kind === "request",
    entries: messages.map((message) => ({
      key: wireKey(message),
      message: context.typeName(message.name),
      params: paramsType(context, message),
      result: message.kind === "request" ? resultType(context, message) : null,
    })),
  };
}

function paramsType(context: RevisionContext, message: Message): Code {
  const params = handlerParams(context, message);
  if (params === null) return code`undefined`;
  return params.optional ? code`${params.type} | undefined` : params.type;
}

const mapDoc = {
  requests: {
    client: code`/** The requests that a client sends, by method. */`,
    server: code`/** The requests that a server sends, by method. */`,
  },
  notifications: {
    client: code`/** The notifications that a client sends, by method. */`,
    server: code`/** The notifications that a server sends, by method. */`,
  },
};

const mapName = {
  requests: { client: code`ClientRequests`, server: code`ServerRequests` },
  notifications: { client: code`ClientNotifications`, server: code`ServerNotifications` },
};
