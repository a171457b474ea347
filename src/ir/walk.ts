import type { Declaration, Property, Type } from "./model.js";

/**
 * The types of these kinds. A switch over some kinds ends with `satisfies TypeOf<…>` for all others, so that the compiler finds each
 * switch when a kind is added.
 */
export type TypeOf<K extends Type["kind"]> = Extract<Type, { readonly kind: K }>;

/** Types without a type inside. */
export type LeafKind = "unknown" | "never" | "boolean" | "number" | "string" | "literal" | "reference";

/** The maximum nesting of a type; the protocol's own types have at most five levels. Functions that walk a type recurse. */
export const maxTypeDepth = 50;

/** Calls `visit` for a type and everything inside it, outermost first. Stops below types that nest too deep. */
export function eachType(type: Type, visit: (type: Type, depth: number) => void): void {
  const open: [Type, number][] = [[type, 0]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [current, depth] = entry;
    visit(current, depth);
    if (depth > maxTypeDepth) continue;
    for (const inner of partsOf(current).reverse()) open.push([inner, depth + 1]);
  }
}

/** The types directly inside a type. */
export function partsOf(type: Type): Type[] {
  const parts: Type[] = [];
  withParts(type, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
}

/** A copy of the type with each part changed, the innermost first. */
export function mapType(type: Type, change: (type: Type) => Type): Type {
  return change(withParts(type, (part) => mapType(part, change)));
}

/** A copy of the type with each type directly inside it replaced by the result of the function. */
function withParts(type: Type, replace: (part: Type) => Type): Type {
  switch (type.kind) {
    case "array":
      return { ...type, element: replace(type.element) };
    case "record":
      return { ...type, member: replace(type.member) };
    case "object":
      return {
        ...type,
        properties: type.properties.map((property) => ({ ...property, type: replace(property.type) })),
        rest: type.rest === null ? null : replace(type.rest),
      };
    case "union":
    case "intersection":
      return { ...type, members: type.members.map(replace) };
    default:
      void (type satisfies TypeOf<LeafKind>);
      return type;
  }
}

/** The types directly inside a declaration. */
export function typesOf(declaration: Declaration): Type[] {
  if (declaration.kind === "alias") return [declaration.type];
  if (declaration.kind === "constant") return [];
  const own = declaration.properties.map((property: Property) => property.type);
  return declaration.rest === null ? own : [...own, declaration.rest];
}

/** Every name that can be reached from a name; includes the name itself only if it is part of a cycle. */
export function reachableFrom(from: string, next: (name: string) => Iterable<string>): Set<string> {
  return reachable(next(from), next);
}

/** These names and every name that can be reached from them. */
export function reachable(start: Iterable<string>, next: (name: string) => Iterable<string>): Set<string> {
  const names = new Set<string>();
  const open = [...start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    for (const each of next(name)) open.push(each);
  }
  return names;
}
