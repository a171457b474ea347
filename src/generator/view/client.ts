import type { Message, RequestMessage } from "../ir/model.js";
import {
  assignment,
  callCode,
  type Code,
  code,
  generic,
  literal,
  importList,
  propertyKey,
  signature,
} from "./typescript/code.js";
import { docComment, prose } from "./typescript/doc.js";
import { Names } from "./typescript/names.js";
import {
  allParams,
  allRules,
  augmentOf,
  type RevisionContext,
  notificationsToClient,
  requestsToClient,
  engineView,
  type EngineView,
  callerParams,
  handlerSignature,
  type IdentityView,
  identityView,
  itemType,
  messageDoc,
  needsSentence,
  resultType,
  type QuestionsView,
  questionsView,
  sideView,
  type SideView,
  type SignatureView,
  notificationsFromClient,
  requestsFromClient,
} from "./roles/index.js";

/**
 * `client.ts`: the requests and notifications of a client, as one documented
 * class.
 */
interface ClientView extends EngineView, IdentityView {
  readonly revision: Code;
  /** `revision: "2025-03-26" = "2025-03-26"` */
  readonly revisionMember: Code;
  /** The revision's name inside a comment. */
  readonly revisionText: Code;
  readonly imports: Code;
  readonly side: SideView;
  readonly questions: QuestionsView;
  /** True if the file imports guards. */
  readonly hasGuards: boolean;
  readonly handlers: readonly SignatureView[];
  /** The description of the server. */
  readonly identity: Code;
  readonly stubs: readonly StubView[];
  readonly senders: readonly StubView[];
}

interface StubView {
  readonly doc: Code | null;
  /** Each overload with its comment. Null when there is only one signature. */
  readonly overloads: readonly SignatureView[] | null;
  readonly signature: Code;
  /** `this.#session.request(d.callTool.method, params, options)` */
  readonly call: Code;
  readonly items: {
    readonly doc: Code | null;
    readonly signature: Code;
    readonly call: Code;
  } | null;
}

/** Members of the class that a method of the schema must not replace. */
const ownMembers = [
  "close",
  "connect",
  "constructor",
  "prototype",
  "revision",
  "server",
  "then",
  "toJSON",
];
export function clientView(context: RevisionContext): ClientView {
  const { protocol } = context;
  const names = new Names(ownMembers);
  const identity = identityView(context);
  const revision = literal(protocol.revision);
  const questions = questionsView(context);
  const stubs = requestsFromClient(context).map((message) =>
    stub(context, message, names),
  );
  const senders = notificationsFromClient(context).map((message) =>
    sender(context, message, names),
  );
  const handlers = [
    ...requestsToClient(context).map((message) => {
      const type = generic(code`Awaitable`, [resultType(context, message)]);
      return {
        doc: messageDoc(context, message, capabilitySentence(message)),
        signature: handlerSignature(
          [{ context, message }],
          [code`context: ClientContext`],
          type,
        ),
      };
    }),
    ...notificationsToClient(context).map((message) => ({
      doc: messageDoc(context, message, []),
      signature: handlerSignature([{ context, message }], [], code`void`),
    })),
  ];
  return {
    ...engineView(context, "client"),
    revision,
    revisionMember: assignment(code`revision: ${revision}`, revision),
    revisionText: prose(protocol.revision),
    imports: importList(importsOf(context, stubs)),
    side: sideView(context, "client"),
    questions,
    hasGuards: questions.input !== null || questions.failures !== null,
    handlers,
    stubs,
    senders,
    ...identity,
    identity: generic(code`Identity`, [
      identity.info,
      identity.serverCapabilities,
    ]),
  };
}

function stub(
  context: RevisionContext,
  message: RequestMessage,
  names: Names,
): StubView {
  const name = context.naming.member(names, message);
  const params = allParams([{ context, message }]);
  const parameters = params === null ? [] : [params];
  const type = code`Promise<${resultType(context, message)}>`;
  const item = itemType(context, message);
  // Two lists may have items of one name.
  const isTaken = message.items !== null && names.has(message.items);
  const listBase = isTaken ? `${String(name.layout)}Items` : message.items;
  const list =
    item === null || listBase === null
      ? null
      : context.naming.claim(names, listBase);
  const doc = messageDoc(context, message, needsSentence(context, message));
  const options = code`options?: RequestOptions`;
  const args = [...passed(context, message), code`options`];
  const sign = (result: Code): Code =>
    signature(name, [...parameters, options], result);
  const overload = augmentedForm(context, message, (augmentedParams, result) =>
    signature(name, [augmentedParams, options], result),
  );
  const items =
    item === null || list === null
      ? null
      : {
          doc: docComment([
            `All items of \`${String(name.layout)}\`, from all pages.`,
          ]),
          signature: signature(
            list,
            [...parameters, code`options?: ListOptions`],
            generic(code`AsyncIterable`, [item]),
          ),
          call: callCode(code`this.#session.items`, args),
        };
  return {
    doc: overload ? null : doc,
    overloads: overload && [overload, { doc, signature: sign(type) }],
    // With `unknown`, TypeScript does not have to compare the results of the
    // overloads.
    signature: sign(overload ? code`unknown` : type),
    call: callCode(code`this.#session.request`, args),
    items,
  };
}

/**
 * The overload of a call whose params select another kind of result; null if
 * there is none.
 */
export function augmentedForm(
  context: RevisionContext,
  message: RequestMessage,
  sign: (params: Code, type: Code) => Code,
): SignatureView | null {
  const augments = augmentOf(context, message);
  const params = callerParams(context, message);
  if (augments === undefined || params === null) return null;
  const { member, type, result } = augments;
  const augmentedParams = code`${params.type} & { ${propertyKey(member)}: ${context.typeName(type)} }`;
  return {
    doc: docComment([
      `With \`${member}\`: returns a \`${result}\` at once, while the work continues.`,
    ]),
    signature: sign(
      code`params: ${augmentedParams}`,
      generic(code`Promise`, [context.typeName(result)]),
    ),
  };
}

function sender(
  context: RevisionContext,
  message: Message,
  names: Names,
): StubView {
  const params = allParams([{ context, message }]);
  return {
    doc: messageDoc(context, message, needsSentence(context, message)),
    signature: signature(
      context.naming.member(names, message),
      params === null ? [] : [params],
      code`Promise<void>`,
    ),
    call: callCode(code`this.#session.notify`, passed(context, message)),
    overloads: null,
    items: null,
  };
}

/** The method and params as arguments of a call. */
function passed(context: RevisionContext, message: Message): Code[] {
  const params =
    callerParams(context, message) === null ? code`undefined` : code`params`;
  return [code`d.${context.naming.row(message.method)}.method`, params];
}

/** A sentence on the capability that the presence of a handler declares. */
export function capabilitySentence({ capability }: Message): string[] {
  return capability === null
    ? []
    : [`Setting this handler declares the capability \`${capability.path}\`.`];
}

function importsOf(
  context: RevisionContext,
  stubs: readonly StubView[],
): Code[] {
  const hasHandlers = requestsToClient(context).length > 0;
  return [
    ...(hasHandlers ? [code`type Awaitable`, code`type ClientContext`] : []),
    code`type ClientQuestions`,
    code`type ClientSession`,
    code`type ClientSettings`,
    code`type ClientSide`,
    code`defineClientQuestions`,
    code`defineClientSide`,
    code`type Identity`,
    ...(stubs.some(({ items }) => items !== null)
      ? [code`type ListOptions`]
      : []),
    code`openClient`,
    ...allRules(context),
    ...(stubs.length > 0 ? [code`type RequestOptions`] : []),
    code`type Transport`,
  ];
}
