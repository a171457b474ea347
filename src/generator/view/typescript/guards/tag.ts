import type { Schema } from "../../../ir/constraint.js";
import type { Definitions } from "../../../ir/constraint/accepts.js";
import {
  isScalar,
  onlyOf,
  propertiesIn,
  type Property,
  type Scalar,
  valuesOf,
} from "../../../ir/constraint/form.js";
import { kindsOf, targetOf } from "./inspect.js";

/** A member whose value selects the alternatives that can accept an object. */
export interface Tag {
  readonly member: string;
  /**
   * The alternatives of each value, in order; undefined is the value of an
   * absent member.
   */
  readonly cases: readonly {
    readonly value: Scalar | undefined;
    readonly arms: readonly Schema[];
  }[];
}

/**
 * Finds the member that best distinguishes alternatives that are all objects.
 * Each alternative must list the values of the member, so that a `switch`
 * accepts exactly the values that one of the alternatives accepts. Each value
 * must exclude at least one alternative, so that each `switch` in another one
 * has fewer alternatives. Null if there is none.
 */
export function findTag(
  definitions: Definitions,
  arms: readonly Schema[],
): Tag | null {
  if (arms.length < 2) return null;
  const objects = arms.map((arm) => {
    const properties = propertiesIn(targetOf(definitions, arm));
    return {
      arm,
      members: new Map(properties.map((property) => [property.name, property])),
    };
  });
  let best: Tag | null = null;
  for (const member of objects[0]?.members.keys() ?? []) {
    const tag = tagOn(definitions, objects, member);
    const excludes =
      tag?.cases.every((entry) => entry.arms.length < arms.length) ?? false;
    if (
      tag !== null &&
      excludes &&
      tag.cases.length > (best?.cases.length ?? 1)
    )
      best = tag;
  }
  return best;
}

function tagOn(
  definitions: Definitions,
  objects: readonly {
    readonly arm: Schema;
    readonly members: ReadonlyMap<string, Property>;
  }[],
  member: string,
): Tag | null {
  const cases = new Map<Scalar | undefined, Schema[]>();
  for (const { arm, members } of objects) {
    const entry = members.get(member);
    const values =
      entry === undefined ? null : literalsOf(definitions, entry.schema);
    if (entry === undefined || values === null) return null;
    for (const value of entry.optional ? [...values, undefined] : values) {
      const list = cases.get(value) ?? [];
      if (!list.includes(arm)) list.push(arm);
      cases.set(value, list);
    }
  }
  return {
    member,
    cases: [...cases].map(([value, list]) => ({ value, arms: list })),
  };
}

/**
 * The scalars in a schema's list of values; null if it accepts other values.
 */
function literalsOf(
  definitions: Definitions,
  schema: Schema,
): readonly Scalar[] | null {
  const target = targetOf(definitions, schema);
  const values = valuesOf(target.checks);
  if (values !== null) return values.every(isScalar) ? values : null;
  const arms = onlyOf(target.checks, "any")?.schemas ?? [];
  const lists = arms.map((arm) => literalsOf(definitions, arm));
  return lists.length > 0 && lists.every((list) => list !== null)
    ? lists.flat()
    : null;
}

/**
 * True if the types, listed values and tags of the schemas show that no value
 * matches two of them.
 */
export function areDisjoint(
  definitions: Definitions,
  schemas: readonly Schema[],
): boolean {
  const kindsBySchema = schemas.map((schema) => {
    const { checks } = targetOf(definitions, schema);
    return { schema, kinds: kindsOf(checks), values: valuesOf(checks) };
  });
  return [...new Set(kindsBySchema.flatMap(({ kinds }) => [...kinds]))].every(
    (kind) => {
      const candidates = kindsBySchema.filter(({ kinds }) => kinds.has(kind));
      if (candidates.length < 2) return true;
      const lists = candidates.map(({ values }) => values);
      if (
        kind !== "object" &&
        kind !== "array" &&
        lists.every((list) => list !== null)
      ) {
        return new Set(lists.flat()).size === lists.flat().length;
      }
      if (kind !== "object" || lists.some((list) => list !== null))
        return false;
      const tag = findTag(
        definitions,
        candidates.map(({ schema }) => schema),
      );
      return tag?.cases.every(({ arms }) => arms.length === 1) ?? false;
    },
  );
}
