/** Keywords of JSON Schema that hold a schema or a list of them; what other keywords hold is data. */
export const schemaKeywords: readonly string[] =
  /* @__PURE__ */
  "items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames allOf anyOf oneOf not if then else contentSchema".split(
    " ",
  );

/** Those that hold schemas by name, but for `properties`. */
export const tableKeywords: readonly string[] = [
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
];
