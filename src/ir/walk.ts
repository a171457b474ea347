import type { Declaration, Property, Type } from "./model.js";

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
  switch (type.kind) {
    case "array":
      return [type.element];
    case "record":
      return [type.member];
    case "object":
      return [
        ...type.properties.map((property) => property.type),
        ...(type.rest === null ? [] : [type.rest]),
      ];
    case "union":
    case "intersection":
      return [...type.members];
    case "unknown":
    case "never":
    case "boolean":
    case "number":
    case "string":
    case "literal":
    case "reference":
      return [];
    default:
      return type satisfies never;
  }
}

/** A copy of the type with each part changed, the innermost first. */
export function mapType(type: Type, change: (type: Type) => Type): Type {
  const inner = (part: Type): Type => mapType(part, change);
  switch (type.kind) {
    case "array":
      return change({ ...type, element: inner(type.element) });
    case "record":
      return change({ ...type, member: inner(type.member) });
    case "object":
      return change({
        ...type,
        properties: type.properties.map((property) => ({ ...property, type: inner(property.type) })),
        rest: type.rest === null ? null : inner(type.rest),
      });
    case "union":
    case "intersection":
      return change({ ...type, members: type.members.map(inner) });
    case "unknown":
    case "never":
    case "boolean":
    case "number":
    case "string":
    case "literal":
    case "reference":
      return change(type);
    default:
      return type satisfies never;
  }
}

/** The types directly inside a declaration. */
export function typesOf(declaration: Declaration): Type[] {
  if (declaration.kind === "alias") return [declaration.type];
  if (declaration.kind === "constant") return [];
  const own = declaration.properties.map((property: Property) => property.type);
  return declaration.rest === null ? own : [...own, declaration.rest];
}
