import type { Protocol } from "./model.js";
import { armOf, protocolShape, shapeOf, type Shape } from "./shape.js";

/**
 * Serializes a protocol as JSON: the same bytes for the same content, members in the order of the IR's schema, a newline at
 * the end.
 */
export function serialize(protocol: Protocol): string {
  return `${JSON.stringify(canonical(protocol, protocolShape), null, 2)}\n`;
}

/** The value with every object's members in the order of its shape. */
function canonical(value: unknown, from: Shape): unknown {
  const shape = shapeOf(from);
  if (value === null || typeof value !== "object") return value;
  if (shape.anyOf !== undefined) {
    const [first] = shape.anyOf;
    return first === undefined ? value : canonical(value, first);
  }
  if (Array.isArray(value)) {
    const { items } = shape;
    return items === undefined ? value : value.map((item) => canonical(item, items));
  }
  const members = value as Readonly<Record<string, unknown>>;
  const arm = shape.oneOf === undefined ? shape : armOf(shape, members["kind"]);
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(arm?.properties ?? {})) {
    if (Object.hasOwn(members, name)) result[name] = canonical(members[name], inner);
  }
  return result;
}
