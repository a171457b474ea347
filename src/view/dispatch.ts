import type { Message, RequestMessage } from "../ir/model.js";
import { arrayCode, type Code, code, literal, objectCode } from "./typescript/code.js";
import { messageFacts, revisionFacts } from "./roles/facts.js";
import {
  type Chosen,
  heardParams,
  messageDoc,
  notifications,
  requests,
  resultType,
  schemaOf,
  sentBy,
  wireKey,
} from "./roles/messages.js";

/** `dispatch.ts`: what is true of the revision and of each of its messages, with the validators beside it. */
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
  /** The four maps from wire method to types, by who sends. */
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

export function dispatchView(choice: Chosen): DispatchView {
  const { protocol } = choice;
  const asked = requests(choice);
  const told = notifications(choice);
  return {
    revision: revisionFacts(protocol),
    name: literal(protocol.revision),
    opening: literal(protocol.opening),
    batches: literal(protocol.batches),
    messages: factsViews(choice),
    requests: objectCode(asked.map((message) => [wireKey(message), requestRow(choice, message)])),
    notifications: objectCode(told.map((message) => [wireKey(message), notificationRow(choice, message)])),
    needsAnything: asked.some(({ results }) => results.length === 0),
    maps: MAPS.map((map) => mapView(choice, map)),
  };
}

/** The facts of each message, as constants. */
export function factsViews(choice: Chosen): FactsView[] {
  return choice.protocol.messages.map((message) => ({
    doc: messageDoc(choice, message, []),
    name: choice.naming.row(message.method),
    type: message.kind === "request" ? code`RequestFacts` : code`NotificationFacts`,
    facts: messageFacts(choice, message),
  }));
}

function requestRow(choice: Chosen, message: RequestMessage): Code {
  const [result, ...others] = message.results;
  return objectCode([
    [code`facts`, choice.naming.row(message.method)],
    [code`request`, schemaOf(choice, message.name)],
    [code`result`, schemaOf(choice, result)],
    [code`others`, arrayCode(others.map((name) => schemaOf(choice, name)))],
  ]);
}

function notificationRow(choice: Chosen, message: Message): Code {
  return objectCode([
    [code`facts`, choice.naming.row(message.method)],
    [code`notification`, schemaOf(choice, message.name)],
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

function mapView(choice: Chosen, { kind, sender }: MapKind): MapView {
  const messages = choice.protocol.messages.filter((entry) => entry.kind === kind && sentBy(sender, entry));
  return {
    doc: kind === "request" ? mapDoc.requests[sender] : mapDoc.notifications[sender],
    name: kind === "request" ? mapName.requests[sender] : mapName.notifications[sender],
    isRequests: kind === "request",
    entries: messages.map((message) => ({
      key: wireKey(message),
      message: choice.spell(message.name),
      params: paramsType(choice, message),
      result: message.kind === "request" ? resultType(choice, message) : null,
    })),
  };
}

function paramsType(choice: Chosen, message: Message): Code {
  const params = heardParams(choice, message);
  if (params === null) return code`undefined`;
  return params.optional ? code`${params.type} | undefined` : params.type;
}

const mapDoc = {
  requests: {
    client: code`/** What a client may ask, by wire method. */`,
    server: code`/** What a server may ask, by wire method. */`,
  },
  notifications: {
    client: code`/** What a client may announce, by wire method. */`,
    server: code`/** What a server may announce, by wire method. */`,
  },
};

const mapName = {
  requests: { client: code`ClientRequests`, server: code`ServerRequests` },
  notifications: { client: code`ClientNotifications`, server: code`ServerNotifications` },
};
