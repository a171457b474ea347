import type { Scope } from "../../diagnostics.js";
import {
  anything,
  type Check,
  type Definition,
  type Schema,
} from "../../ir/constraint.js";
import {
  isInPlace,
  referencesIn,
  schemasIn,
  withSchemas,
} from "../../ir/constraint/walk.js";
import { reachableFrom } from "../../ir/lookup.js";

/** A schema that is the target of references. */
export type KeyedSchema = Pick<Definition, "key" | "label" | "schema">;

/**
 * A schema, or the base of it: the schema without the alternatives that lead
 * back to it. A pointer has no such `~`.
 */
interface Version {
  readonly key: string;
  readonly isBase: boolean;
}
const nameOf = ({ key, isBase }: Version): string =>
  isBase ? `${key}~base` : key;

/**
 * Makes references end that lead back to themselves on the same value, because
 * checking one would never end. A schema that another one extends, and that
 * lists it among its alternatives, is split: the other one extends its base.
 * Otherwise, the reference that closes the circle is removed. A schema that
 * loses a condition is added to `overApproximated`. The first schema is the
 * whole one.
 */
export function withoutCycles(
  schemas: readonly KeyedSchema[],
  overApproximated: Set<Schema>,
  scope: Scope,
): KeyedSchema[] {
  const circles = circlesOf(schemas);
  if (circles.size === 0) return [...schemas];
  const byKey = new Map(schemas.map((keyed) => [keyed.key, keyed]));
  const versions = new Map<string, Version>();
  const closing = closingSteps(
    [...circles.keys()].map((key) => ({ key, isBase: false })),
    (from) => stepsFrom(from, byKey.get(from.key)?.schema ?? anything, circles),
    versions,
  );
  const bases = [...versions.values()].filter(({ isBase }) => isBase);
  const cut = { circles, closing, overApproximated, scope, schemas };
  return [
    ...schemas.map((keyed) => ({
      ...keyed,
      schema: acyclic(keyed.schema, { key: keyed.key, isBase: false }, cut),
    })),
    ...bases.flatMap((version) => {
      const keyed = byKey.get(version.key);
      if (keyed === undefined) return [];
      const schema = acyclic(keyed.schema, version, cut);
      return [{ key: nameOf(version), label: `${keyed.label} base`, schema }];
    }),
  ];
}

/** The keys of some schemas by the name of another one. */
type KeysByName = ReadonlyMap<string, ReadonlySet<string>>;

/** True for a reference from a version to a schema of its circle. */
const isCircular = (
  from: Version,
  check: Check,
  circles: KeysByName,
): check is Check & { readonly kind: "reference" } =>
  check.kind === "reference" && circles.get(from.key)?.has(check.key) === true;

/** The versions that a version needs on the same value, within its circle. */
function stepsFrom(
  from: Version,
  schema: Schema,
  circles: KeysByName,
): Version[] {
  const found: Version[] = [];
  const visit = (inner: Schema, extendsIt: boolean): void => {
    for (const check of inner.checks)
      if (isCircular(from, check, circles)) {
        if (extendsIt || !from.isBase)
          found.push({ key: check.key, isBase: extendsIt });
      } else if (isInPlace(check))
        for (const each of schemasIn(check))
          visit(each, extendsIt && check.kind === "all");
  };
  visit(schema, true);
  return found;
}

/** A version of a schema without the references that close a circle. */
function acyclic(
  schema: Schema,
  version: Version,
  cut: {
    readonly circles: KeysByName;
    readonly closing: KeysByName;
    readonly overApproximated: Set<Schema>;
    readonly scope: Scope;
    readonly schemas: readonly KeyedSchema[];
  },
): Schema {
  const { circles, closing, overApproximated } = cut;
  const warn = (problem: (path: string) => string): void => {
    const message = problem(pathOf(version.key, cut.schemas));
    cut.scope.warn("MG308", null, message, "refer to a member or an item");
  };
  let isSplit = false;
  const visit = (outer: Schema, extendsIt: boolean): Schema => {
    const checks = outer.checks.flatMap((check): Check[] => {
      if (isCircular(version, check, circles)) {
        const target = nameOf({ key: check.key, isBase: extendsIt });
        if (version.isBase && !extendsIt) isSplit = true;
        else if (closing.get(nameOf(version))?.has(target) !== true)
          return [{ kind: "reference", key: target }];
        else
          warn(
            (path) => `a reference in ${path} is circular; it is not checked`,
          );
        return [];
      }
      // A reference in a member or an item is about another value.
      if (!isInPlace(check)) return [check];
      const checked = withSchemas(check, (inner) =>
        visit(inner, extendsIt && check.kind === "all"),
      );
      // An alternative without a condition accepts everything.
      const isOpen =
        (check.kind === "any" || check.kind === "one") &&
        schemasIn(checked).some(
          (inner) => overApproximated.has(inner) && inner.checks.length === 0,
        );
      return isOpen ? [] : [checked];
    });
    const result: Schema = { ...outer, checks };
    const hasLess = checks.length < outer.checks.length;
    if (overApproximated.has(outer) || hasLess) overApproximated.add(result);
    return result;
  };
  const result = visit(schema, true);
  if (isSplit)
    warn(
      (path) =>
        `references in ${path} are circular; they are not checked in the schemas that extend it`,
    );
  return result;
}

/** How a message names a schema. The first one is the whole. */
function pathOf(key: string, [root]: readonly KeyedSchema[]): string {
  return root === undefined || key === root.key
    ? "the schema"
    : `"#${key.slice(root.key.length)}"`;
}

/**
 * For each schema in a circle of references on the same value, the schemas of
 * its circle.
 */
function circlesOf(schemas: readonly KeyedSchema[]): KeysByName {
  const follow = (check: Check): readonly Schema[] =>
    isInPlace(check) ? schemasIn(check) : [];
  const direct = new Map(
    schemas.map(({ key, schema }) => [key, referencesIn(schema, follow)]),
  );
  const reached = new Map(
    schemas.map(({ key }) => [
      key,
      reachableFrom(key, (name) => direct.get(name) ?? []),
    ]),
  );
  const circles = new Map<string, Set<string>>();
  for (const [key, keys] of reached) {
    const circle = [...keys].filter(
      (other) => reached.get(other)?.has(key) === true,
    );
    if (circle.length > 0) circles.set(key, new Set(circle));
  }
  return circles;
}

/**
 * The steps that lead back to a version on the way to them, by the names of
 * both ends. Adds all versions on the way to `versions`.
 */
function closingSteps(
  starts: readonly Version[],
  next: (version: Version) => readonly Version[],
  versions: Map<string, Version>,
): KeysByName {
  const closing = new Map<string, Set<string>>();
  const path = new Set<string>();
  for (const start of starts) {
    if (versions.has(nameOf(start))) continue;
    const open = [{ version: start, rest: next(start).values() }];
    versions.set(nameOf(start), start);
    path.add(nameOf(start));
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const name = nameOf(last.version);
      const { value: target } = last.rest.next();
      if (target === undefined) {
        path.delete(name);
        open.pop();
      } else if (path.has(nameOf(target))) {
        closing.set(name, (closing.get(name) ?? new Set()).add(nameOf(target)));
      } else if (!versions.has(nameOf(target))) {
        versions.set(nameOf(target), target);
        path.add(nameOf(target));
        open.push({ version: target, rest: next(target).values() });
      }
    }
  }
  return closing;
}
