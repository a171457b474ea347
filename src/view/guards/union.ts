import { flattenType } from "../../ir/flatten.js";
import { type Index, resolve } from "../../ir/lookup.js";
import type { Type } from "../../ir/model.js";
import { reached } from "../../ir/reach.js";

/** The arms of a union with aliases of unions opened, in order, each once. */
export function openArms(declarations: Index, members: readonly Type[]): Type[] {
  const arms: Type[] = [];
  const seen = new Set<string>();
  const visit = (type: Type): void => {
    const target = resolve(declarations, type);
    if (target.kind === "union" && !(type.kind === "reference" && seen.has(type.name))) {
      if (type.kind === "reference") seen.add(type.name);
      target.members.forEach(visit);
    } else if (!arms.some((arm) => JSON.stringify(arm) === JSON.stringify(type))) {
      arms.push(type);
    }
  };
  members.forEach(visit);
  return arms;
}

/** A member whose value tells which arms can hold. */
export interface Tag {
  readonly member: string;
  /** The arms of each value, in order; undefined stands for an absent member. */
  readonly cases: readonly {
    readonly value: string | number | boolean | null | undefined;
    readonly arms: readonly Type[];
  }[];
}

/**
 * Finds the member that best tells object arms apart: every arm must declare it with literals alone, so that switching on
 * it decides exactly what trying the arms one by one would. Null when no member splits them.
 */
export function findTag(declarations: Index, arms: readonly Type[]): Tag | null {
  const first = arms[0] === undefined ? null : flattenType(declarations, arms[0]);
  if (first === null || arms.length < 2) return null;
  let best: Tag | null = null;
  for (const { name } of first.properties) {
    const tag = tagOn(declarations, arms, name);
    if (tag !== null && tag.cases.length > (best?.cases.length ?? 1)) best = tag;
  }
  return best;
}

function tagOn(declarations: Index, arms: readonly Type[], member: string): Tag | null {
  const cases = new Map<string | number | boolean | null | undefined, Type[]>();
  for (const arm of arms) {
    const property = flattenType(declarations, arm)?.properties.find(({ name }) => name === member);
    const values = property === undefined ? null : literalsOf(declarations, property.type);
    if (property === undefined || values === null) return null;
    for (const value of property.optional ? [...values, undefined] : values) {
      const list = cases.get(value) ?? [];
      if (!list.includes(arm)) list.push(arm);
      cases.set(value, list);
    }
  }
  return { member, cases: [...cases].map(([value, list]) => ({ value, arms: list })) };
}

function literalsOf(declarations: Index, type: Type): (string | number | boolean | null)[] | null {
  const target = resolve(declarations, type);
  if (target.kind === "literal") return [target.value];
  if (target.kind !== "union") return null;
  const values = openArms(declarations, target.members).map((arm) => resolve(declarations, arm));
  return values.every((value) => value.kind === "literal") ? values.map((value) => value.value) : null;
}

/** Names of declarations that reach themselves: their guards must not recurse on the depth of what they check. */
export function recursiveNames(declarations: Index): ReadonlySet<string> {
  const edges = new Map([...declarations].map(([name]) => [name, references(declarations, name)]));
  const leads = (name: string): Iterable<string> => edges.get(name) ?? [];
  return new Set([...edges.keys()].filter((name) => reached(name, leads).has(name)));
}

/** The names a guard of the declaration may call: flattened, since a base's members are checked in place. */
function references(declarations: Index, name: string): Set<string> {
  const found = new Set<string>();
  const flat = flattenType(declarations, { kind: "reference", name });
  const declaration = declarations.get(name);
  const open: Type[] = [];
  if (flat !== null) {
    for (const { type } of flat.properties) open.push(type);
    if (flat.rest !== null) open.push(flat.rest);
  } else if (declaration?.kind === "alias") open.push(declaration.type);
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "reference") found.add(type.name);
    else if (type.kind === "array") open.push(type.element);
    else if (type.kind === "record") open.push(type.member);
    else if (type.kind === "union" || type.kind === "intersection")
      for (const each of type.members) open.push(each);
    else if (type.kind === "object") {
      for (const property of type.properties) open.push(property.type);
      if (type.rest !== null) open.push(type.rest);
    }
  }
  return found;
}
