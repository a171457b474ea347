import { capabilityTypes, names } from "../../ir/facts.js";
import type { Side } from "../../ir/model.js";
import {
  arrayCode,
  type Code,
  code,
  identifier,
  jsonCode,
  literal,
  objectCode,
  rowsCode,
} from "../typescript/code.js";
import { upperFirst } from "../typescript/names.js";
import { ownExtensions, wellKnownExtensionsOf } from "./extensions.js";
import {
  errorResponses,
  guardOf,
  receivedBy,
  requests,
  type RevisionContext,
  rulesOf,
} from "./messages.js";

/** What a side needs besides the rows of the messages. */
export interface SideView {
  /**
   * Validators for error responses with typed data, by code; null if this side
   * sends none.
   */
  readonly failures: Code | null;
  /**
   * The capabilities that this side declares without a handler; null if there
   * are none.
   */
  readonly capabilities: Code | null;
  /**
   * The ids of the extensions for which the runtime has functions, by role;
   * null if there are none.
   */
  readonly extensions: Code | null;
}

/**
 * What a server needs to send requests to clients, and a client to answer them,
 * besides the rows of these requests.
 */
export interface QuestionsView {
  /** The rules of these requests; null without any. */
  readonly rules: Code | null;
  /** The guard of a result that asks for input; null if no result does. */
  readonly input: Code | null;
  /** As in `SideView`. */
  readonly failures: Code | null;
}

export function questionsView(context: RevisionContext): QuestionsView {
  const rules = requests(context).flatMap((message): [string, Code][] => {
    const name = rulesOf(context, message);
    return name === null ? [] : [[message.method, name]];
  });
  const results = requests(context).flatMap((message) =>
    message.asksInput ? message.results : [],
  );
  const input = results.find((name) => name === names.inputResult);
  return {
    rules: rules.length === 0 ? null : byRow(context, rules),
    input: input === undefined ? null : guardOf(context, input),
    failures: failuresOf(context, "client"),
  };
}

export function sideView(context: RevisionContext, side: Side): SideView {
  const extensions = ownExtensions(context, side);
  const wellKnown = wellKnownExtensionsOf(context);
  return {
    failures: side === "server" ? failuresOf(context, side) : null,
    capabilities:
      extensions.length === 0
        ? null
        : jsonCode({
            [names.extensions]: Object.fromEntries(
              extensions.map((id) => [id, {}]),
            ),
          }),
    extensions:
      wellKnown.length === 0 ? null : jsonCode(Object.fromEntries(wellKnown)),
  };
}

/**
 * A side sends error responses if it receives requests that are not embedded in
 * results.
 */
function failuresOf(context: RevisionContext, side: Side): Code | null {
  const hasResponses = requests(context).some(
    (entry) => receivedBy(side, entry) && entry.carriage === "wire",
  );
  const guards = errorResponses(context).map(
    ([errorCode, name]) =>
      [literal(errorCode), guardOf(context, name)] as const,
  );
  return hasResponses && guards.length > 0 ? objectCode(guards) : null;
}

/** `[[d.ping, value], …]`: a value for each of some messages. */
export function byRow(
  { naming }: RevisionContext,
  entries: readonly (readonly [string, Code])[],
): Code {
  return rowsCode(
    entries.map(([method, value]) =>
      arrayCode([code`d.${naming.row(method)}`, value]),
    ),
  );
}

/** The session engine of the revision, so that the other one is not bundled. */
export interface EngineView {
  readonly engine: Code;
  /** The function with which a server of the revision asks. */
  readonly asking: Code;
  readonly isLegacy: boolean;
}

export function engineView(
  { protocol }: RevisionContext,
  side: Side,
): EngineView {
  const isLegacy = protocol.opening === "initialize";
  const engine = identifier(
    `${isLegacy ? "legacy" : "modern"}${upperFirst(side)}`,
  );
  return {
    engine,
    asking: isLegacy ? code`askOnWire` : code`answerInRounds`,
    isLegacy,
  };
}

/** The types that describe the client and the server to each other. */
export interface IdentityView {
  readonly info: Code;
  readonly clientCapabilities: Code;
  readonly serverCapabilities: Code;
}

export function identityView({
  declarations,
  typeName,
}: RevisionContext): IdentityView {
  const type = (name: string): Code =>
    declarations.has(name)
      ? typeName(name)
      : code`{ readonly [member: string]: unknown }`;
  return {
    info: type(names.implementation),
    clientCapabilities: type(capabilityTypes.client),
    serverCapabilities: type(capabilityTypes.server),
  };
}
