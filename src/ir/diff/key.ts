import type { Type } from "../model.js";

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
