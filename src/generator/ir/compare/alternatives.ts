import { deltaOf } from "../change/delta.js";
import type { Delta } from "../change/model.js";
import {
  anything,
  ofKind,
  type Check,
  type CheckOf,
  type Schema,
} from "../constraint.js";
import { requiredIn, valuesOf } from "../constraint/form.js";
import { jsonOf } from "../constraint/json-schema.js";
import { conditionDelta } from "./conditions.js";
import { keyOf } from "./key.js";
import { match, type Alternative } from "./match.js";
import type { CompareInner } from "./members.js";
import {
  type SchemaSet,
  type SchemaSets,
  type Whole,
  type Phrased,
  under,
} from "./model.js";
import {
  alternativesOf,
  constantsOf,
  partsOf,
  typesOf,
  unionsOf,
  type Parts,
} from "./parts.js";
import { exact } from "../json.js";

/** A schema and its alternatives. */
interface Union {
  readonly whole: Schema;
  readonly alternatives: readonly Schema[];
  /**
   * True if the schema is not a union: its alternatives are made from its types
   * or values.
   */
  readonly isSplit: boolean;
}

/**
 * Compares two unions. A schema that is not one counts as a union of one
 * alternative, or of one for each of its types or values. Null unless one side
 * is only a union, and the other is one too or contains none.
 */
export function compareWithUnion(
  sides: Phrased,
  oldSchema: Schema,
  newSchema: Schema,
  compare: CompareInner,
): Delta[] | null {
  const { before, after } = sides;
  const [old, fresh] = [partsOf(before, oldSchema), partsOf(after, newSchema)];
  const [oldUnion, newUnion] = [
    alternativesOf(before, oldSchema),
    alternativesOf(after, newSchema),
  ];
  if (oldUnion === null && (newUnion === null || unionsOf(old).length > 0))
    return null;
  if (newUnion === null && unionsOf(fresh).length > 0) return null;
  return [
    ...compareExclusion(sides, old, fresh),
    ...compareAlternatives(
      sides,
      {
        whole: oldSchema,
        alternatives: oldUnion ?? split(oldSchema, old),
        isSplit: oldUnion === null,
      },
      {
        whole: newSchema,
        alternatives: newUnion ?? split(newSchema, fresh),
        isSplit: newUnion === null,
      },
      compare,
    ),
  ];
}

/**
 * The alternatives of a list of types or values: each with all other
 * conditions, without annotations.
 */
function split(schema: Schema, parts: Parts): readonly Schema[] {
  const [values, ...otherValues] = ofKind(parts.checks, "values");
  const [types, ...otherTypes] = ofKind(parts.checks, "type");
  const list =
    values !== undefined && otherValues.length === 0
      ? values.values.map((value): Check => ({
          kind: "values",
          values: [value],
        }))
      : types !== undefined && otherTypes.length === 0
        ? types.types.map((type): Check => ({ kind: "type", types: [type] }))
        : [];
  const doc = {
    text: "",
    tags: schema.doc.tags.filter(({ name }) => name === "format"),
  };
  const [first, ...more] = list;
  // A schema that is not a list keeps its references, by which it may be known.
  if (first === undefined || (more.length === 0 && !isListed(schema)))
    return [{ doc, checks: schema.checks, notes: parts.conditions }];
  const others = parts.checks.filter(({ kind }) => kind !== first.kind);
  return list.map((check) => ({
    doc,
    checks: [check, ...others],
    notes: parts.conditions,
  }));
}

function isListed({ checks }: Schema): boolean {
  return checks.some(({ kind }) => kind === "type" || kind === "values");
}

/** Compares the unions of two schemas that have other conditions as well. */
export function compareUnions(
  sides: Phrased,
  oldSchema: Schema,
  newSchema: Schema,
  compare: CompareInner,
): Delta[] {
  const [old, fresh] = [
    partsOf(sides.before, oldSchema),
    partsOf(sides.after, newSchema),
  ];
  const [unions, newUnions] = [unionsOf(old), unionsOf(fresh)];
  const [before, after] = [unions[0], newUnions[0]];
  if (
    unions.length === 1 &&
    newUnions.length === 1 &&
    before !== undefined &&
    after !== undefined
  )
    return [
      ...compareExclusion(sides, old, fresh),
      ...compareAlternatives(
        sides,
        { whole: oldSchema, alternatives: before.schemas, isSplit: false },
        { whole: newSchema, alternatives: after.schemas, isSplit: false },
        compare,
      ),
    ];
  // Several unions apply at once: each is compared as a whole.
  const [texts, others] = [
    wholeUnions(sides.before, unions),
    wholeUnions(sides.after, newUnions),
  ];
  return [
    ...[...texts]
      .filter(([key]) => !others.has(key))
      .map(([, text]) => conditionDelta(text, null)),
    ...[...others]
      .filter(([key]) => !texts.has(key))
      .map(([, text]) => conditionDelta(null, text)),
  ];
}

/** The text of each union by its key. */
function wholeUnions(
  side: SchemaSet,
  unions: readonly (CheckOf<"any"> | CheckOf<"one">)[],
): ReadonlyMap<string, string> {
  return new Map(
    unions.map((union) => {
      const schema: Schema = { doc: anything.doc, checks: [union] };
      return [keyOf(side, schema), exact(jsonOf(schema))];
    }),
  );
}

/**
 * `oneOf` rejects values that match two of its alternatives. This is a
 * difference unless no value can match two.
 */
function compareExclusion(
  { before, after }: SchemaSets,
  old: Parts,
  fresh: Parts,
): Delta[] {
  /** Each side has at most one union. */
  const overlapsIn = (side: SchemaSet, parts: Parts) => [
    ...wholeUnions(
      side,
      ofKind(parts.checks, "one").filter(
        ({ schemas }) => !areDisjoint(side, schemas, parts),
      ),
    ),
  ];
  const [one] = overlapsIn(before, old);
  const [other] = overlapsIn(after, fresh);
  if (one?.[0] === other?.[0]) return [];
  const rule = "a value may match only one alternative";
  if (one === undefined) return [conditionDelta(null, rule)];
  if (other === undefined) return [conditionDelta(rule, null)];
  return [conditionDelta(one[1], other[1])];
}

/**
 * True if the types of the alternatives, their constants or their required
 * constant members show that no value matches two. Values have one of the types
 * of the whole schema.
 */
function areDisjoint(
  side: SchemaSet,
  schemas: readonly Schema[],
  whole: Parts,
): boolean {
  const outer = typesOf(whole);
  const alternatives = schemas.map((schema) => {
    const parts = partsOf(side, schema);
    const possible = [...typesOf(parts)].filter((type) => outer.has(type));
    const types = new Set(
      possible.map((type) => (type === "integer" ? "number" : type)),
    );
    const required = requiredIn(parts.checks);
    const tags = new Map(
      [...constantsOf(parts)].filter(([name]) => required.has(name)),
    );
    return { types, values: valuesOf(parts.checks)?.map(exact) ?? null, tags };
  });
  return alternatives.every((one, i) =>
    alternatives.slice(i + 1).every((other) => {
      const shared = [...one.types].filter((type) => other.types.has(type));
      if (shared.length === 0) return true;
      if (one.values !== null && other.values !== null)
        return !one.values.some((value) => other.values?.includes(value));
      const isTagged = [...one.tags].some(
        ([name, value]) => (other.tags.get(name) ?? value) !== value,
      );
      return isTagged && shared.every((type) => type === "object");
    }),
  );
}

/** Compares the alternatives of two schemas in pairs. */
function compareAlternatives(
  { before, after, phrases }: Phrased,
  old: Union,
  fresh: Union,
  compare: CompareInner,
): Delta[] {
  const matches = match(
    { before, after },
    old.alternatives,
    fresh.alternatives,
  );
  const known = [
    ...matches.knownRemoved.map((one) =>
      deltaOf("known-value-removed", one.constant, null),
    ),
    ...matches.knownAdded.map((one) =>
      deltaOf("known-value-added", null, one.constant),
    ),
  ];
  if (
    matches.pairs.length === 0 &&
    matches.removed.length > 0 &&
    matches.added.length > 0
  )
    return [
      deltaOf(
        "type-replaced",
        phrases.schema(before, old.whole),
        phrases.schema(after, fresh.whole),
      ),
      ...known,
    ];
  const whole: Whole | null = old.isSplit
    ? { side: before, schema: old.whole }
    : fresh.isSplit
      ? { side: after, schema: fresh.whole }
      : null;
  const isLabelled =
    old.alternatives.length > 1 || fresh.alternatives.length > 1;
  const nameOf = (side: SchemaSet, { constant, schema }: Alternative): string =>
    constant ?? phrases.schema(side, schema);
  const kindOf = ({ constant }: Alternative): "value" | "alternative" =>
    constant === null ? "alternative" : "value";
  const changed = matches.pairs.flatMap(([one, other]) =>
    under(
      isLabelled ? phrases.step(after, other.schema) : "",
      compare(one.schema, other.schema, whole),
    ),
  );
  return [
    ...changed,
    ...matches.removed.map((one) =>
      deltaOf(`${kindOf(one)}-removed`, nameOf(before, one), null),
    ),
    ...matches.added.map((one) =>
      deltaOf(`${kindOf(one)}-added`, null, nameOf(after, one)),
    ),
    ...known,
  ];
}
