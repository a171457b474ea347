import { needsOf } from "./check/graph.js";
import { isUnion, product, union } from "./combine.js";
import { ofKind, type Schema } from "./constraint.js";
import {
  alternativesIn,
  onlyOf,
  referenceIn,
  typeIn,
} from "./constraint/form.js";
import { eachSchema, mapSchema, referencesIn } from "./constraint/walk.js";
import { index, type Index, reachable, resolve } from "./lookup.js";
import type { Declaration } from "./model.js";
import { leavesFirst } from "./order.js";

/** The maximum number of parts of all alternatives of a protocol. */
const maxParts = 65_536;

/** The state of one run. */
interface Run {
  readonly declarations: Index;
  /** The alternatives of each union that an intersection names. */
  readonly byName: Map<string, readonly Schema[]>;
  /** The number of parts so far. */
  parts: number;
}

/** Ends a run that reaches a limit. */
class LimitError extends Error {}

/**
 * Converts `A & (B | C)` to `(A & B) | (A & C)`, because the IR has
 * intersections of objects only. No alias may contain itself directly. Calls
 * `report` with the first declaration that has too many alternatives, and
 * returns null.
 */
export function distribute(
  declared: readonly Declaration[],
  report: (name: string) => void,
): readonly Declaration[] | null {
  const declarations = index(declared);
  const run: Run = { declarations, byName: new Map(), parts: 0 };
  const joined = new Set(declared.filter(hasIntersection));
  let name = "";
  try {
    for (name of neededNames(declarations, joined)) {
      addUnion(run, name);
    }
    return declared.map((entry) => {
      if (!joined.has(entry)) return entry;
      name = entry.name;
      const schema = mapSchema(entry.schema, (part) => {
        return distributed(run, part);
      });
      return { ...entry, schema };
    });
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    report(name);
    return null;
  }
}

function hasIntersection({ schema }: Declaration): boolean {
  let isFound = false;
  eachSchema(schema, ({ checks }) => {
    isFound ||= ofKind(checks, "all").length > 0;
  });
  return isFound;
}

/**
 * The names that these declarations consist of, each after those that it
 * consists of itself.
 */
function neededNames(
  declarations: Index,
  joined: Iterable<Declaration>,
): readonly string[] {
  const names = [...joined].flatMap(({ schema }) => referencesIn(schema));
  const partsOf = (name: string): string[] => {
    const target = declarations.get(name);
    if (target === undefined) return [];
    return needsOf(target);
  };
  const graph = new Map<string, readonly string[]>();
  for (const name of reachable(names, partsOf)) {
    graph.set(name, partsOf(name));
  }
  return leavesFirst(graph);
}

function addUnion(run: Run, name: string): void {
  const alias = run.declarations.get(name);
  if (alias?.kind !== "alias") return;
  const all = union(alternativesOf(run, alias.schema));
  if (!isUnion(all)) return;
  const alternatives = alternativesIn(all);
  count(run, alternatives.length);
  run.byName.set(name, alternatives);
}

function count(run: Run, parts: number): void {
  run.parts += parts;
  if (run.parts > maxParts) throw new LimitError();
}

/** The alternatives of a schema, with those of the unions that it names. */
function alternativesOf(run: Run, schema: Schema): readonly Schema[] {
  const key = referenceIn(schema);
  if (key !== null) return run.byName.get(key) ?? [schema];
  const whole = distributed(run, schema);
  if (!isUnion(whole)) return [whole];
  return alternativesIn(whole).flatMap((each) => alternativesOf(run, each));
}

/**
 * An intersection with unions of objects as the union of its combinations. Any
 * other intersection is returned unchanged: with a union of other values, it is
 * an error that the check of inheritance reports.
 */
function distributed(run: Run, schema: Schema): Schema {
  const inner = alternativesIn(schema);
  // A union in which an intersection became a union.
  if (isUnion(schema) && inner.some(isUnion))
    return { ...union(inner), doc: schema.doc };
  const sides = onlyOf(schema.checks, "all")?.schemas ?? [];
  const groups = sides.map((side) => alternativesOf(run, side));
  const unions = groups.filter(({ length }) => length > 1);
  if (unions.length === 0) return schema;

  let parts = groups.length;
  for (const { length } of unions) parts *= length;
  count(run, parts);
  const isOfObjects = unions.every((group) =>
    group.every((each) => {
      return isObject(run.declarations, each);
    }),
  );
  if (!isOfObjects) return schema;
  const whole = product(groups);
  if (whole === null) throw new LimitError();
  return { ...whole, doc: schema.doc };
}

function isObject(declarations: Index, schema: Schema): boolean {
  const target = resolve(declarations, schema);
  // A reference that is left is that of an interface.
  const isInterface = referenceIn(target) !== null;
  const isIntersection = onlyOf(target.checks, "all") !== null;
  return isInterface || isIntersection || typeIn(target) === "object";
}
