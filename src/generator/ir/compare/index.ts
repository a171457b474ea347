import { deltaOf } from "../change/delta.js";
import type { Delta } from "../change/model.js";
import type { Schema } from "../constraint.js";
import { compareUnions, compareWithUnion } from "./alternatives.js";
import { compareConditions } from "./conditions.js";
import { keyOf } from "./key.js";
import { compareItems, compareMembers, type CompareInner } from "./members.js";
import type { Pair, SchemaSet, Whole, Phrased } from "./model.js";
import {
  acceptsAnything,
  isEveryType,
  partsOf,
  possibleTypes,
  unionsOf,
} from "./parts.js";
import { compareBounds, typeChange, compareValues } from "./values.js";

/**
 * The differences between the values that two schemas accept, and between their
 * annotations. References are followed, `allOf` is merged, and the order of
 * lists does not matter. A schema that appears in several places is reported in
 * each, unless it differs in very many ways.
 */
export function compareSchemas(
  pair: Pair,
  before: Schema,
  after: Schema,
): Delta[] {
  return compare({ ...pair, steps: budget.pairs }, before, after, 0);
}

/**
 * The maximum depth and number of pairs of one comparison. Beyond it, schemas
 * are only compared for equality.
 */
const budget = { depth: 150, pairs: 20_000 } as const;

interface Comparison extends Pair {
  /** The number of pairs that may still be compared in detail. */
  steps: number;
}

/**
 * With more differences, the second use of a schema is reported as one
 * difference.
 */
const maxRepeated = 60;

function compare(
  pair: Comparison,
  before: Schema,
  after: Schema,
  depth: number,
  whole: Whole | null = null,
): Delta[] {
  if (before === after) return [];
  const [old, fresh] = [
    referenced(pair.before, before),
    referenced(pair.after, after),
  ];
  const results =
    pair.compared.get(old) ?? new Map<Schema, readonly Delta[] | null>();
  pair.compared.set(old, results);
  const earlier = results.get(fresh);
  if (earlier === null) return [];
  if (earlier !== undefined)
    return earlier.length > maxRepeated ? [tooLarge] : [...earlier];
  results.set(fresh, null);
  const deltas = [
    ...difference(pair, before, after, depth),
    ...pair.phrases.annotations(pair, before, after, whole),
  ];
  results.set(fresh, deltas);
  return deltas;
}

/**
 * The target of a schema that is only a reference, without annotations; the
 * schema itself otherwise.
 */
function referenced({ definitions }: SchemaSet, schema: Schema): Schema {
  const { doc, checks, notes } = schema;
  const [only, ...others] = checks;
  if (
    only?.kind !== "reference" ||
    others.length > 0 ||
    notes !== undefined ||
    doc.tags.length > 0
  )
    return schema;
  return definitions.get(only.key)?.schema ?? schema;
}

const tooLarge = deltaOf("schema-changed", null, null);

function difference(
  pair: Comparison,
  oldSchema: Schema,
  newSchema: Schema,
  depth: number,
): Delta[] {
  pair.steps -= 1;
  if (depth > budget.depth || pair.steps < 0) {
    const isSame =
      keyOf(pair.before, oldSchema) === keyOf(pair.after, newSchema);
    return isSame ? [] : [tooLarge];
  }
  const sides = withSharedNames(pair, oldSchema, newSchema);
  const { before, after, phrases } = sides;
  const [isOldAny, isNewAny] = [
    acceptsAnything(before, oldSchema),
    acceptsAnything(after, newSchema),
  ];
  if (isOldAny && isNewAny) return [];
  const [old, fresh] = [partsOf(before, oldSchema), partsOf(after, newSchema)];
  // Large unions are as much work as many pairs.
  for (const { schemas } of [...unionsOf(old), ...unionsOf(fresh)])
    pair.steps -= schemas.length;
  const typeDelta = (change: "narrowed" | "widened" | "replaced"): Delta =>
    deltaOf(
      `type-${change}`,
      phrases.schema(before, oldSchema),
      phrases.schema(after, newSchema),
    );
  const compareInner: CompareInner = (one, other, whole) =>
    compare(pair, one, other, depth + 1, whole);
  if (isOldAny && !isEveryType(possibleTypes(after, fresh)))
    return [typeDelta("narrowed")];
  if (isNewAny && !isEveryType(possibleTypes(before, old)))
    return [typeDelta("widened")];
  const asUnions = compareWithUnion(sides, oldSchema, newSchema, compareInner);
  if (asUnions !== null) return asUnions;
  const { change, isReplaced } = typeChange(old, fresh);
  const types = change === null ? [] : [typeDelta(change)];
  // Types without a common value are not compared further.
  if (isReplaced) return types;
  return [
    ...types,
    ...compareValues(old, fresh),
    ...compareBounds(old, fresh),
    ...compareConditions(sides, old, fresh),
    ...compareUnions(sides, oldSchema, newSchema, compareInner),
    ...compareMembers(sides, old, fresh, compareInner),
    ...compareItems(old, fresh, compareInner),
  ];
}

/**
 * Both sides, with the references that this comparison does not follow: those
 * to schemas that are compared on their own and that both sides list among
 * their alternatives.
 */
function withSharedNames(
  { before, after, phrases }: Pair,
  old: Schema,
  fresh: Schema,
): Phrased {
  const names = namesIn(after, fresh);
  const shared = new Set(
    [...namesIn(before, old)].filter((name) => names.has(name)),
  );
  return {
    before: { ...before, shared },
    after: { ...after, shared },
    phrases,
  };
}

/**
 * The keys that lead to the alternatives of a schema and are compared on their
 * own.
 */
function namesIn(
  { definitions, shared }: SchemaSet,
  schema: Schema,
): ReadonlySet<string> {
  const names = new Set<string>();
  if (shared.size === 0) return names;
  const visited = new Set<string>();
  const open = [schema];
  for (const next of open) {
    for (const check of next.checks) {
      if (check.kind === "any")
        for (const each of check.schemas) open.push(each);
      if (check.kind !== "reference" || visited.has(check.key)) continue;
      visited.add(check.key);
      if (shared.has(check.key)) names.add(check.key);
      const target = definitions.get(check.key);
      if (target !== undefined) open.push(target.schema);
    }
  }
  return names;
}
