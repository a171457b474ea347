import type { SchemaChange } from "./model.js";

/** Phrases for the changes of a schema that do not follow from the name of the change. */
export const schemaPhrases: Readonly<Partial<Record<SchemaChange, string>>> = {
  "member-made-required": "made required",
  "member-made-optional": "made optional",
  "other-members-refused": "other members are no longer allowed",
  "other-members-allowed": "other members are allowed now",
  "openness-changed": "index signature of any value",
  "type-narrowed": "narrowed",
  "type-widened": "widened",
  "type-replaced": "replaced",
  "values-listed": "limited to a list of values",
  "values-freed": "no longer limited to a list of values",
  "schema-changed": "changed, and too large to compare in detail",
};
