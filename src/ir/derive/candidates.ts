import * as facts from "../facts.js";
import { flatten, type Flat } from "../flatten.js";
import { resolve, tagOf } from "../lookup.js";
import type { Declaration } from "../model.js";
import type { Deriving } from "./deriving.js";

/** A declaration whose `method` is one string: a request or a notification. */
export interface Candidate {
  readonly name: string;
  readonly method: string;
  readonly flat: Flat;
  readonly declaration: Declaration;
}

/** Every declaration that carries a wire method, in source order, one for each method. */
export function candidates(deriving: Deriving): Candidate[] {
  const all = [...deriving.declarations.values()].flatMap((declaration) => candidate(deriving, declaration));
  const byMethod = new Map<string, Candidate[]>();
  for (const entry of all) {
    const rivals = byMethod.get(entry.method);
    if (rivals === undefined) byMethod.set(entry.method, [entry]);
    else rivals.push(entry);
  }
  return [...byMethod.values()].flatMap((rivals) => choose(deriving, rivals));
}

function candidate(deriving: Deriving, declaration: Declaration): Candidate[] {
  if (declaration.kind === "constant") return [];
  if (facts.unions.some(({ union }) => union === declaration.name)) return [];
  // A bare synonym is a second name, not a second message.
  if (declaration.kind === "alias" && declaration.type.kind === "reference") return [];
  const flat = flatten(deriving.declarations, declaration.name);
  const method = flat === null ? null : methodOf(deriving, flat);
  return flat === null || method === null ? [] : [{ name: declaration.name, method, flat, declaration }];
}

/** The literal of the required member `method`; null when there is none, as on `Request` itself. */
export function methodOf(deriving: Deriving, flat: Flat): string | null {
  const member = flat.properties.find(({ name }) => name === "method");
  if (member === undefined || member.optional) return null;
  const type = resolve(deriving.declarations, member.type);
  return type.kind === "literal" && typeof type.value === "string" ? type.value : null;
}

/** Two declarations with one method: the one that writes the literal itself, and a report. */
function choose(deriving: Deriving, rivals: readonly Candidate[]): Candidate[] {
  const [first] = rivals;
  if (first === undefined) return [];
  if (rivals.length === 1) return [first];
  const writers = rivals.filter(({ name, flat }) =>
    flat.properties.some((entry) => entry.name === "method" && entry.declaredBy === name),
  );
  const chosen = writers[0] ?? first;
  if (writers.length > 1) {
    const names = writers.map(({ name }) => name).join(" and ");
    deriving.scope.error(
      "MG401",
      deriving.placeOf(writers[1]?.name ?? chosen.name),
      `the method "${chosen.method}" is declared by ${names}`,
      "give each message a method of its own",
    );
  }
  return [chosen];
}

export function isDeprecated({ doc }: Declaration): boolean {
  return tagOf(doc, "deprecated") !== null;
}
