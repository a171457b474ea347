import type {
  Check,
  Definition,
  Schema,
  TypeName,
} from "../../../generator/ir/constraint.js";
import type { Json } from "../../../generator/ir/json.js";

/** The targets of references, by key. */
export type Definitions = ReadonlyMap<string, Definition>;

/**
 * Every type of JSON Schema; a value of the type `integer` is also a `number`.
 */
const everyType: readonly TypeName[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
];

/**
 * The maximum number of references and alternatives around a check. What is
 * deeper restricts nothing.
 */
const maxDepth = 20;

/**
 * The types of the values that a schema may accept; every type if the schema
 * accepts nothing.
 */
export function typesOf(
  schema: Schema,
  definitions: Definitions,
  depth = 0,
): readonly TypeName[] {
  const types = flatChecks(schema, definitions, depth).reduce<
    readonly TypeName[]
  >((left, check) => {
    const right = typesIn(check, definitions, depth + 1);
    return left.filter((type) => right.includes(type));
  }, everyType);
  return types.length === 0 ? everyType : types;
}

function typesIn(
  check: Check,
  definitions: Definitions,
  depth: number,
): readonly TypeName[] {
  if (check.kind === "type")
    return check.types.includes("number")
      ? [...check.types, "integer"]
      : check.types;
  if (check.kind === "values") return check.values.flatMap(typesOfValue);
  if (check.kind !== "any" && check.kind !== "one") return everyType;
  return check.schemas.flatMap((schema) => typesOf(schema, definitions, depth));
}

/** The types of a value: an integer has two. */
export function typesOfValue(value: Json): readonly TypeName[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number")
    return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  return [typeof value as "string" | "boolean" | "object"];
}

/**
 * All values that a schema lists, as an enumeration or as alternatives; null if
 * it does not list them.
 */
export function valuesOf(
  schema: Schema,
  definitions: Definitions,
  depth = 0,
): readonly Json[] | null {
  for (const check of flatChecks(schema, definitions, depth)) {
    if (check.kind === "values") return check.values;
    if (check.kind === "any" || check.kind === "one") {
      const lists = check.schemas.map((each) =>
        valuesOf(each, definitions, depth + 1),
      );
      if (lists.every((list) => list !== null)) return lists.flat();
    }
  }
  return null;
}

/**
 * The schema of an item of an array; of a union, what the alternatives that are
 * arrays accept. Null if it accepts every item.
 */
export function itemOf(
  schema: Schema,
  index: number,
  definitions: Definitions,
  depth = 0,
): Schema | null {
  if (depth > maxDepth) return null;
  for (const check of flatChecks(schema, definitions)) {
    if (check.kind === "items") return check.first[index] ?? check.rest;
    if (check.kind !== "any" && check.kind !== "one") continue;
    const arrays = check.schemas.filter((each) =>
      typesOf(each, definitions).includes("array"),
    );
    const items = arrays.map((each) =>
      itemOf(each, index, definitions, depth + 1),
    );
    const schemas = items.filter((item) => item !== null);
    if (schemas.length === 0 || schemas.length < items.length) continue;
    return schemas.length === 1
      ? (schemas[0] ?? null)
      : { doc: { text: "", tags: [] }, checks: [{ kind: "any", schemas }] };
  }
  return null;
}

/**
 * The checks of a schema, of the schemas it refers to, and of those that it
 * combines with "all".
 */
export function flatChecks(
  schema: Schema,
  definitions: Definitions,
  depth = 0,
): readonly Check[] {
  if (depth > maxDepth) return [];
  return schema.checks.flatMap((check) => {
    if (check.kind === "all")
      return check.schemas.flatMap((each) =>
        flatChecks(each, definitions, depth + 1),
      );
    if (check.kind !== "reference") return [check];
    const target = definitions.get(check.key);
    return target === undefined
      ? []
      : flatChecks(target.schema, definitions, depth + 1);
  });
}

/**
 * What a schema expects, in words: `string`, `array of integer`,
 * `one of "a", "b"`.
 */
export function expectation(
  schema: Schema,
  definitions: Definitions,
  depth = 0,
): string {
  const values = valuesOf(schema, definitions);
  if (values !== null && values.length > 0) return listed(values);
  const types = typesOf(schema, definitions);
  if (types.length === everyType.length) return "any value";
  const words = types.filter(
    (type) => type !== "integer" || !types.includes("number"),
  );
  return words
    .map((type) => {
      const item =
        type === "array" && depth < 3 ? itemOf(schema, 0, definitions) : null;
      return item === null
        ? type
        : `array of ${expectation(item, definitions, depth + 1)}`;
    })
    .join(" or ");
}

/** The first values of an enumeration. */
function listed(values: readonly Json[]): string {
  const shown = values
    .slice(0, 12)
    .map((value) => JSON.stringify(value).slice(0, 60));
  const more =
    values.length > shown.length
      ? `, and ${values.length - shown.length} more`
      : "";
  return shown.length === 1
    ? (shown[0] ?? "")
    : `one of ${shown.join(", ")}${more}`;
}
