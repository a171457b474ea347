import type { Index } from "../lookup.js";
import type { Type } from "../model.js";
import type { Delta } from "./variance.js";

/** Two protocols under comparison. The older one already uses the names of the newer one. */
export interface Pair {
  readonly before: Index;
  readonly after: Index;
  /**
   * The differences of pairs of objects with different names, so that no pair is compared twice; null while the
   * comparison runs.
   */
  readonly compared: Map<string, readonly Delta[] | null>;
}

/** A text that is equal for equal types. Members are sorted, because their order has no meaning on the wire. */
export function keyOf(type: Type): string {
  return JSON.stringify(sorted(type));
}

function sorted(type: Type): Type {
  switch (type.kind) {
    case "array":
      return { ...type, element: sorted(type.element) };
    case "record":
      return { ...type, member: sorted(type.member) };
    case "object": {
      const properties = type.properties.map((property) => ({ ...property, type: sorted(property.type) }));
      return { ...type, properties: byKey(properties), rest: type.rest === null ? null : sorted(type.rest) };
    }
    case "union":
    case "intersection":
      return { ...type, members: byKey(type.members.map(sorted)) };
    case "string":
      return { ...type, known: [...type.known].sort() };
    case "unknown":
    case "never":
    case "boolean":
    case "number":
    case "literal":
    case "reference":
      return type;
    default:
      return type satisfies never;
  }
}

function byKey<T>(values: readonly T[]): T[] {
  const keyed = values.map((value): [string, T] => [JSON.stringify(value), value]);
  return keyed.sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, value]) => value);
}

/**
 * The alternatives of a type: the members of a union, with aliases expanded. Names in `shared` are not expanded,
 * because both protocols declare them and they are compared on their own.
 */
export function alternativesOf(declarations: Index, type: Type, shared: ReadonlySet<string>): Type[] {
  const alternatives: Type[] = [];
  const visited = new Set<string>();
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // In reverse, because `pop` takes the last one first.
    if (next.kind === "union") for (const member of [...next.members].reverse()) pending.push(member);
    else if (next.kind !== "reference" || shared.has(next.name)) alternatives.push(next);
    else {
      const declaration = declarations.get(next.name);
      if (declaration?.kind !== "alias" || isObject(declaration.type)) alternatives.push(next);
      else if (!visited.has(next.name)) {
        visited.add(next.name);
        pending.unshift(declaration.type);
      }
    }
  }
  return alternatives;
}

/** The names of a type's alternatives, including the aliases that lead to them. */
export function namesOf(declarations: Index, type: Type): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === "union") for (const each of next.members) pending.push(each);
    if (next.kind !== "reference" || names.has(next.name)) continue;
    names.add(next.name);
    const declaration = declarations.get(next.name);
    if (declaration?.kind === "alias") pending.push(declaration.type);
  }
  return names;
}

function isObject(type: Type): boolean {
  return type.kind === "object" || type.kind === "record" || type.kind === "intersection";
}

/**
 * True if a type accepts every JSON value. A circular reference counts as accepting, because `JSONValue` is declared
 * with one.
 */
export function acceptsAnything(declarations: Index, type: Type): boolean {
  const visited = new Set<string>();
  const anything = (candidate: Type): boolean => {
    if (candidate.kind === "unknown") return true;
    if (candidate.kind === "reference" && visited.has(candidate.name)) return true;
    if (candidate.kind === "reference") visited.add(candidate.name);
    if (candidate.kind !== "reference" && candidate.kind !== "union") return false;
    const members = alternativesOf(declarations, candidate, new Set());
    const some = (holds: (member: Type) => boolean): boolean => members.some(holds);
    return (
      some((member) => member.kind === "unknown") ||
      (some((member) => member.kind === "string") &&
        some((member) => member.kind === "boolean") &&
        some((member) => member.kind === "literal" && member.value === null) &&
        some(
          (member) =>
            member.kind === "number" && !member.integer && member.minimum === null && member.maximum === null,
        ) &&
        some((member) => member.kind === "array" && member.maxItems === null && anything(member.element)) &&
        some((member) => isAnyObject(declarations, member, anything)))
    );
  };
  return anything(type);
}

function isAnyObject(declarations: Index, type: Type, anything: (type: Type) => boolean): boolean {
  if (type.kind === "record") return anything(type.member);
  if (type.kind === "object")
    return type.properties.length === 0 && (type.rest === null || anything(type.rest));
  const declaration = type.kind === "reference" ? declarations.get(type.name) : undefined;
  return (
    declaration?.kind === "alias" &&
    isObject(declaration.type) &&
    isAnyObject(declarations, declaration.type, anything)
  );
}
