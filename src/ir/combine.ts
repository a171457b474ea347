import type { Type } from "./model.js";

/**
 * A union in normal form: flat, without duplicates, never of one member. `"a" | string` becomes an open enumeration: a
 * string with known values.
 */
export function union(members: readonly Type[]): Type {
  const [first] = members;
  if (first !== undefined && members.length === 1) return first;
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]));
  if (flat.some((member) => member.kind === "unknown")) return { kind: "unknown" };
  const open = flat.find((member) => member.kind === "string");
  const values = flat.flatMap((member) =>
    member.kind === "literal" && typeof member.value === "string" ? [member.value] : [],
  );
  const wide: Type | null =
    open === undefined ? null : { ...open, known: [...new Set([...open.known, ...values])] };
  const entries: Type[] = [];
  const texts = new Set<string>();
  for (const member of flat) {
    const isString =
      member.kind === "string" || (member.kind === "literal" && typeof member.value === "string");
    const entry = wide !== null && isString ? wide : member;
    const key = JSON.stringify(entry);
    if (texts.has(key)) continue;
    texts.add(key);
    entries.push(entry);
  }
  const [only] = entries;
  return entries.length === 1 && only !== undefined ? only : { kind: "union", members: entries };
}

/** `(A | B) & C`: the union of all intersections of one type of each group. */
export function product(groups: readonly (readonly Type[])[]): Type {
  const combinations = groups.reduce<readonly (readonly Type[])[]>(
    (lists, group) => lists.flatMap((list) => group.map((type) => [...list, type])),
    [[]],
  );
  return union(combinations.map(intersection));
}

/** An intersection in normal form: flat, with a map written as an object with `rest`. */
export function intersection(members: readonly Type[]): Type {
  const flat = members.flatMap((member) => (member.kind === "intersection" ? member.members : [member]));
  const objects = flat.map((member): Type =>
    member.kind === "record" ? { kind: "object", properties: [], rest: member.member } : member,
  );
  const [only] = objects;
  return objects.length === 1 && only !== undefined ? only : { kind: "intersection", members: objects };
}
