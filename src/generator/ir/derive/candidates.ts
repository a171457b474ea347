import { anything } from "../constraint.js";
import * as facts from "../facts.js";
import { constantIn, onlyOf, referenceIn } from "../constraint/form.js";
import { flatten, propertyOf, type Flat } from "../flatten.js";
import { groupsOf } from "../groups.js";
import { reachable, resolve, tagOf, type Index } from "../lookup.js";
import type { Declaration } from "../model.js";
import type { DeriveContext } from "./context.js";

/** A declaration with a literal `method`: a request or a notification. */
export interface Candidate {
  readonly name: string;
  readonly method: string;
  readonly flat: Flat;
  readonly declaration: Declaration;
}

/**
 * One declaration for each wire method, in source order. `declared` has the
 * methods that the unions of messages declare.
 */
export function candidates(
  context: DeriveContext,
  declared: ReadonlyMap<string, unknown>,
): Candidate[] {
  const all = [...context.declarations.values()]
    .flatMap((declaration) => candidate(context, declaration))
    .filter(
      ({ method, name }) =>
        declared.has(method) || !isOfOtherConnection(context, name),
    );
  const groups = groupsOf(all, ({ method }) => method);
  return [...groups.values()].map((duplicates) => choose(context, duplicates));
}

function candidate(
  context: DeriveContext,
  declaration: Declaration,
): Candidate[] {
  if (declaration.kind === "constant") return [];
  if (facts.unions.some(({ union }) => union === declaration.name)) return [];
  // An alias of one name does not declare another message.
  if (referenceIn(declaration.schema) !== null) return [];
  const flat = flatten(context.declarations, declaration.name);
  const method = flat === null ? null : methodOf(context, flat);
  return flat === null || method === null
    ? []
    : [{ name: declaration.name, method, flat, declaration }];
}

/**
 * True for a declaration that an extension adds and that extends no message of
 * the revision: it may describe a message of another connection, such as one
 * between a host and a web page.
 */
function isOfOtherConnection(
  { added, declarations }: DeriveContext,
  name: string,
): boolean {
  const ancestors = ancestorsOf(declarations, name);
  return (
    added.has(name) &&
    !ancestors.has(facts.names.request) &&
    !ancestors.has(facts.names.notification)
  );
}

/**
 * The names of the types that a declaration extends, directly or through
 * others, including itself.
 */
function ancestorsOf(declarations: Index, name: string): ReadonlySet<string> {
  return reachable([name], (current) => {
    const { bases = [], schema = anything } = declarations.get(current) ?? {};
    const parts = onlyOf(schema.checks, "all")?.schemas ?? [schema];
    return [
      ...bases.map((base) => base.name),
      ...parts.flatMap((part) => referenceIn(part) ?? []),
    ];
  });
}

/**
 * The literal of the required member `method`; null when there is none, as on
 * `Request` itself.
 */
export function methodOf(context: DeriveContext, flat: Flat): string | null {
  const member = propertyOf(flat, "method");
  if (member === undefined || member.optional) return null;
  const value = constantIn(resolve(context.declarations, member.schema));
  return typeof value === "string" ? value : null;
}

/**
 * Of declarations with the same method, returns the one that writes the literal
 * itself. Reports more than one such declaration.
 */
function choose(
  context: DeriveContext,
  duplicates: readonly [Candidate, ...Candidate[]],
): Candidate {
  const [first] = duplicates;
  if (duplicates.length === 1) return first;
  const writers = duplicates.filter(
    ({ name, flat }) => propertyOf(flat, "method")?.declaredBy === name,
  );
  const choice = writers[0] ?? first;
  if (writers.length > 1) {
    const names = writers.map(({ name }) => name).join(" and ");
    context.scope.error(
      "MG401",
      context.locationOf(writers[1]?.name ?? choice.name),
      `the method "${choice.method}" is declared by ${names}`,
      "give each message a method of its own",
    );
  }
  return choice;
}

export function isDeprecated({ schema }: Declaration): boolean {
  return tagOf(schema.doc, "deprecated") !== null;
}
