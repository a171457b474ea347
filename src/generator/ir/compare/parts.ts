import {
  ofKind,
  type Check,
  type CheckOf,
  type Note,
  type Schema,
  typeNames,
  type TypeName,
} from "../constraint.js";
import { ofValue, valuesOf } from "../constraint/form.js";
import { exact } from "../json.js";
import { isOf } from "../json/value.js";
import type { SchemaSet } from "./model.js";

/**
 * The conditions that apply together: those of a schema, of the targets of its
 * references, and of its `allOf`.
 */
export interface Parts {
  readonly schemas: readonly Schema[];
  readonly checks: readonly Check[];
  /** Conditions that are not checked. */
  readonly conditions: readonly Note[];
}

export function partsOf(side: SchemaSet, schema: Schema): Parts {
  const schemas = new Set<Schema>();
  const checks: Check[] = [];
  const open = [schema];
  for (const next of open) {
    if (schemas.has(next)) continue;
    schemas.add(next);
    for (const check of next.checks) {
      if (check.kind === "all")
        for (const each of check.schemas) open.push(each);
      else {
        const target = targetOf(side, check);
        if (target === null) checks.push(check);
        else open.push(target);
      }
    }
  }
  const notes = [...schemas].flatMap((each) => each.notes ?? []);
  return {
    schemas: [...schemas],
    checks,
    conditions: notes.filter(({ isCondition }) => isCondition),
  };
}

/** The target of a reference that is followed; null for any other check. */
export function targetOf(
  { definitions, shared }: SchemaSet,
  check: Check,
): Schema | null {
  if (check.kind !== "reference" || shared.has(check.key)) return null;
  return definitions.get(check.key)?.schema ?? null;
}

/** The types of the allowed values, apart from what unions exclude. */
export function typesOf(parts: Parts): ReadonlySet<TypeName> {
  const isNever = parts.checks.some(({ kind }) => kind === "never");
  const lists = ofKind(parts.checks, "type").map(({ types }) => types);
  const values = valuesOf(parts.checks);
  return new Set(
    typeNames.filter((name) => {
      if (
        isNever ||
        (values !== null && !values.some((value) => isOf(name, value)))
      )
        return false;
      return lists.every(
        (types) =>
          types.includes(name) ||
          (name === "integer" && types.includes("number")),
      );
    }),
  );
}

/** The same without the types that no alternative of a union allows. */
export function possibleTypes(
  side: SchemaSet,
  parts: Parts,
): ReadonlySet<TypeName> {
  const unions = unionsOf(parts).map(
    ({ schemas }) =>
      new Set(schemas.flatMap((each) => [...typesOf(partsOf(side, each))])),
  );
  const types = typesOf(parts);
  if (unions.length === 0) return types;
  return new Set(
    [...types].filter((type) => unions.every((union) => union.has(type))),
  );
}

export function isEveryType(types: ReadonlySet<TypeName>): boolean {
  return types.size === typeNames.length;
}

/** Types in TypeScript syntax. */
export function showTypes(types: ReadonlySet<TypeName>): string {
  if (isEveryType(types)) return "any";
  const names = [...types].filter(
    (type) => type !== "integer" || !types.has("number"),
  );
  return names.length === 0 ? "nothing" : names.join(" | ");
}

/** The members that have only one value, as JSON, by name. */
export function constantsOf(parts: Parts): ReadonlyMap<string, string> {
  const members = ofKind(parts.checks, "members").flatMap(
    ({ properties }) => properties,
  );
  return new Map(
    members.flatMap(({ name, schema: { checks } }) => {
      const [only, ...others] = checks.flatMap((check) =>
        check.kind === "values" ? check.values : [],
      );
      return only === undefined || others.length > 0
        ? []
        : [[name, exact(only)] as const];
    }),
  );
}

/** The unions that apply: the checks of `anyOf` and `oneOf`. */
export function unionsOf(
  parts: Parts,
): readonly (CheckOf<"any"> | CheckOf<"one">)[] {
  return [...ofKind(parts.checks, "any"), ...ofKind(parts.checks, "one")];
}

/**
 * The alternatives of a schema that is only a union; null for any other schema.
 * A list of constants may also have a type. Unions inside a union are expanded,
 * and so are lists of values.
 */
export function alternativesOf(
  side: SchemaSet,
  schema: Schema,
): readonly Schema[] | null {
  return expanded(side, schema, new Set());
}

/**
 * Adds the expanded unions to `visited`: a union that is reached twice adds no
 * alternatives.
 */
function expanded(
  side: SchemaSet,
  schema: Schema,
  visited: Set<Schema>,
): readonly Schema[] | null {
  const parts = partsOf(side, schema);
  const [union, ...others] = unionsOf(parts);
  if (union === undefined || others.length > 0 || parts.conditions.length > 0)
    return null;
  const types = ofKind(parts.checks, "type");
  if (types.length + 1 < parts.checks.length) return null;
  if (types.length === 0) {
    if (parts.schemas.some((each) => visited.has(each))) return [];
    for (const each of parts.schemas) visited.add(each);
    return union.schemas.flatMap((each) => inner(side, each, visited));
  }
  const isConstant = ({ checks }: Schema): boolean =>
    checks.some(({ kind }) => kind === "values");
  return union.schemas.every(isConstant)
    ? union.schemas.map((each) => ({
        ...each,
        checks: [...types, ...each.checks],
      }))
    : null;
}

/**
 * The alternatives of an alternative; itself if it has annotations, which would
 * be lost.
 */
function inner(
  side: SchemaSet,
  schema: Schema,
  visited: Set<Schema>,
): readonly Schema[] {
  const parts = partsOf(side, schema);
  if (parts.schemas.some(({ notes = [] }) => notes.length > 0)) return [schema];
  const isExclusive = parts.checks.some(({ kind }) => kind === "one");
  const union = isExclusive ? null : expanded(side, schema, visited);
  if (union !== null) return union;
  const values =
    parts.checks.every(({ kind }) => kind === "values" || kind === "type") &&
    valuesOf(parts.checks);
  return values ? values.map(ofValue) : [schema];
}

/** The number of schemas that `acceptsAnything` visits. */
const maxVisits = 100;

/**
 * True if a schema accepts every value. Inside itself, a schema counts as one
 * that does. False for a schema with too many parts, which is compared in
 * detail instead.
 */
export function acceptsAnything(side: SchemaSet, schema: Schema): boolean {
  return isEveryType(
    acceptedTypes(side, schema, new Set(), { left: maxVisits }),
  );
}

/** The types of which a schema accepts every value. */
function acceptedTypes(
  side: SchemaSet,
  schema: Schema,
  open: ReadonlySet<Schema>,
  visits: { left: number },
): ReadonlySet<TypeName> {
  visits.left -= 1;
  const parts = partsOf(side, schema);
  // Of a value that two alternatives of `oneOf` accept, it is unknown whether
  // it is accepted.
  if (
    visits.left < 0 ||
    parts.conditions.length > 0 ||
    ofKind(parts.checks, "one").length > 0
  )
    return new Set();
  if (parts.schemas.some((each) => open.has(each))) {
    const isOnlyOpen = parts.schemas.every(
      (each) => open.has(each) || each.checks.every(isReference),
    );
    return isOnlyOpen ? new Set(typeNames) : new Set();
  }
  const around = new Set([...open, ...parts.schemas]);
  const isAny = (each: Schema | null): boolean =>
    each === null || isEveryType(acceptedTypes(side, each, around, visits));
  const alternatives = alternativesOf(side, schema);
  if (alternatives !== null)
    return new Set(
      alternatives.flatMap((each) => [
        ...acceptedTypes(side, each, around, visits),
      ]),
    );
  const isOpen = parts.checks.every((check) => {
    if (check.kind === "values")
      return check.values.every((value) => value === null);
    if (check.kind === "items")
      return check.first.length === 0 && isAny(check.rest);
    if (check.kind !== "members") return check.kind === "type";
    return (
      check.properties.length + check.patterns.length === 0 && isAny(check.rest)
    );
  });
  return isOpen ? typesOf(parts) : new Set();
}

function isReference({ kind }: Check): boolean {
  return kind === "reference";
}
