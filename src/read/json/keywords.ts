import type { TypeName } from "../../ir/constraint.js";
import { typeNames } from "../json-schema/keyword.js";

/**
 * The keywords of JSON Schema, by how they are handled. A keyword in no table is unknown. Keywords in `unchecked` are known, but
 * the model cannot express them. Both get a diagnostic, because more values are accepted than the schema allows.
 */

/** Keywords that restrict no value. */
export const annotations: ReadonlySet<string> = new Set([
  "$comment",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Keywords that apply to values of one type only. */
export const byType: Readonly<Record<TypeName, readonly string[]>> = {
  null: [],
  boolean: [],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  string: ["format"],
  array: ["items", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};

/** Keywords that apply to values of any type. */
export const general: ReadonlySet<string> = new Set([
  "$ref",
  "allOf",
  "anyOf",
  "const",
  "enum",
  "nullable",
  "oneOf",
  "type",
]);

/** Keywords that restrict values in a way that the model cannot express. */
export const unchecked: ReadonlySet<string> = new Set([
  "additionalItems",
  "contains",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "else",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "if",
  "maxContains",
  "maxLength",
  "maxProperties",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
  "multipleOf",
  "not",
  "pattern",
  "patternProperties",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
]);

/** The type that each keyword of `byType` applies to. */
export const typeOf: ReadonlyMap<string, TypeName> = new Map(
  typeNames
    // "integer" has the keywords of "number", which is the wider of the two.
    .filter((name) => name !== "integer")
    .flatMap((name) => byType[name].map((keyword): [string, TypeName] => [keyword, name])),
);
