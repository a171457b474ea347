import { capabilityTypes, names } from "../../ir/facts.js";
import type { Message, RequestMessage } from "../../ir/model.js";
import { type Code, code, jsonCode, literal, objectCode, propertyKey } from "../typescript/code.js";
import { requestsFromHandlers, requestsToClient } from "./directions.js";
import { ownExtensions, wellKnownExtensionsOf } from "./extensions.js";
import {
  augmentOf,
  type RevisionContext,
  errorResponses,
  guardOf,
  notifications,
  receivedBy,
  requests,
  rulesOf,
  sentBy,
  variantsOf,
  wireKey,
} from "./messages.js";

/** The table of one side: every message that it sends or receives, including those of the session engine. */
export interface SideView {
  readonly outgoingRequests: Code;
  readonly incomingRequests: Code;
  readonly outgoingNotifications: Code;
  readonly incomingNotifications: Code;
  /** Validators for error responses with typed data, by code; null if this side sends none. */
  readonly failures: Code | null;
  /** The capabilities that this side declares without a handler; null if there are none. */
  readonly capabilities: Code | null;
  /** The ids of the extensions for which the runtime has functions, by role; null if there are none. */
  readonly extensions: Code | null;
}

/** What a client needs to answer requests of the server, or a server to send them. */
export interface QuestionsView {
  readonly requests: Code;
  /** The guard of a result that asks for input; null if no result does. */
  readonly input: Code | null;
  readonly failures: Code | null;
}

export function questionsView(context: RevisionContext, side: "client" | "server"): QuestionsView {
  const results = requests(context).flatMap((message) => (message.asksInput ? message.results : []));
  const input = results.find((name) => name === names.inputResult);
  const messages = side === "client" ? requestsToClient(context) : requestsFromHandlers(context);
  return {
    requests: table(messages, (entry) => requestRow(context, entry)),
    input: input === undefined ? null : guardOf(context, input),
    failures: side === "client" ? failuresOf(context, side) : null,
  };
}

export function sideView(context: RevisionContext, side: "client" | "server"): SideView {
  const requestMessages = requests(context);
  const notificationMessages = notifications(context);
  const extensions = ownExtensions(context, side);
  const wellKnown = wellKnownExtensionsOf(context);
  return {
    outgoingRequests: table(
      requestMessages.filter((entry) => side === "client" && sentBy(side, entry)),
      (entry) => requestRow(context, entry),
    ),
    // A client answers a ping by itself. Requests from a server to a client are apart, as questions.
    incomingRequests: table(
      requestMessages.filter((entry) => side === "server" && receivedBy(side, entry)),
      (entry) => requestRow(context, entry),
    ),
    outgoingNotifications: table(
      notificationMessages.filter((entry) => sentBy(side, entry)),
      (entry) => row(context, entry, []),
    ),
    incomingNotifications: table(
      notificationMessages.filter((entry) => receivedBy(side, entry)),
      (entry) => row(context, entry, []),
    ),
    failures: side === "server" ? failuresOf(context, side) : null,
    capabilities:
      extensions.length === 0
        ? null
        : jsonCode({ [names.extensions]: Object.fromEntries(extensions.map((id) => [id, {}])) }),
    extensions:
      wellKnown.length === 0
        ? null
        : jsonCode(Object.fromEntries(wellKnown.map(({ role, id }) => [role, id]))),
  };
}

/** A side sends error responses if it receives requests that are not embedded in results. */
function failuresOf(context: RevisionContext, side: "client" | "server"): Code | null {
  const hasResponses = requests(context).some(
    (entry) => receivedBy(side, entry) && entry.carriage === "wire",
  );
  const guards = errorResponses(context).map(
    ([errorCode, name]) => [literal(errorCode), guardOf(context, name)] as const,
  );
  return hasResponses && guards.length > 0 ? objectCode(guards) : null;
}

function table<M extends Message>(messages: readonly M[], row: (message: M) => Code): Code {
  return objectCode(messages.map((message) => [wireKey(message), row(message)]));
}

function facts({ naming }: RevisionContext, message: Message): Code {
  return code`d.${naming.row(message.method)}`;
}

/** Validators of a request and its results; both sides validate what they send and receive. */
function requestRow(context: RevisionContext, message: RequestMessage): Code {
  const [result] = message.results;
  const augments = augmentOf(context, message);
  const rules = rulesOf(context, message);
  const variants = variantsOf(context, message).map(
    ({ kind, result }) => [propertyKey(kind), guardOf(context, result)] as const,
  );
  return row(context, message, [
    ...(rules ? [[code`rules`, rules] as const] : []),
    [code`result`, guardOf(context, result)],
    ...(augments ? [[code`augmented`, guardOf(context, augments.result)] as const] : []),
    ...(variants.length > 0 ? [[code`variants`, objectCode(variants)] as const] : []),
  ]);
}

/** Only the params are left to check: the method selected the row, and the connection checked the rest. */
function row(context: RevisionContext, message: Message, more: readonly (readonly [Code, Code])[]): Code {
  const params = context.plan.byMethod.get(message.method);
  return objectCode([
    [code`facts`, facts(context, message)],
    [code`params`, guardOf(context, params?.name)],
    ...(params?.presence === "optional" ? [[code`optional`, code`true`] as const] : []),
    ...more,
  ]);
}

/** The session engine of the revision, so that the other one is not bundled. */
export interface EngineView {
  readonly engine: Code;
  /** The function with which a server of the revision asks. */
  readonly asking: Code;
  readonly isLegacy: boolean;
}

export function engineView({ protocol }: RevisionContext, side: "client" | "server"): EngineView {
  const isLegacy = protocol.opening === "initialize";
  const engines = isLegacy
    ? { client: code`legacyClient`, server: code`legacyServer` }
    : { client: code`modernClient`, server: code`modernServer` };
  return { engine: engines[side], asking: isLegacy ? code`askOnWire` : code`answerInRounds`, isLegacy };
}

/** The types that describe the client and the server to each other. */
export interface IdentityView {
  readonly info: Code;
  readonly clientCapabilities: Code;
  readonly serverCapabilities: Code;
}

export function identityView({ declarations, typeName }: RevisionContext): IdentityView {
  const type = (name: string): Code =>
    declarations.has(name) ? typeName(name) : code`{ readonly [member: string]: unknown }`;
  return {
    info: type(names.implementation),
    clientCapabilities: type(capabilityTypes.client),
    serverCapabilities: type(capabilityTypes.server),
  };
}
