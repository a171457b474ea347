import { ofKind, type Check, type CheckOf, type Sized, type TypeName } from "../constraint.js";

/**
 * The type of the value to make: one that all checks allow, null only as a last resort. Without a type, the one that the
 * checks imply.
 */
export function typeOf(checks: readonly Check[]): TypeName {
  const lists = ofKind(checks, "type").map(({ types }) => types);
  const [type] = (lists[0] ?? []).filter((one) => lists.every((list) => list.includes(one))).sort(nullLast);
  return type ?? impliedType(checks);
}

function nullLast(a: TypeName, b: TypeName): number {
  return Number(a === "null") - Number(b === "null");
}

/** The type that checks such as a length or a range apply to. */
function impliedType(checks: readonly Check[]): TypeName {
  const has = (...kinds: readonly string[]): boolean => checks.some(({ kind }) => kinds.includes(kind));
  if (has("members", "required", "names", "dependent")) return "object";
  if (has("items", "unique", "contains")) return "array";
  if (has("bound", "multiple")) return "number";
  const [size] = ofKind(checks, "size");
  return size?.of ?? "string";
}

/** The size limits of strings, arrays or objects. */
export function sizesOf(checks: readonly Check[], what: Sized): CheckOf<"size">[] {
  return ofKind(checks, "size").filter(({ of }) => of === what);
}
