import type { Message } from "../../ir/model.js";
import {
  annotation,
  arrayCode,
  type Code,
  code,
  generic,
  identifier,
  intersectionCode,
  literal,
  objectCode,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { Names } from "../typescript/names.js";
import { senderViews } from "../server.js";
import {
  allParams,
  handlerSignature,
  logSignature,
  notificationsFromHandlers,
  notificationsFromServer,
  notificationsToServer,
  notifySignature,
  ordinaryType,
  requestsFromHandlers,
  requestSignature,
  requestsToServer,
  resultPromise,
  type SignatureView,
  type Versions,
} from "../roles/index.js";
import {
  commonIdentity,
  sharedMessages,
  sharedDoc,
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
  readonly requestOverloads: readonly SignatureView[];
  readonly notifyOverloads: readonly SignatureView[];
  readonly handlersDoc: Code | null;
  readonly handlers: readonly SignatureView[];
  readonly notifyMembers: readonly SignatureView[];
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
  const senders = outgoing.map((versions) => {
    const [{ context, message }] = versions;
    const name = context.naming.sender(members, message);
    return { context, message, versions, name };
  });
  const client = annotation(
    code`readonly client`,
    entries.map(({ view }) => code`${view.server}.Context["client"]`),
  );
  const handler = (versions: Versions<Message>, type: Code): SignatureView => ({
    doc: sharedDoc(entries, versions),
    signature: handlerSignature(versions, [code`context: Context`], type),
  });
  const imports = [
    ...(requests.length > 0 ? [code`type AskOptions`] : []),
    ...(incoming.length > 0 ? [code`type Awaitable`] : []),
    code`defineServers`,
    code`type ForContext`,
    code`type HandlerContext`,
    code`type ServerDefinition`,
    code`type ServerQuestions`,
    code`type ServerSettings`,
  ];
  const requestOverloads = requests.map((versions) => ({
    doc: sharedDoc(entries, versions),
    signature: requestSignature(
      versions[0].message,
      allParams(versions),
      resultPromise(versions),
    ),
  }));
  const notifyOverloads = sharedMessages(
    entries,
    notificationsFromHandlers,
  ).map((versions) => ({
    doc: sharedDoc(entries, versions),
    signature: notifySignature(versions),
  }));
  const handlers = [
    ...incoming.map((versions) => {
      const results = versions.map(({ context, message }) =>
        ordinaryType(context, message),
      );
      return handler(
        versions,
        generic(code`Awaitable`, [intersectionCode(results)]),
      );
    }),
    ...sharedMessages(entries, notificationsToServer).map((versions) =>
      handler(versions, code`void`),
    ),
  ];
  const notifyMembers = senders.flatMap(
    ({ context, message, versions, name }) =>
      senderViews(
        context,
        message,
        name,
        sharedDoc(entries, versions),
        allParams(versions),
      ),
  );
  const methods = objectCode(
    senders.map(({ message, name }) => [name, literal(message.method)]),
  );
  const options = docComment(["Options of servers for all revisions."]);
  const about =
    "Handlers for all revisions. A handler gets the params of any revision and returns a result that all accept. Members that a revision does not have are omitted when the result is sent.";
  return {
    imports,
    client,
    revision: code`Revision`,
    notifyType: code`ServersNotify`,
    optionsType: code`ServersOptions`,
    optionsDoc: options,
    logSignature: logSignature(entries.map(({ context }) => context)),
    requestOverloads,
    notifyOverloads,
    handlersDoc: docComment([about]),
    handlers,
    notifyMembers,
    info: commonIdentity(entries, "info"),
    serverCapabilities: commonIdentity(entries, "serverCapabilities"),
    sides: listOf(entries, "serverSide"),
    questions: listOf(entries, "serverQuestions"),
    methods,
  };
}

/** An export of the server of each revision. */
const listOf = (entries: readonly Entry[], name: string): Code =>
  arrayCode(
    entries.map(({ view }) => code`${view.server}.${identifier(name)}`),
  );
