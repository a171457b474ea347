import type { Message, RequestMessage } from "../../ir/model.js";
import { names } from "../../ir/facts.js";
import {
  annotation,
  type Code,
  arrayCode,
  code,
  generic,
  intersectionCode,
  literal,
  objectCode,
  propertyKey,
  signature,
  unionCode,
} from "../typescript/code.js";
import type { HandlerView } from "../client.js";
import { docComment } from "../typescript/doc.js";
import { Names } from "../typescript/names.js";
import { senderViews } from "../server.js";
import {
  notificationsFromServer,
  requestsFromHandlers,
  type RevisionContext,
  notificationsFromHandlers,
  ordinaryType,
  resultType,
  notificationsToServer,
  requestsToServer,
} from "../roles/index.js";
import {
  allParams,
  anyParams,
  commonIdentity,
  sharedMessages,
  sharedDoc,
  type Shared,
  type Entry,
} from "./shared.js";

/** `createServers` over several revisions. */
export interface ServersView {
  readonly imports: readonly Code[];
  readonly revision: Code;
  /** `readonly client: A | B`: the client's description of itself. */
  readonly client: Code;
  readonly notifyType: Code;
  readonly optionsType: Code;
  readonly optionsDoc: Code | null;
  readonly logSignature: Code | null;
  readonly requestOverloads: readonly HandlerView[];
  readonly notifyOverloads: readonly HandlerView[];
  readonly handlersDoc: Code | null;
  readonly handlers: readonly HandlerView[];
  readonly notifyMembers: readonly HandlerView[];
  readonly info: Code;
  readonly serverCapabilities: Code;
  /** The side of each revision. */
  readonly sides: Code;
  /** The tables of questions of each revision. */
  readonly questions: Code;
  /** The members of `ServersNotify`, each with its wire method. */
  readonly methods: Code;
}

export function serversView(entries: readonly Entry[]): ServersView {
  const requests = sharedMessages(entries, requestsFromHandlers);
  const incoming = sharedMessages(entries, requestsToServer);
  const outgoing = sharedMessages(entries, notificationsFromServer);
  const members = new Names();
  const senders = outgoing.map((entry) => {
    const { context, message } = newest(entry);
    return { entry, name: context.naming.sender(members, message) };
  });
  const context = code`context: Context`;
  return {
    imports: [
      ...(requests.length > 0 ? [code`type AskOptions`] : []),
      ...(incoming.length > 0 ? [code`type Awaitable`] : []),
      code`defineServers`,
      code`type ForContext`,
      code`type HandlerContext`,
      code`type ServerDefinition`,
      code`type ServerQuestions`,
      code`type ServerSettings`,
    ],
    client: annotation(
      code`readonly client`,
      entries.map(({ view }) => code`${view.server}.Context["client"]`),
    ),
    revision: code`Revision`,
    notifyType: code`ServersNotify`,
    optionsType: code`ServersOptions`,
    optionsDoc: docComment(["Options of servers for all revisions."]),
    logSignature: logSignature(entries),
    requestOverloads: requests.map((entry) => requestOverload(entries, entry)),
    notifyOverloads: sharedMessages(entries, notificationsFromHandlers).map((entry) =>
      notifyOverload(entries, entry),
    ),
    handlersDoc: docComment([
      "Handlers for all revisions. A handler gets the params of any revision and returns a result that all accept. Members that a revision does not have are omitted when the result is sent.",
    ]),
    handlers: [
      ...incoming.map((entry): HandlerView => {
        const results = entry.of.map(({ context, message }) => ordinaryType(context, message));
        const type = generic(code`Awaitable`, [intersectionCode(results)]);
        return handlerView(entries, entry, [anyParams(entry), context], type);
      }),
      ...sharedMessages(entries, notificationsToServer).map((entry) =>
        handlerView(entries, entry, [anyParams(entry), context], code`void`),
      ),
    ],
    notifyMembers: senders.flatMap(({ entry, name }) => {
      const { context, message } = newest(entry);
      return senderViews(context, message, name, sharedDoc(entries, entry), allParams(entry));
    }),
    info: commonIdentity(entries, "info"),
    serverCapabilities: commonIdentity(entries, "serverCapabilities"),
    sides: arrayCode(entries.map(({ view }) => code`${view.server}.serverSide`)),
    questions: arrayCode(entries.map(({ view }) => code`${view.server}.serverQuestions`)),
    methods: objectCode(senders.map(({ entry, name }) => [name, literal(entry.method)])),
  };
}

/** The message of the newest revision that has it. */
function newest({ of, method }: Shared<Message>): {
  readonly context: RevisionContext;
  readonly message: Message;
} {
  const [first] = of;
  if (first === undefined) throw new Error(`No revision has "${method}".`);
  return first;
}

function handlerView(
  entries: readonly Entry[],
  entry: Shared<Message>,
  parameters: readonly Code[],
  type: Code,
): HandlerView {
  const name = code`${propertyKey(entry.method)}?`;
  return { doc: sharedDoc(entries, entry), signature: signature(name, parameters, type) };
}

function requestOverload(entries: readonly Entry[], entry: Shared<RequestMessage>): HandlerView {
  const parameters = [
    code`method: ${literal(entry.method)}`,
    allParams(entry) ?? code`params?: undefined`,
    code`options?: AskOptions`,
  ];
  const results = entry.of.map(({ context, message }) => resultType(context, message));
  const type = generic(code`Promise`, [unionCode(results)]);
  return { doc: sharedDoc(entries, entry), signature: signature(code`request`, parameters, type) };
}

function notifyOverload(entries: readonly Entry[], entry: Shared<Message>): HandlerView {
  const params = allParams(entry);
  const parameters = [code`method: ${literal(entry.method)}`, ...(params === null ? [] : [params])];
  return { doc: sharedDoc(entries, entry), signature: signature(code`notify`, parameters, code`void`) };
}

function logSignature(entries: readonly Entry[]): Code | null {
  const withLog = entries.filter(({ context }) => context.protocol.wellKnown.log !== undefined);
  if (withLog.length === 0) return null;
  const levels = withLog.map(({ context }) =>
    context.declarations.has(names.levels) ? context.typeName(names.levels) : code`string`,
  );
  const parameters = [code`level: ${intersectionCode(levels)}`, code`data: unknown`, code`logger?: string`];
  return signature(code`log`, parameters, code`void`);
}
