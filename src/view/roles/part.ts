import { capabilityTypes, names } from "../../ir/facts.js";
import { flattenType } from "../../ir/flatten.js";
import type { Message, Property, Protocol, Type } from "../../ir/model.js";
import { eachType, typesOf, reachable } from "../../ir/walk.js";
import type { Synthesized } from "../plan/role-types.js";
import { augmentOf, type RevisionContext } from "./messages.js";

/** The part of a revision that a set of messages needs. */
export interface ProtocolPart {
  /** The revision with only these messages and the declarations that they use; the index has all declarations. */
  readonly context: RevisionContext;
  /** The types that are added for params and results, including those without a guard. */
  readonly addedTypes: readonly Synthesized[];
  readonly synthesized: readonly Synthesized[];
  /** The types whose guards the messages need. */
  readonly guards: ReadonlySet<string>;
}

export function partOf(revision: RevisionContext, isUsed: (message: Message) => boolean): ProtocolPart {
  const { protocol, plan, declarations } = revision;
  const messages = protocol.messages.filter(isUsed);
  const methods = new Set(messages.map(({ method }) => method));
  const { params, results, types: roleTypes } = plan.roleTypes;
  const addedTypes = new Map([...plan.synthesized, ...roleTypes].map((entry) => [entry.name, entry]));
  const guardNames = messages.flatMap((message) => {
    const params = plan.byMethod.get(message.method);
    const resultNames = message.kind === "request" ? message.results : [];
    return params ? [params.name, ...resultNames] : resultNames;
  });
  const typeNames = [
    names.implementation,
    ...(messages.some(({ method }) => method === protocol.wellKnown.log) ? [names.levels] : []),
    ...Object.values(capabilityTypes),
    ...messages.flatMap((message) =>
      message.kind === "request" ? (augmentOf(revision, message)?.type ?? []) : [],
    ),
    ...guardNames.flatMap((name) => [params.get(name) ?? [], results.get(name) ?? []].flat()),
  ].filter((name) => declarations.has(name) || addedTypes.has(name));

  const guards = reachable(guardNames, (name) => {
    const type = addedTypes.get(name);
    if (type !== undefined) return membersIn(type);
    const declaration = declarations.get(name);
    if (declaration?.kind === "alias") return namesIn([declaration.type]);
    return membersIn(
      flattenType(declarations, { kind: "reference", name }) ?? { properties: [], rest: null },
    );
  });
  const types = reachable([...guards, ...typeNames], (name) => {
    const type = addedTypes.get(name);
    if (type !== undefined) return membersIn(type);
    const declaration = declarations.get(name);
    if (declaration === undefined) return [];
    const bases = declaration.kind === "interface" ? declaration.bases.map((base) => base.name) : [];
    return [...bases, ...namesIn(typesOf(declaration))];
  });
  const wellKnown = Object.fromEntries(
    Object.entries(protocol.wellKnown).filter(([, method]) => methods.has(method)),
  ) as Protocol["wellKnown"];
  const selection = protocol.declarations.filter(({ name }) => types.has(name));
  return {
    context: { ...revision, protocol: { ...protocol, messages, wellKnown, declarations: selection } },
    addedTypes: [...addedTypes.values()].filter(({ name }) => types.has(name)),
    synthesized: plan.synthesized.filter(({ name }) => guards.has(name)),
    guards,
  };
}

function membersIn(of: { readonly properties: readonly Property[]; readonly rest: Type | null }): string[] {
  return namesIn([...of.properties.map(({ type }) => type), ...(of.rest === null ? [] : [of.rest])]);
}

/** The names of declarations in types. */
function namesIn(types: readonly Type[]): string[] {
  const names: string[] = [];
  for (const type of types)
    eachType(type, (inner) => {
      if (inner.kind === "reference") names.push(inner.name);
      if (inner.kind === "literal" && inner.constant !== null) names.push(inner.constant);
    });
  return names;
}
