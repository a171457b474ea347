import { capabilityTypes, names } from "../../ir/facts.js";
import { flattenType } from "../../ir/flatten.js";
import type { Message, Property, Protocol, Type } from "../../ir/model.js";
import { withReached } from "../../ir/reach.js";
import { eachType, typesOf } from "../../ir/walk.js";
import type { Synthesized } from "../plan/written.js";
import { augmentOf, type RevisionContext } from "./messages.js";

/** The part of a revision that a set of messages needs. */
export interface ProtocolPart {
  /** The revision with only these messages and the declarations that they use; the index has all declarations. */
  readonly context: RevisionContext;
  /** The types that are added for params and results, including those without a guard. */
  readonly made: readonly Synthesized[];
  readonly synthesized: readonly Synthesized[];
  /** The types whose guards the messages need. */
  readonly guards: ReadonlySet<string>;
}

export function partOf(whole: RevisionContext, isUsed: (message: Message) => boolean): ProtocolPart {
  const { protocol, plan, declarations } = whole;
  const messages = protocol.messages.filter(isUsed);
  const methods = new Set(messages.map(({ method }) => method));
  const { params, results, types: written } = plan.written;
  const made = new Map([...plan.synthesized, ...written].map((entry) => [entry.name, entry]));
  const checked = messages.flatMap((message) => {
    const given = plan.byMethod.get(message.method);
    const answers = message.kind === "request" ? message.results : [];
    return given ? [given.name, ...answers] : answers;
  });
  const spelt = [
    names.implementation,
    ...(messages.some(({ method }) => method === protocol.jobs.log) ? [names.levels] : []),
    ...Object.values(capabilityTypes),
    ...messages.flatMap((message) =>
      message.kind === "request" ? (augmentOf(whole, message)?.type ?? []) : [],
    ),
    ...checked.flatMap((name) => [params.get(name) ?? [], results.get(name) ?? []].flat()),
  ].filter((name) => declarations.has(name) || made.has(name));

  const guards = withReached(checked, (name) => {
    const type = made.get(name);
    if (type !== undefined) return membersIn(type);
    const declaration = declarations.get(name);
    if (declaration?.kind === "alias") return namesIn([declaration.type]);
    return membersIn(
      flattenType(declarations, { kind: "reference", name }) ?? { properties: [], rest: null },
    );
  });
  const types = withReached([...guards, ...spelt], (name) => {
    const type = made.get(name);
    if (type !== undefined) return membersIn(type);
    const declaration = declarations.get(name);
    if (declaration === undefined) return [];
    const bases = declaration.kind === "interface" ? declaration.bases.map((base) => base.name) : [];
    return [...bases, ...namesIn(typesOf(declaration))];
  });
  const jobs = Object.fromEntries(
    Object.entries(protocol.jobs).filter(([, method]) => methods.has(method)),
  ) as Protocol["jobs"];
  const kept = protocol.declarations.filter(({ name }) => types.has(name));
  return {
    context: { ...whole, protocol: { ...protocol, messages, jobs, declarations: kept } },
    made: [...made.values()].filter(({ name }) => types.has(name)),
    synthesized: plan.synthesized.filter(({ name }) => guards.has(name)),
    guards,
  };
}

function membersIn(of: { readonly properties: readonly Property[]; readonly rest: Type | null }): string[] {
  return namesIn([...of.properties.map(({ type }) => type), ...(of.rest === null ? [] : [of.rest])]);
}

/** The names of declarations in types. */
function namesIn(types: readonly Type[]): string[] {
  const found: string[] = [];
  for (const type of types)
    eachType(type, (inner) => {
      if (inner.kind === "reference") found.push(inner.name);
      if (inner.kind === "literal" && inner.constant !== null) found.push(inner.constant);
    });
  return found;
}
