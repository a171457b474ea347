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
  announcements,
  asks,
  type Chosen,
  engineView,
  type EngineView,
  givenParams,
  type IdentityView,
  identityView,
  messageDoc,
  needsSentence,
  notes,
  resultType,
  returnedType,
  serverNotices,
  serverRequests,
  subjectAlone,
  sideView,
  type SideView,
  wireKey,
} from "./roles/index.js";

/** `server.ts`: what a server hears and sends, as handlers to fill in. */
export interface ServerView extends EngineView, IdentityView {
  readonly revision: Code;
  /** The revision's name inside a comment. */
  readonly revisionText: Code;
  readonly imports: Code;
  readonly side: SideView;
  /** The severities of log messages, the least severe first. */
  readonly levels: Code;
  /** What the server changes about its messages, since only other revisions know it. */
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

/** `fitting` is what `fittingOf` finds for the revision. */
export function serverView(choice: Chosen, fitting: object): ServerView {
  const { protocol } = choice;
  const identity = identityView(choice);
  const members = new Names();
  const asked = asks(choice);
  const handled = serverRequests(choice);
  const senders = announcements(choice).map((message) => ({
    message,
    name: choice.naming.sender(members, message),
  }));
  return {
    ...engineView(choice, "server"),
    ...identity,
    revision: literal(protocol.revision),
    revisionText: prose(protocol.revision),
    side: sideView(choice, "server"),
    levels: jsonCode(protocol.levels),
    fitting: jsonCode(fitting),
    logSignature: protocol.jobs.log === undefined ? null : logMember(choice),
    client: generic(code`Identity`, [identity.info, identity.clientCapabilities]),
    asks: asked.flatMap((message) => askViews(choice, message)),
    notes: notes(choice).map((message) => noteView(choice, message)),
    handlers: [
      ...handled.map((message) => handlerView(choice, message)),
      ...serverNotices(choice).map((message) => noticeView(choice, message)),
    ],
    announcements: senders.flatMap(({ message, name }) => {
      const params = givenParams(choice, message);
      const doc = messageDoc(choice, message, needsSentence(choice, message));
      return senderViews(choice, message, name, doc, params && parameter(params));
    }),
    definition: hugging(
      code`defineServer<Server>(serverSide, options, `,
      objectCode(senders.map(({ message, name }) => [name, literal(message.method)])),
    ),
    imports: nameList([
      ...(asked.length > 0 ? [code`type AskOptions`] : []),
      ...(handled.length > 0 ? [code`type Awaitable`] : []),
      code`defineServer`,
      code`type HandlerContext`,
      code`type Identity`,
      code`type ServerDefinition`,
      code`type ServerSettings`,
      code`type ServerSide`,
    ]),
  };
}

/** A call whose last argument is an object: its braces stay beside the parentheses. */
function hugging(head: Code, last: Code): Code {
  return code`${head}${last})`;
}

function logMember({ declarations, spell }: Chosen): Code {
  const level = declarations.has(names.levels) ? spell(names.levels) : code`string`;
  return signature(
    code`log`,
    [code`level: ${level}`, code`data: unknown`, code`logger?: string`],
    code`void`,
  );
}

function askViews(choice: Chosen, message: RequestMessage): HandlerView[] {
  const params = givenParams(choice, message);
  const sign = (given: Code, type: Code): Code =>
    signature(
      code`request`,
      [code`method: ${literal(message.method)}`, given, code`options?: AskOptions`],
      type,
    );
  const augmented = augmentedForm(choice, message, sign);
  const ordinary: HandlerView = {
    doc: messageDoc(choice, message, needsSentence(choice, message)),
    signature: sign(
      params === null ? code`params?: undefined` : parameter(params),
      code`Promise<${resultType(choice, message)}>`,
    ),
  };
  return augmented ? [augmented, ordinary] : [ordinary];
}

function noteView(choice: Chosen, message: Message): HandlerView {
  const params = givenParams(choice, message);
  const parameters = [
    code`method: ${literal(message.method)}`,
    ...(params === null ? [] : [parameter(params)]),
  ];
  return {
    doc: messageDoc(choice, message, needsSentence(choice, message)),
    signature: signature(code`notify`, parameters, code`void`),
  };
}

function handlerView(choice: Chosen, message: RequestMessage): HandlerView {
  const parameters = [firstParameter(choice, message), code`context: Context`];
  const input =
    "It may ask the client for input through `context.request`, or return the request for input itself.";
  return {
    doc: messageDoc(choice, message, [...declares(message), ...(message.asksInput ? [input] : [])]),
    signature: signature(
      code`${wireKey(message)}?`,
      parameters,
      generic(code`Awaitable`, [returnedType(choice, message)]),
    ),
  };
}

function noticeView(choice: Chosen, message: Message): HandlerView {
  return {
    doc: messageDoc(choice, message, []),
    signature: signature(
      code`${wireKey(message)}?`,
      [firstParameter(choice, message), code`context: Context`],
      code`void`,
    ),
  };
}

/** The function that announces a notification; what has nothing to say but its subject is also announced by that alone. */
export function senderViews(
  choice: Chosen,
  message: Message,
  name: Code,
  doc: Code | null,
  parameter: Code | null,
): HandlerView[] {
  const sign = (parameters: readonly Code[]): Code => signature(name, parameters, code`void`);
  const whole: HandlerView = { doc, signature: sign(parameter === null ? [] : [parameter]) };
  const subject = subjectAlone(choice, message);
  if (subject === null) return [whole];
  const same = docComment([`The same, where \`${subject}\` is all there is to say.`], []);
  return [whole, { doc: same, signature: sign([code`subject: string`]) }];
}
