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
  const all = [...context.declarations.values()].flatMap((declaration) =>
    candidate(context, declaration),
  );
  const others = ofOtherConnections(context, all, declared);
  const groups = groupsOf(
    all.filter((entry) => !others.has(entry)),
    ({ method }) => method,
  );
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
 * The candidates that no union declares and that extend no message, unlike
 * those that unions declare: messages of another connection, such as one
 * between a host and a web page. A note names those of the revision itself.
 */
function ofOtherConnections(
  { added, declarations, scope, locationOf }: DeriveContext,
  all: readonly Candidate[],
  declared: ReadonlyMap<string, unknown>,
): ReadonlySet<Candidate> {
  const extendsMessage = ({ name }: Candidate): boolean => {
    const ancestors = ancestorsOf(declarations, name);
    return (
      ancestors.has(facts.names.request) ||
      ancestors.has(facts.names.notification)
    );
  };
  const isDeclared = ({ method }: Candidate): boolean => declared.has(method);
  const hasBases = all.some(
    (entry) => isDeclared(entry) && extendsMessage(entry),
  );
  const others = all.filter(
    (entry) =>
      (hasBases || added.has(entry.name)) &&
      !isDeclared(entry) &&
      !extendsMessage(entry),
  );
  const names = others.flatMap(({ name }) => (added.has(name) ? [] : [name]));
  if (names.length > 0)
    scope.note(
      "MG402",
      locationOf(names[0] ?? ""),
      `types in no union of messages that extend neither ${facts.names.request} nor ${facts.names.notification} are taken for messages of another connection: ${listed(names)}`,
      "list each message of this protocol in a union such as ClientRequest",
    );
  return new Set(others);
}

/** The maximum number of names in a message. */
const maxShown = 8;

const listed = (names: readonly string[]): string =>
  [
    ...names.slice(0, maxShown),
    ...(names.length > maxShown ? [`${names.length - maxShown} more`] : []),
  ].join(", ");

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
export function methodOf(
  context: Pick<DeriveContext, "declarations">,
  flat: Flat,
): string | null {
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
