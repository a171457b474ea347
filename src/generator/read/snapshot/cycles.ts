import type { Scope } from "../../diagnostics.js";
import type { Check, Definition, Schema } from "../../ir/constraint.js";
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
  const [root] = schemas;
  const byKey = new Map(schemas.map((keyed) => [keyed.key, keyed]));
  const versions = new Map<string, Version>();
  const isCircular = (
    from: Version,
    check: Check,
  ): check is Check & { readonly kind: "reference" } =>
    check.kind === "reference" &&
    circles.get(from.key)?.has(check.key) === true;
  /** The versions that a version needs on the same value, within its circle. */
  const next = (from: Version): Version[] => {
    const found: Version[] = [];
    const visit = (schema: Schema, extendsIt: boolean): void => {
      for (const check of schema.checks) {
        if (isCircular(from, check) && (extendsIt || !from.isBase))
          found.push({ key: check.key, isBase: extendsIt });
        else if (isInPlace(check))
          for (const inner of schemasIn(check))
            visit(inner, extendsIt && check.kind === "all");
      }
    };
    visit(
      byKey.get(from.key)?.schema ?? {
        doc: { text: "", tags: [] },
        checks: [],
      },
      true,
    );
    return found;
  };
  const closing = closingSteps(
    [...circles.keys()].map((key) => ({ key, isBase: false })),
    next,
    versions,
  );
  const pathOf = (key: string): string =>
    root === undefined || key === root.key
      ? "the schema"
      : `"#${key.slice(root.key.length)}"`;

  const acyclic = (schema: Schema, version: Version): Schema => {
    let isSplit = false;
    const visit = (outer: Schema, extendsIt: boolean): Schema => {
      const checks = outer.checks.flatMap((check): Check[] => {
        if (isCircular(version, check)) {
          const target = { key: check.key, isBase: extendsIt };
          if (version.isBase && !extendsIt) isSplit = true;
          else if (closing.get(nameOf(version))?.has(nameOf(target)) !== true)
            return [{ kind: "reference", key: nameOf(target) }];
          else {
            const message = `a reference in ${pathOf(version.key)} is circular; it is not checked`;
            scope.warn("MG308", null, message, "refer to a member or an item");
          }
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
    if (isSplit) {
      const message = `references in ${pathOf(version.key)} are circular; they are not checked in the schemas that extend it`;
      scope.warn("MG308", null, message, "refer to a member or an item");
    }
    return result;
  };
  const bases = [...versions.values()].filter(({ isBase }) => isBase);
  return [
    ...schemas.map((keyed) => ({
      ...keyed,
      schema: acyclic(keyed.schema, { key: keyed.key, isBase: false }),
    })),
    ...bases.flatMap((version) => {
      const keyed = byKey.get(version.key);
      if (keyed === undefined) return [];
      return [
        {
          key: nameOf(version),
          label: `${keyed.label} base`,
          schema: acyclic(keyed.schema, version),
        },
      ];
    }),
  ];
}

/**
 * For each schema in a circle of references on the same value, the schemas of
 * its circle.
 */
function circlesOf(
  schemas: readonly KeyedSchema[],
): ReadonlyMap<string, ReadonlySet<string>> {
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
): ReadonlyMap<string, ReadonlySet<string>> {
  const closing = new Map<string, Set<string>>();
  const path = new Set<string>();
  for (const start of starts) {
    if (versions.has(nameOf(start))) continue;
    const open = [{ version: start, rest: [...next(start)].reverse() }];
    versions.set(nameOf(start), start);
    path.add(nameOf(start));
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const name = nameOf(last.version);
      const target = last.rest.pop();
      if (target === undefined) {
        path.delete(name);
        open.pop();
      } else if (path.has(nameOf(target))) {
        closing.set(name, (closing.get(name) ?? new Set()).add(nameOf(target)));
      } else if (!versions.has(nameOf(target))) {
        versions.set(nameOf(target), target);
        path.add(nameOf(target));
        open.push({ version: target, rest: [...next(target)].reverse() });
      }
    }
  }
  return closing;
}
