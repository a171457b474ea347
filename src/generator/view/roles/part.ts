import { anything } from "../../ir/constraint.js";
import { definitionsOf } from "../../ir/definitions.js";
import { capabilityTypes, names } from "../../ir/facts.js";
import { namesIn, reachable } from "../../ir/lookup.js";
import type { Declaration, Message, Protocol } from "../../ir/model.js";
import { augmentOf, type RevisionContext } from "./messages.js";

/** The part of a revision that a set of messages needs. */
export interface ProtocolPart {
  /**
   * The revision with only these messages and the declarations that they use;
   * the index has all declarations.
   */
  readonly context: RevisionContext;
  /**
   * The types that are added for params and results, including those without a
   * guard.
   */
  readonly addedTypes: readonly Declaration[];
  readonly synthesized: readonly Declaration[];
  /** The types whose guards the messages need. */
  readonly guards: ReadonlySet<string>;
}

export function partOf(
  revision: RevisionContext,
  isUsed: (message: Message) => boolean,
): ProtocolPart {
  const { protocol, plan, declarations } = revision;
  const messages = protocol.messages.filter(isUsed);
  const methods = new Set(messages.map(({ method }) => method));
  const { params, results, types: roleTypes } = plan.roleTypes;
  const addedTypes = new Map(
    [...plan.synthesized, ...roleTypes].map((entry) => [entry.name, entry]),
  );
  const guardNames: string[] = [];
  for (const message of messages) {
    const params = plan.byMethod.get(message.method);
    if (params) guardNames.push(params.name);
    if (message.kind === "request") {
      guardNames.push(...message.results);
    }
  }
  const typeNames = [names.implementation, ...Object.values(capabilityTypes)];
  const { log } = protocol.wellKnown;
  if (log !== undefined && methods.has(log)) {
    typeNames.push(names.levels);
  }
  for (const message of messages) {
    if (message.kind !== "request") continue;
    const type = augmentOf(revision, message)?.type;
    if (type !== undefined) typeNames.push(type);
  }
  for (const name of guardNames) {
    typeNames.push(params.get(name) ?? name);
    typeNames.push(results.get(name) ?? name);
  }

  const definitions = definitionsOf(declarations);
  const unknown = { schema: anything };
  const guards = reachable(guardNames, (name) =>
    namesIn(addedTypes.get(name) ?? definitions.get(name) ?? unknown),
  );
  const typeOf = (name: string) =>
    addedTypes.get(name) ?? declarations.get(name);
  const types = reachable([...guards, ...typeNames], (name) =>
    namesIn(typeOf(name) ?? unknown),
  );
  const entries = Object.entries(protocol.wellKnown);
  const wellKnown = Object.fromEntries(
    entries.filter(([, method]) => methods.has(method)),
  ) as Protocol["wellKnown"];
  const selection = protocol.declarations.filter(({ name }) => types.has(name));
  return {
    context: {
      ...revision,
      protocol: {
        ...protocol,
        messages,
        wellKnown,
        declarations: selection,
      },
    },
    addedTypes: [...addedTypes.values()].filter(({ name }) => types.has(name)),
    synthesized: plan.synthesized.filter(({ name }) => guards.has(name)),
    guards,
  };
}
