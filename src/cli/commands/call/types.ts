import type {
  Check,
  Schema,
  TypeName,
} from "../../../generator/ir/constraint.js";
import { schemaOf } from "../../../generator/ir/constraint/form.js";
import type { SchemaSet } from "../../../generator/ir/compare/model.js";
import { partsOf } from "../../../generator/ir/compare/parts.js";
import type { Json } from "../../../generator/ir/json.js";

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
 * The maximum number of alternatives around a check. What is deeper restricts
 * nothing.
 */
const maxDepth = 20;

/**
 * The types of the values that a schema may accept; every type if the schema
 * accepts nothing.
 */
export function typesOf(
  schema: Schema,
  schemas: SchemaSet,
  depth = 0,
): readonly TypeName[] {
  const types = checksOf(schema, schemas, depth).reduce<readonly TypeName[]>(
    (left, check) => {
      const right = typesIn(check, schemas, depth + 1);
      return left.filter((type) => right.includes(type));
    },
    everyType,
  );
  return types.length === 0 ? everyType : types;
}

function typesIn(
  check: Check,
  schemas: SchemaSet,
  depth: number,
): readonly TypeName[] {
  if (check.kind === "type")
    return check.types.includes("number")
      ? [...check.types, "integer"]
      : check.types;
  if (check.kind === "values") return check.values.flatMap(typesOfValue);
  if (check.kind !== "any" && check.kind !== "one") return everyType;
  return check.schemas.flatMap((schema) => typesOf(schema, schemas, depth));
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
  schemas: SchemaSet,
  depth = 0,
): readonly Json[] | null {
  for (const check of checksOf(schema, schemas, depth)) {
    if (check.kind === "values") return check.values;
    if (check.kind === "any" || check.kind === "one") {
      const lists = check.schemas.map((each) =>
        valuesOf(each, schemas, depth + 1),
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
  schemas: SchemaSet,
  depth = 0,
): Schema | null {
  for (const check of checksOf(schema, schemas, depth)) {
    if (check.kind === "items") return check.first[index] ?? check.rest;
    if (check.kind !== "any" && check.kind !== "one") continue;
    const arrays = check.schemas.filter((each) =>
      typesOf(each, schemas).includes("array"),
    );
    const items = arrays.map((each) => itemOf(each, index, schemas, depth + 1));
    const known = items.filter((item) => item !== null);
    if (known.length === 0 || known.length < items.length) continue;
    return known.length === 1
      ? (known[0] ?? null)
      : schemaOf([{ kind: "any", schemas: known }]);
  }
  return null;
}

/** The checks that apply; none where schemas are nested too deep. */
const checksOf = (
  schema: Schema,
  schemas: SchemaSet,
  depth = 0,
): readonly Check[] =>
  depth > maxDepth ? [] : partsOf(schemas, schema).checks;

/**
 * What a schema expects, in words: `string`, `array of integer`,
 * `one of "a", "b"`.
 */
export function expectation(
  schema: Schema,
  schemas: SchemaSet,
  depth = 0,
): string {
  const values = valuesOf(schema, schemas);
  if (values !== null && values.length > 0) return listed(values);
  const types = typesOf(schema, schemas);
  if (types.length === everyType.length) return "any value";
  const words = types.filter(
    (type) => type !== "integer" || !types.includes("number"),
  );
  return words
    .map((type) => {
      const item =
        type === "array" && depth < 3 ? itemOf(schema, 0, schemas) : null;
      return item === null
        ? type
        : `array of ${expectation(item, schemas, depth + 1)}`;
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
