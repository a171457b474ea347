/** Keywords of JSON Schema whose value is a schema or a list of schemas. */
export const schemaKeywords: readonly string[] =
  /* @__PURE__ */
  "items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames allOf anyOf oneOf not if then else contentSchema".split(
    " ",
  );

/** Keywords whose value is an object of schemas, except `properties`. */
export const tableKeywords: readonly string[] = [
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
];
