import type { Type } from "../../../ir/model.js";

/**
 * A union in normal form: nothing nested, nothing twice, none of one member. `"a" | string` is an open enumeration: a
 * string that knows its named values.
 */
export function union(members: readonly Type[]): Type {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]));
  if (flat.some((member) => member.kind === "unknown")) return { kind: "unknown" };
  const open = flat.find((member) => member.kind === "string");
  const known = flat.flatMap((member) =>
    member.kind === "literal" && typeof member.value === "string" ? [member.value] : [],
  );
  const wide: Type | null =
    open === undefined ? null : { ...open, known: [...new Set([...open.known, ...known])] };
  const kept: Type[] = [];
  const seen = new Set<string>();
  for (const member of flat) {
    const named = member.kind === "string" || (member.kind === "literal" && typeof member.value === "string");
    const entry = wide !== null && named ? wide : member;
    const key = JSON.stringify(entry);
    if (seen.has(key)) continue;
    seen.add(key);
    kept.push(entry);
  }
  const [only] = kept;
  return kept.length === 1 && only !== undefined ? only : { kind: "union", members: kept };
}

/** An intersection in normal form: nothing nested, and a map written as an object with a rest. */
export function intersection(members: readonly Type[]): Type {
  const flat = members.flatMap((member) => (member.kind === "intersection" ? member.members : [member]));
  const objects = flat.map((member): Type =>
    member.kind === "record" ? { kind: "object", properties: [], rest: member.member } : member,
  );
  const [only] = objects;
  return objects.length === 1 && only !== undefined ? only : { kind: "intersection", members: objects };
}
