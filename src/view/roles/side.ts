import { capabilityTypes, names } from "../../ir/facts.js";
import type { Message, RequestMessage } from "../../ir/model.js";
import { type Code, code, literal, objectCode, propertyKey } from "../typescript/code.js";
import {
  augmentOf,
  type Chosen,
  errorAnswers,
  guardOf,
  notifications,
  receivedBy,
  requests,
  sentBy,
  variantsOf,
  wireKey,
} from "./messages.js";

/** The table of one side: every message that it sends or receives, those of the session engine among them. */
export interface SideView {
  readonly outgoingRequests: Code;
  readonly incomingRequests: Code;
  readonly outgoingNotifications: Code;
  readonly incomingNotifications: Code;
  /** What checks answers with an error whose data the schema knows, by code; null where this side sends none. */
  readonly failures: Code | null;
}

export function sideView(choice: Chosen, side: "client" | "server"): SideView {
  const requestMessages = requests(choice);
  const notificationMessages = notifications(choice);
  return {
    outgoingRequests: table(
      requestMessages.filter((entry) => sentBy(side, entry)),
      (entry) => requestRow(choice, entry),
    ),
    incomingRequests: table(
      requestMessages.filter((entry) => receivedBy(side, entry)),
      (entry) => requestRow(choice, entry),
    ),
    outgoingNotifications: table(
      notificationMessages.filter((entry) => sentBy(side, entry)),
      (entry) => row(choice, entry, []),
    ),
    incomingNotifications: table(
      notificationMessages.filter((entry) => receivedBy(side, entry)),
      (entry) => row(choice, entry, []),
    ),
    failures: failuresOf(choice, side),
  };
}

/** A side answers where it gets requests of their own, and not inside of results. */
function failuresOf(choice: Chosen, side: "client" | "server"): Code | null {
  const answers = requests(choice).some((entry) => receivedBy(side, entry) && entry.carriage === "wire");
  const guards = errorAnswers(choice).map(
    ([code_, name]) => [literal(code_), guardOf(choice, name)] as const,
  );
  return answers && guards.length > 0 ? objectCode(guards) : null;
}

function table<M extends Message>(messages: readonly M[], row: (message: M) => Code): Code {
  return objectCode(messages.map((message) => [wireKey(message), row(message)]));
}

function facts({ naming }: Chosen, message: Message): Code {
  return code`d.${naming.row(message.method)}`;
}

/** What checks a request and its answers; both sides check what they send as well as what they get. */
function requestRow(choice: Chosen, message: RequestMessage): Code {
  const [result] = message.results;
  const input = message.results.find((name) => name === names.inputResult);
  const augments = augmentOf(choice, message);
  const variants = variantsOf(choice, message).map(
    ({ kind, result }) => [propertyKey(kind), guardOf(choice, result)] as const,
  );
  return row(choice, message, [
    [code`result`, guardOf(choice, result)],
    ...(message.asksInput ? [[code`input`, guardOf(choice, input)] as const] : []),
    ...(augments ? [[code`augmented`, guardOf(choice, augments.result)] as const] : []),
    ...(variants.length > 0 ? [[code`variants`, objectCode(variants)] as const] : []),
  ]);
}

/** The params alone are left to check: their method has found the row, and the connection has read the rest. */
function row(choice: Chosen, message: Message, more: readonly (readonly [Code, Code])[]): Code {
  const params = choice.plan.byMethod.get(message.method);
  return objectCode([
    [code`facts`, facts(choice, message)],
    [code`params`, guardOf(choice, params?.name)],
    ...(params?.presence === "optional" ? [[code`optional`, code`true`] as const] : []),
    ...more,
  ]);
}

/** The session engine that the revision's opening needs, so that the other one is not bundled. */
export interface EngineView {
  readonly engine: Code;
  readonly isLegacy: boolean;
}

export function engineView({ protocol }: Chosen, side: "client" | "server"): EngineView {
  const legacy = protocol.opening === "initialize";
  const engines = legacy
    ? { client: code`legacyClient`, server: code`legacyServer` }
    : { client: code`modernClient`, server: code`modernServer` };
  return { engine: engines[side], isLegacy: legacy };
}

/** The types with which the two sides introduce themselves. */
export interface IdentityView {
  readonly info: Code;
  readonly clientCapabilities: Code;
  readonly serverCapabilities: Code;
}

export function identityView({ declarations, spell }: Chosen): IdentityView {
  const type = (name: string): Code =>
    declarations.has(name) ? spell(name) : code`{ readonly [member: string]: unknown }`;
  return {
    info: type(names.implementation),
    clientCapabilities: type(capabilityTypes.client),
    serverCapabilities: type(capabilityTypes.server),
  };
}
