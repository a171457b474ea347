import { names } from "../ir/facts.js";
import type { Message, RequestMessage } from "../ir/model.js";
import {
  type Code,
  code,
  generic,
  jsonCode,
  literal,
  nameList,
  objectCode,
  signature,
} from "./typescript/code.js";
import { augmentedForm, declares, firstParameter, type HandlerView, parameter } from "./client.js";
import { docComment, prose } from "./typescript/doc.js";
import { Names } from "./typescript/names.js";
import {
  allRules,
  notificationsFromServer,
  requestsFromHandlers,
  type RevisionContext,
  engineView,
  type EngineView,
  callerParams,
  type IdentityView,
  identityView,
  messageDoc,
  needsSentence,
  notificationsFromHandlers,
  resultType,
  returnedType,
  notificationsToServer,
  requestsToServer,
  subjectAlone,
  sideView,
  type SideView,
  wireKey,
} from "./roles/index.js";

/** `server.ts`: the requests and notifications of a server, with handler types. */
export interface ServerView extends EngineView, IdentityView {
  readonly revision: Code;
  /** The revision's name inside a comment. */
  readonly revisionText: Code;
  readonly imports: Code;
  readonly side: SideView;
  /** The severities of log messages, the least severe first. */
  readonly levels: Code;
  /** The changes to messages, for parts that only other revisions declare. */
  readonly fitting: Code;
  /** `log(level: …, …): void`; null when the revision has no log. */
  readonly logSignature: Code | null;
  readonly client: Code;
  readonly asks: readonly HandlerView[];
  readonly notes: readonly HandlerView[];
  readonly handlers: readonly HandlerView[];
  readonly announcements: readonly HandlerView[];
  /** `defineServer<Server>(serverSide, options, { … })` */
  readonly definition: Code;
}

/** `fitting` is the result of `fittingOf` for the revision. */
export function serverView(context: RevisionContext, fitting: object): ServerView {
  const { protocol } = context;
  const identity = identityView(context);
  const members = new Names();
  const clientRequests = requestsFromHandlers(context);
  const handled = requestsToServer(context);
  const senders = notificationsFromServer(context).map((message) => ({
    message,
    name: context.naming.sender(members, message),
  }));
  return {
    ...engineView(context, "server"),
    ...identity,
    revision: literal(protocol.revision),
    revisionText: prose(protocol.revision),
    side: sideView(context, "server"),
    levels: jsonCode(protocol.levels),
    fitting: jsonCode(fitting),
    logSignature: protocol.wellKnown.log === undefined ? null : logMember(context),
    client: generic(code`Identity`, [identity.info, identity.clientCapabilities]),
    asks: clientRequests.flatMap((message) => askViews(context, message)),
    notes: notificationsFromHandlers(context).map((message) => noteView(context, message)),
    handlers: [
      ...handled.map((message) => handlerView(context, message)),
      ...notificationsToServer(context).map((message) => noticeView(context, message)),
    ],
    announcements: senders.flatMap(({ message, name }) => {
      const params = callerParams(context, message);
      const doc = messageDoc(context, message, needsSentence(context, message));
      return senderViews(context, message, name, doc, params && parameter(params));
    }),
    definition: hugging(
      code`defineServer<Server>(serverSide, options, `,
      objectCode(senders.map(({ message, name }) => [name, literal(message.method)])),
    ),
    imports: nameList([
      ...(clientRequests.length > 0 ? [code`type AskOptions`] : []),
      ...(handled.length > 0 ? [code`type Awaitable`] : []),
      code`defineServer`,
      code`type HandlerContext`,
      code`type Identity`,
      code`type ServerDefinition`,
      code`type ServerSettings`,
      code`type ServerSide`,
      ...allRules(context),
    ]),
  };
}

/** A call whose last argument is an object, with braces next to the parentheses. */
function hugging(head: Code, last: Code): Code {
  return code`${head}${last})`;
}

function logMember({ declarations, typeName }: RevisionContext): Code {
  const level = declarations.has(names.levels) ? typeName(names.levels) : code`string`;
  return signature(
    code`log`,
    [code`level: ${level}`, code`data: unknown`, code`logger?: string`],
    code`void`,
  );
}

function askViews(context: RevisionContext, message: RequestMessage): HandlerView[] {
  const params = callerParams(context, message);
  const sign = (parameter: Code, type: Code): Code =>
    signature(
      code`request`,
      [code`method: ${literal(message.method)}`, parameter, code`options?: AskOptions`],
      type,
    );
  const augmented = augmentedForm(context, message, sign);
  const ordinary: HandlerView = {
    doc: messageDoc(context, message, needsSentence(context, message)),
    signature: sign(
      params === null ? code`params?: undefined` : parameter(params),
      code`Promise<${resultType(context, message)}>`,
    ),
  };
  return augmented ? [augmented, ordinary] : [ordinary];
}

function noteView(context: RevisionContext, message: Message): HandlerView {
  const params = callerParams(context, message);
  const parameters = [
    code`method: ${literal(message.method)}`,
    ...(params === null ? [] : [parameter(params)]),
  ];
  return {
    doc: messageDoc(context, message, needsSentence(context, message)),
    signature: signature(code`notify`, parameters, code`void`),
  };
}

function handlerView(context: RevisionContext, message: RequestMessage): HandlerView {
  const parameters = [firstParameter(context, message), code`context: Context`];
  const input =
    "It may ask the client for input through `context.request`, or return the request for input itself.";
  return {
    doc: messageDoc(context, message, [...declares(message), ...(message.asksInput ? [input] : [])]),
    signature: signature(
      code`${wireKey(message)}?`,
      parameters,
      generic(code`Awaitable`, [returnedType(context, message)]),
    ),
  };
}

function noticeView(context: RevisionContext, message: Message): HandlerView {
  return {
    doc: messageDoc(context, message, []),
    signature: signature(
      code`${wireKey(message)}?`,
      [firstParameter(context, message), code`context: Context`],
      code`void`,
    ),
  };
}

/** The function that sends a notification. If only its subject is required, an overload accepts just the subject. */
export function senderViews(
  context: RevisionContext,
  message: Message,
  name: Code,
  doc: Code | null,
  parameter: Code | null,
): HandlerView[] {
  const sign = (parameters: readonly Code[]): Code => signature(name, parameters, code`void`);
  const whole: HandlerView = { doc, signature: sign(parameter === null ? [] : [parameter]) };
  const subject = subjectAlone(context, message);
  if (subject === null) return [whole];
  const same = docComment([`The same with \`${subject}\` as the only member.`], []);
  return [whole, { doc: same, signature: sign([code`subject: string`]) }];
}
