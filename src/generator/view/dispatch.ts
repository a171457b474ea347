import type { Message, RequestMessage, Side } from "../ir/model.js";
import {
  arrayCode,
  type Code,
  code,
  generic,
  identifier,
  jsonCode,
  literal,
  nameList,
  objectCode,
  propertyKey,
  rowsCode,
} from "./typescript/code.js";
import { upperFirst } from "./typescript/names.js";
import { tableTypes } from "./plan/published.js";
import { messageFacts, revisionFacts } from "./roles/facts.js";
import {
  augmentOf,
  type RevisionContext,
  guardOf,
  handlerParams,
  messageDoc,
  notifications,
  requests,
  resultType,
  schemaOf,
  sentBy,
  variantsOf,
  wireKey,
} from "./roles/messages.js";

/**
 * `dispatch.ts`: the facts of the revision, a row for each message, and the
 * tables with their schemas.
 */
interface DispatchView extends RowsView {
  readonly revision: Code;
  readonly name: Code;
  readonly opening: Code;
  readonly batches: Code;
  /**
   * `ProtocolTable<"2025-11-25", "initialize", false, Requests, Notifications>`
   */
  readonly protocolType: Code;
  /** Each request with its schemas, and each notification with its schema. */
  readonly requests: Code;
  readonly notifications: Code;
  readonly needsAnything: boolean;
  /** The imports from `tables.ts`, and its types, to export again. */
  readonly tableImports: Code;
  readonly tableTypes: Code;
  /** The four maps from wire method to types, by direction. */
  readonly maps: readonly MapView[];
}

/** The rows as constants, and two lists of their names. */
export interface RowsView {
  readonly rows: readonly RowView[];
  /** All rows but the requests that only a server sends, and these. */
  readonly messages: Code;
  readonly questions: Code;
}

interface RowView {
  readonly doc: Code | null;
  readonly name: Code;
  readonly type: Code;
  readonly row: Code;
}

interface MapView {
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
  const [name, opening] = [
    literal(protocol.revision),
    literal(protocol.opening),
  ];
  const batches = literal(protocol.batches);
  const allRequests = requests(context);
  const allNotifications = notifications(context);
  const rows = allRequests.map((message) => requestRow(context, message));
  const protocolType = generic(code`ProtocolTable`, [
    name,
    opening,
    batches,
    code`Requests`,
    code`Notifications`,
  ]);
  const needsAnything = allRequests.some(({ results }) => results.length === 0);
  const tableImports = nameList([
    code`type Classified`,
    code`classifyMessage`,
    code`type NotificationRow`,
    code`notificationTable`,
    code`type ProtocolTable`,
    code`type RequestRow`,
    code`requestTable`,
    code`type Revision`,
  ]);
  const maps = (["request", "notification"] as const).flatMap((kind) =>
    (["client", "server"] as const).map((sender) =>
      mapView(context, kind, sender),
    ),
  );
  return {
    ...rowsView(context),
    revision: revisionFacts(protocol),
    name,
    opening,
    batches,
    protocolType,
    requests: rowsCode(rows),
    notifications: rowsCode(
      allNotifications.map(({ method, name }) =>
        arrayCode([context.naming.row(method), schemaOf(context, name)]),
      ),
    ),
    needsAnything,
    tableImports,
    tableTypes: nameList(tableTypes.map(identifier)),
    maps,
  };
}

export function rowsView(context: RevisionContext): RowsView {
  const { messages } = context.protocol;
  const isQuestion = ({ kind, sender }: Message): boolean =>
    kind === "request" && sender === "server";
  const list = (part: readonly Message[]): Code =>
    arrayCode(part.map(({ method }) => context.naming.row(method)));
  return {
    rows: messages.map((message) => ({
      doc: messageDoc(context, message, []),
      name: context.naming.row(message.method),
      type:
        message.kind === "request" ? code`RequestRow` : code`NotificationRow`,
      row: rowOf(context, message),
    })),
    messages: list(messages.filter((message) => !isQuestion(message))),
    questions: list(messages.filter(isQuestion)),
  };
}

function rowOf(context: RevisionContext, message: Message): Code {
  const facts = Object.entries(messageFacts(context, message));
  return objectCode([
    ...facts.map(
      ([name, value]) => [propertyKey(name), jsonCode(value)] as const,
    ),
    [code`checks`, checksOf(context, message)],
  ]);
}

/**
 * Only the params are checked: the method selects the row, and the connection
 * checks the rest.
 */
function checksOf(context: RevisionContext, message: Message): Code {
  const params = context.plan.byMethod.get(message.method);
  return objectCode([
    [code`params`, guardOf(context, params?.name)],
    ...(params?.presence === "optional"
      ? [[code`optional`, code`true`] as const]
      : []),
    ...(message.kind === "request" ? resultChecks(context, message) : []),
  ]);
}

function resultChecks(
  context: RevisionContext,
  message: RequestMessage,
): (readonly [Code, Code])[] {
  const [result] = message.results;
  const augments = augmentOf(context, message);
  const variants = variantsOf(context, message).map(
    ({ kind, result }) =>
      [propertyKey(kind), guardOf(context, result)] as const,
  );
  return [
    [code`result`, guardOf(context, result)],
    ...(augments
      ? [[code`augmented`, guardOf(context, augments.result)] as const]
      : []),
    ...(variants.length > 0
      ? [[code`variants`, objectCode(variants)] as const]
      : []),
  ];
}

function requestRow(context: RevisionContext, message: RequestMessage): Code {
  const [result, ...others] = message.results;
  return arrayCode([
    context.naming.row(message.method),
    schemaOf(context, message.name),
    schemaOf(context, result),
    ...(others.length > 0
      ? [arrayCode(others.map((name) => schemaOf(context, name)))]
      : []),
  ]);
}

function mapView(
  context: RevisionContext,
  kind: Message["kind"],
  sender: Side,
): MapView {
  const messages = context.protocol.messages.filter(
    (entry) => entry.kind === kind && sentBy(sender, entry),
  );
  const noun = `${kind}s`;
  return {
    doc: code`/** The ${identifier(noun)} that a ${identifier(sender)} sends, by method. */`,
    name: identifier(upperFirst(sender) + upperFirst(noun)),
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
