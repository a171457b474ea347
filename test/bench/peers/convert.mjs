/**
 * Walks a JSON Schema with its references followed, and builds the same type
 * with a peer's own builder. The schemas of the bench hold no circles.
 *
 * @param make what the peer has for each construct
 */
export function converter(document, make) {
  const definitions = document.$defs ?? document.definitions;
  const known = new Map();

  const convert = (schema) => {
    if (schema.$ref !== undefined) return named(schema.$ref.split("/").at(-1));
    if (schema.const !== undefined) return make.literal(schema.const);
    if (schema.enum !== undefined)
      return make.union(schema.enum.map(make.literal));
    if (schema.anyOf !== undefined)
      return make.union(schema.anyOf.map(convert));
    if (schema.allOf !== undefined)
      return make.intersection(schema.allOf.map(convert));
    if (Array.isArray(schema.type)) {
      return make.union(
        schema.type.map((type) => convert({ ...schema, type })),
      );
    }
    switch (schema.type) {
      case "string":
        return make.string();
      case "boolean":
        return make.boolean();
      case "null":
        return make.literal(null);
      case "integer":
      case "number":
        return make.number(
          schema.type === "integer",
          schema.minimum,
          schema.maximum,
        );
      case "array":
        return make.array(convert(schema.items ?? {}), schema.maxItems);
      case "object": {
        const required = new Set(schema.required);
        const members = Object.entries(schema.properties ?? {}).map(
          ([name, member]) => ({
            name,
            optional: !required.has(name),
            type: convert(member),
          }),
        );
        const rest = schema.additionalProperties;
        const isTyped =
          typeof rest === "object" && Object.keys(rest).length > 0;
        return make.object(members, isTyped ? convert(rest) : null);
      }
      default:
        return make.unknown();
    }
  };

  const named = (name) => {
    if (!known.has(name)) known.set(name, convert(definitions[name]));
    return known.get(name);
  };
  return named;
}
