import { anything, type Check, type Schema } from "../constraint.js";
import {
  alternativesIn,
  constantIn,
  objectSchema,
  type Property,
  reference,
  referenceIn,
  ofValue,
  typeIn,
} from "../constraint/form.js";
import { withSchemas } from "../constraint/walk.js";
import { flattenComplete } from "../flatten.js";
import type { Index } from "../lookup.js";
import { byText } from "../../../common/by-text.js";
import { canonicalUnion } from "./canonical.js";

/** The names that other schemas do not keep, and their replacements. */
export interface Names {
  readonly inline: ReadonlyMap<string, Schema>;
}

/** The projection of a schema. */
export function projectSchema(
  names: Names,
  declarations: Index,
  schema: Schema,
): Schema {
  const inner = (part: Schema): Schema =>
    projectSchema(names, declarations, part);
  const key = referenceIn(schema);
  if (key !== null) return names.inline.get(key) ?? reference(key);
  const flat = flattenComplete(declarations, schema);
  if (flat !== null && flat.conflicts.length === 0) {
    const properties = flat.properties.map((entry): Property => ({
      ...entry,
      schema: inner(entry.schema),
    }));
    const rest =
      flat.rest === null || flat.rest.checks.length === 0
        ? null
        : inner(flat.rest);
    return objectSchema(
      properties.sort((a, b) => byText(a.name, b.name)),
      rest,
    );
  }
  const alternatives = alternativesIn(schema);
  if (alternatives.length > 1) return canonicalUnion(alternatives.map(inner));
  const value = typeIn(schema) === "null" ? null : constantIn(schema);
  if (value !== undefined) return ofValue(value);
  const notes =
    schema.notes?.filter(
      ({ keyword }) => keyword === "format" && typeIn(schema) === "string",
    ) ?? [];
  const checks = schema.checks.map((check) =>
    inOrder(withSchemas(check, inner)),
  );
  return { doc: anything.doc, checks, ...(notes.length > 0 && { notes }) };
}

/** The order of the schemas that apply together has no meaning. */
function inOrder(check: Check): Check {
  if (check.kind !== "all") return check;
  const schemas = [...check.schemas].sort((a, b) =>
    byText(JSON.stringify(a), JSON.stringify(b)),
  );
  return { ...check, schemas };
}
