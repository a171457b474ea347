import type { Type } from "../model.js";
import { partsOf } from "../walk.js";

/** Compares by UTF-16 code units, independent of any locale. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A union of projected members: flat, sorted, without duplicates and without members that another member covers. */
export function canonicalUnion(members: readonly Type[]): Type {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]));
  if (flat.some(({ kind }) => kind === "unknown")) return { kind: "unknown" };
  const distinct = new Map(flat.map((member) => [JSON.stringify(member), member]));
  const holds = (value: boolean): boolean =>
    flat.some((member) => member.kind === "literal" && member.value === value);
  if (holds(true) && holds(false)) distinct.set(JSON.stringify(boolean), boolean);
  const all = [...distinct];
  const wide = all.filter(([, { kind }]) => kind === "boolean" || kind === "string" || kind === "number");
  const rest = all.filter(([, member]) => !wide.some(([, other]) => covers(other, member)));
  const [only] = rest;
  if (rest.length === 1 && only !== undefined) return only[1];
  return { kind: "union", members: rest.sort(([a], [b]) => byText(a, b)).map(([, member]) => member) };
}

const boolean: Type = { kind: "boolean" };

/** True if a type without constraints makes a literal in the same union redundant. */
function covers(wide: Type, member: Type): boolean {
  if (member.kind !== "literal") return false;
  switch (wide.kind) {
    case "boolean":
    case "string":
      return typeof member.value === wide.kind;
    case "number":
      return (
        typeof member.value === "number" &&
        (!wide.integer || Number.isInteger(member.value)) &&
        (wide.minimum === null || member.value >= wide.minimum) &&
        (wide.maximum === null || member.value <= wide.maximum)
      );
    case "unknown":
    case "never":
    case "literal":
    case "array":
    case "record":
    case "object":
    case "union":
    case "intersection":
    case "reference":
      return false;
    default:
      return wide satisfies never;
  }
}

/** The number of types in a type, including itself; stops counting at the limit. */
export function sizeOf(type: Type, limit: number): number {
  let size = 1;
  for (const part of partsOf(type)) {
    if (size >= limit) return limit;
    size += sizeOf(part, limit - size);
  }
  return size;
}
