import type { NotificationMessage, RequestMessage } from "../ir/model.js";
import {
  annotation,
  type Code,
  code,
  generic,
  jsonCode,
  literal,
  importList,
  objectCode,
  signature,
} from "./typescript/code.js";
import { augmentedForm, capabilitySentence } from "./client.js";
import { docComment, prose } from "./typescript/doc.js";
import { Names } from "./typescript/names.js";
import { type Downgrades, hasBlocks } from "./plan/downgrades.js";
import {
  allParams,
  allRules,
  byRow,
  notificationsFromServer,
  requestsFromHandlers,
  type RevisionContext,
  engineView,
  type EngineView,
  handlerSignature,
  type IdentityView,
  identityView,
  logSignature,
  messageDoc,
  needsSentence,
  notificationsFromHandlers,
  notifySignature,
  requestSignature,
  resultPromise,
  returnType,
  notificationsToServer,
  requestsToServer,
  onlySubject,
  type QuestionsView,
  questionsView,
  sideView,
  type SideView,
  type SignatureView,
} from "./roles/index.js";

/**
 * `server.ts`: the requests and notifications of a server, with handler types.
 */
interface ServerView extends EngineView, IdentityView {
  readonly revision: Code;
  /** The revision's name inside a comment. */
  readonly revisionText: Code;
  readonly imports: Code;
  readonly side: SideView;
  readonly questions: QuestionsView;
  /** True if the file imports guards. */
  readonly hasGuards: boolean;
  /** The severities of log messages, the least severe first. */
  readonly levels: Code;
  /** The changes to messages, for parts that only other revisions declare. */
  readonly downgrades: Code;
  /** `log(level: …, …): void`; null when the revision has no log. */
  readonly logSignature: Code | null;
  /** `readonly client: …`: the client's description of itself. */
  readonly client: Code;
  readonly notifyType: Code;
  readonly optionsType: Code;
  readonly optionsDoc: Code | null;
  readonly requestOverloads: readonly SignatureView[];
  readonly notifyOverloads: readonly SignatureView[];
  readonly handlersDoc: Code | null;
  readonly handlers: readonly SignatureView[];
  readonly notifyMembers: readonly SignatureView[];
  /** `defineServer<Server>(serverSide, options, { … })` */
  readonly definition: Code;
}

/** `downgrades` is the result of `downgradesOf` for the revision. */
export function serverView(
  context: RevisionContext,
  downgrades: Downgrades,
): ServerView {
  const { protocol } = context;
  const identity = identityView(context);
  const side = sideView(context, "server");
  const questions = questionsView(context);
  const members = new Names();
  const clientRequests = requestsFromHandlers(context);
  const incoming = requestsToServer(context);
  const senders = notificationsFromServer(context).map((message) => ({
    message,
    name: context.naming.sender(members, message),
  }));
  const overloads = clientRequests.flatMap((message) =>
    requestOverloads(context, message),
  );
  const client = annotation(code`readonly client`, [
    generic(code`Identity`, [identity.info, identity.clientCapabilities]),
  ]);
  const notifyOverloads = notificationsFromHandlers(context).map((message) => ({
    doc: messageDoc(context, message, needsSentence(context, message)),
    signature: notifySignature([{ context, message }]),
  }));
  const handlers = [
    ...incoming.map((message) => requestHandler(context, message)),
    ...notificationsToServer(context).map((message) => ({
      doc: messageDoc(context, message, []),
      signature: handlerSignature(
        [{ context, message }],
        [code`context: Context`],
        code`void`,
      ),
    })),
  ];
  const notifyMembers = senders.flatMap(({ message, name }) => {
    const doc = messageDoc(context, message, needsSentence(context, message));
    return senderViews(
      context,
      message,
      name,
      doc,
      allParams([{ context, message }]),
    );
  });
  const definition = callWithObject(
    code`defineServer<Server>(serverSide, options, `,
    objectCode(
      senders.map(({ message, name }) => [name, literal(message.method)]),
    ),
  );
  const optionalImports = [
    ...(clientRequests.length > 0 ? [code`type AskOptions`] : []),
    ...(incoming.length > 0 ? [code`type Awaitable`] : []),
    ...(hasBlocks(downgrades) ? [code`convertBlocks`] : []),
  ];
  const imports = importList([
    ...optionalImports,
    code`defineServer`,
    code`defineServerQuestions`,
    code`defineServerSide`,
    code`type ForContext`,
    code`type HandlerContext`,
    code`type Identity`,
    code`type ServerDefinition`,
    code`type ServerQuestions`,
    code`type ServerSettings`,
    code`type ServerSide`,
    ...allRules(context),
  ]);
  const hasGuards = questions.input !== null || side.failures !== null;
  const handlersDoc = docComment([
    'Handlers of the client\'s requests and notifications, by method. A request without a handler is answered with "method not found". The server declares the capabilities that its handlers need.',
  ]);
  const { revision } = protocol;
  return {
    ...engineView(context, "server"),
    ...identity,
    revision: literal(revision),
    revisionText: prose(revision),
    side,
    questions,
    hasGuards,
    levels: jsonCode(protocol.levels),
    downgrades: downgradesCode(context, downgrades),
    logSignature: logSignature([context]),
    client,
    notifyType: code`ServerNotify`,
    optionsType: code`ServerOptions`,
    optionsDoc: docComment(["Options of a server."]),
    requestOverloads: overloads,
    notifyOverloads,
    handlersDoc,
    handlers,
    notifyMembers,
    definition,
    imports,
  };
}

/**
 * The params are those of requests of the server, whose rows a server without
 * questions does not import.
 */
function downgradesCode(
  context: RevisionContext,
  downgrades: Downgrades,
): Code {
  const { tag, results, params } = downgrades;
  const rows = results.map(
    ([method, rule]) => [method, jsonCode(rule)] as const,
  );
  return objectCode([
    [code`tag`, literal(tag)],
    ...(hasBlocks(downgrades)
      ? [[code`blocks`, code`convertBlocks`] as const]
      : []),
    [code`results`, byRow(context, rows)],
    [code`params`, jsonCode(Object.fromEntries(params))],
  ]);
}

/**
 * A call whose last argument is an object, with braces next to the parentheses.
 */
function callWithObject(head: Code, last: Code): Code {
  return code`${head}${last})`;
}

function requestOverloads(
  context: RevisionContext,
  message: RequestMessage,
): SignatureView[] {
  const overload = augmentedForm(context, message, (params, type) =>
    requestSignature(message, params, type),
  );
  const versions = [{ context, message }] as const;
  const ordinary: SignatureView = {
    doc: messageDoc(context, message, needsSentence(context, message)),
    signature: requestSignature(
      message,
      allParams(versions),
      resultPromise(versions),
    ),
  };
  return overload ? [overload, ordinary] : [ordinary];
}

function requestHandler(
  context: RevisionContext,
  message: RequestMessage,
): SignatureView {
  const input =
    "The handler may ask the client for input with `context.request`, or return the request for input itself.";
  const sentences = [
    ...capabilitySentence(message),
    ...(message.asksInput ? [input] : []),
  ];
  const type = generic(code`Awaitable`, [returnType(context, message)]);
  return {
    doc: messageDoc(context, message, sentences),
    signature: handlerSignature(
      [{ context, message }],
      [code`context: Context`],
      type,
    ),
  };
}

/**
 * The function that sends a notification. If only its subject is required, an
 * overload accepts just the subject.
 */
export function senderViews(
  context: RevisionContext,
  message: NotificationMessage,
  name: Code,
  doc: Code | null,
  parameter: Code | null,
): SignatureView[] {
  const sign = (parameters: readonly Code[]): Code =>
    signature(name, parameters, code`void`);
  const full: SignatureView = {
    doc,
    signature: sign(parameter === null ? [] : [parameter]),
  };
  const subject = onlySubject(context, message);
  if (subject === null) return [full];
  const short = docComment(
    [`Short form: \`${subject}\` is the only member of the params.`],
    [],
  );
  return [full, { doc: short, signature: sign([code`subject: string`]) }];
}
