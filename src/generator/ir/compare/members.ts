import type { Delta } from "../change/model.js";
import { anything, ofKind, type CheckOf, type Schema } from "../constraint.js";
import { requiredIn, type Property } from "../constraint/form.js";
import {
  type SchemaSet,
  type Whole,
  type Phrased,
  step,
  under,
} from "./model.js";
import { acceptsAnything, partsOf, targetOf, type Parts } from "./parts.js";

/**
 * Compares the schemas of a part of two values. `whole` is a schema of which
 * one of them is a part.
 */
export type CompareInner = (
  before: Schema,
  after: Schema,
  whole?: Whole | null,
) => Delta[];

/**
 * The differences between the members of two objects: their names, types, and
 * whether they are required.
 */
export function compareMembers(
  sides: Phrased,
  old: Parts,
  fresh: Parts,
  compare: CompareInner,
): Delta[] {
  const { phrases, before, after } = sides;
  const [oldMembers, newMembers] = [
    membersOf(before, old),
    membersOf(after, fresh),
  ];
  const isClosed = {
    before: isNever(before, restOf(old)),
    after: isNever(after, restOf(fresh)),
  };
  const deltas: Delta[] = [];
  for (const name of new Set([...oldMembers.keys(), ...newMembers.keys()])) {
    const [one, other] = [oldMembers.get(name), newMembers.get(name)];
    const path = step(name);
    const texts = (): { before: string | null; after: string | null } => ({
      before: one === undefined ? null : phrases.member(before, one),
      after: other === undefined ? null : phrases.member(after, other),
    });
    if (one === undefined || other === undefined) {
      const isRequired = (one ?? other)?.optional === false;
      deltas.push({
        ...presenceChange(isRequired, one === undefined, isClosed),
        path,
        ...texts(),
      });
      // On the other side, the rule for all other members applies to it.
      const [oldRule, newRule] = [
        one?.schema ?? ruleOf(before, old),
        other?.schema ?? ruleOf(after, fresh),
      ];
      if (oldRule !== null && newRule !== null)
        for (const each of under(path, compare(oldRule, newRule)))
          deltas.push(each);
      continue;
    }
    if (one.optional !== other.optional) {
      const change = other.optional
        ? "member-made-optional"
        : "member-made-required";
      const own = texts();
      deltas.push({
        change,
        path,
        ...(own.before === own.after ? { before: null, after: null } : own),
      });
    }
    for (const each of under(path, compare(one.schema, other.schema)))
      deltas.push(each);
  }
  return [
    ...deltas,
    ...compareRest(sides, restOf(old), restOf(fresh), compare),
  ];
}

/**
 * A closed object allows only the members that it lists, so that one more or
 * less changes which values it accepts.
 */
function presenceChange(
  isRequired: boolean,
  isAdded: boolean,
  isClosed: { readonly before: boolean; readonly after: boolean },
): Pick<Delta, "change" | "shift"> {
  if (isAdded) {
    if (isRequired)
      return {
        change: "required-member-added",
        ...(isClosed.before ? { shift: "other" } : {}),
      };
    return {
      change: "optional-member-added",
      ...(isClosed.before ? { shift: "wider" } : {}),
    };
  }
  if (isRequired)
    return {
      change: "required-member-removed",
      ...(isClosed.after ? { shift: "other" } : {}),
    };
  return {
    change: "optional-member-removed",
    ...(isClosed.after ? { shift: "narrower" } : {}),
  };
}

function membersOf(
  side: SchemaSet,
  parts: Parts,
): ReadonlyMap<string, Property> {
  const required = requiredIn(parts.checks);
  const schemas = new Map<string, Map<Schema, Schema>>(
    [...required].map((name) => [name, new Map()]),
  );
  for (const { properties } of ofKind(parts.checks, "members")) {
    for (const { name, schema } of properties) {
      const own = schemas.get(name) ?? new Map<Schema, Schema>();
      // Two references to one schema are one condition.
      const [only, ...others] = schema.checks;
      const target =
        only === undefined || others.length > 0 ? null : targetOf(side, only);
      schemas.set(name, own.set(target ?? schema, schema));
    }
  }
  return new Map(
    [...schemas].map(([name, own]) => [
      name,
      { name, optional: !required.has(name), schema: all([...own.values()]) },
    ]),
  );
}

function all(schemas: readonly Schema[]): Schema {
  const [only = anything, ...others] = schemas;
  return others.length === 0
    ? only
    : { doc: anything.doc, checks: [{ kind: "all", schemas }] };
}

/**
 * The schema of other members, if it restricts them; null if it accepts
 * anything or nothing.
 */
function ruleOf(side: SchemaSet, parts: Parts): Schema | null {
  const rest = restOf(parts);
  return rest === null || isNever(side, rest) || acceptsAnything(side, rest)
    ? null
    : rest;
}

/** The schema of all other members; null if any are allowed. */
function restOf(parts: Parts): Schema | null {
  const rests = ofKind(parts.checks, "members").flatMap(({ rest }) =>
    rest === null ? [] : [rest],
  );
  return rests.length === 0 ? null : all(rests);
}

function isNever(side: SchemaSet, schema: Schema | null): boolean {
  return (
    schema !== null &&
    partsOf(side, schema).checks.some(({ kind }) => kind === "never")
  );
}

function compareRest(
  { phrases, before, after }: Phrased,
  old: Schema | null,
  fresh: Schema | null,
  compare: CompareInner,
): Delta[] {
  const [wasClosed, isClosed] = [isNever(before, old), isNever(after, fresh)];
  if (wasClosed || isClosed) {
    if (wasClosed && isClosed) return [];
    const change = isClosed ? "other-members-refused" : "other-members-allowed";
    return [{ change, path: "", before: null, after: null }];
  }
  const isAny =
    acceptsAnything(before, old ?? anything) &&
    acceptsAnything(after, fresh ?? anything);
  if (isAny && (old === null) !== (fresh === null)) {
    const text = (side: SchemaSet, schema: Schema | null): string | null =>
      schema && phrases.schema(side, schema);
    return [
      {
        change: "openness-changed",
        path: "{}",
        before: text(before, old),
        after: text(after, fresh),
      },
    ];
  }
  return under("{}", compare(old ?? anything, fresh ?? anything));
}

/**
 * The differences between the items of two arrays: the first ones by position,
 * then the rest.
 */
export function compareItems(
  old: Parts,
  fresh: Parts,
  compare: CompareInner,
): Delta[] {
  const length = Math.max(
    ...[old, fresh].flatMap(itemsIn).map(({ first }) => first.length),
    0,
  );
  const deltas = Array.from({ length }, (_, i) =>
    under(`[${i}]`, compare(itemAt(old, i), itemAt(fresh, i))),
  ).flat();
  return [
    ...deltas,
    ...under("[]", compare(itemAt(old, null), itemAt(fresh, null))),
  ];
}

function itemsIn({ checks }: Parts): CheckOf<"items">[] {
  return ofKind(checks, "items");
}

/**
 * The schema of the item at a position, or of the items after all listed ones;
 * every list of items restricts it.
 */
function itemAt(parts: Parts, position: number | null): Schema {
  const schemas = itemsIn(parts).flatMap(({ first, rest }) => {
    const schema = (position === null ? null : first[position]) ?? rest;
    return schema === null || schema === anything ? [] : [schema];
  });
  return all(schemas);
}
