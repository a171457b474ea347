import * as facts from "../facts.js";
import { flatten, type Flat } from "../flatten.js";
import { resolve, tagOf } from "../lookup.js";
import type { Declaration } from "../model.js";
import { ancestorsOf } from "./ancestors.js";
import type { Deriving } from "./deriving.js";

/** A declaration with a literal `method`: a request or a notification. */
export interface Candidate {
  readonly name: string;
  readonly method: string;
  readonly flat: Flat;
  readonly declaration: Declaration;
}

/** One declaration for each wire method, in source order. `stated` has the methods of the unions of messages. */
export function candidates(deriving: Deriving, stated: ReadonlyMap<string, unknown>): Candidate[] {
  const all = [...deriving.declarations.values()]
    .flatMap((declaration) => candidate(deriving, declaration))
    .filter(({ method, name }) => stated.has(method) || !isCarriedElsewhere(deriving, name));
  const byMethod = new Map<string, Candidate[]>();
  for (const entry of all) {
    const duplicates = byMethod.get(entry.method);
    if (duplicates === undefined) byMethod.set(entry.method, [entry]);
    else duplicates.push(entry);
  }
  return [...byMethod.values()].flatMap((duplicates) => choose(deriving, duplicates));
}

function candidate(deriving: Deriving, declaration: Declaration): Candidate[] {
  if (declaration.kind === "constant") return [];
  if (facts.unions.some(({ union }) => union === declaration.name)) return [];
  // An alias of one name does not declare another message.
  if (declaration.kind === "alias" && declaration.type.kind === "reference") return [];
  const flat = flatten(deriving.declarations, declaration.name);
  const method = flat === null ? null : methodOf(deriving, flat);
  return flat === null || method === null ? [] : [{ name: declaration.name, method, flat, declaration }];
}

/**
 * True for a declaration that an extension adds and that extends no message of the revision: it may describe a message of another
 * connection, such as one between a host and a web page.
 */
function isCarriedElsewhere({ added, declarations }: Deriving, name: string): boolean {
  const ancestors = ancestorsOf(declarations, name);
  return added.has(name) && !ancestors.has(facts.names.request) && !ancestors.has(facts.names.notification);
}

/** The literal of the required member `method`; null when there is none, as on `Request` itself. */
export function methodOf(deriving: Deriving, flat: Flat): string | null {
  const member = flat.properties.find(({ name }) => name === "method");
  if (member === undefined || member.optional) return null;
  const type = resolve(deriving.declarations, member.type);
  return type.kind === "literal" && typeof type.value === "string" ? type.value : null;
}

/**
 * Of declarations with the same method, returns the one that writes the literal itself. Reports more than one such
 * declaration.
 */
function choose(deriving: Deriving, duplicates: readonly Candidate[]): Candidate[] {
  const [first] = duplicates;
  if (first === undefined) return [];
  if (duplicates.length === 1) return [first];
  const writers = duplicates.filter(({ name, flat }) =>
    flat.properties.some((entry) => entry.name === "method" && entry.declaredBy === name),
  );
  const choice = writers[0] ?? first;
  if (writers.length > 1) {
    const names = writers.map(({ name }) => name).join(" and ");
    deriving.scope.error(
      "MG401",
      deriving.locationOf(writers[1]?.name ?? choice.name),
      `the method "${choice.method}" is declared by ${names}`,
      "give each message a method of its own",
    );
  }
  return [choice];
}

export function isDeprecated({ doc }: Declaration): boolean {
  return tagOf(doc, "deprecated") !== null;
}
