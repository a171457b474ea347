import { ofKind, type Schema, type TypeName } from "../constraint.js";
import {
  itemsIn,
  noteIn,
  propertiesIn,
  type Property,
  restIn,
  valuesOf,
} from "../constraint/form.js";
import { isName } from "../compare/model.js";

/**
 * A schema as a type in TypeScript syntax, followed by the conditions that
 * TypeScript cannot express.
 */
export function showSchema(schema: Schema): string {
  const { checks } = schema;
  if (checks.some(({ kind }) => kind === "never")) return "never";
  const own =
    valuesOf(checks)?.map((value) => JSON.stringify(value)) ??
    ofKind(checks, "type").flatMap(({ types }) =>
      types.map((type) => showType(type, schema)),
    );
  const others = checks.flatMap((check): string[] => {
    if (check.kind === "reference") return [check.key];
    if (check.kind === "all") return check.schemas.map(showSchema);
    return check.kind === "any" || check.kind === "one"
      ? [check.schemas.map(showSchema).join(" | ")]
      : [];
  });
  const parts = own.length === 0 ? others : [own.join(" | "), ...others];
  return parts.length === 0 ? "unknown" : parts.join(" & ");
}

function showType(type: TypeName, schema: Schema): string {
  switch (type) {
    case "integer":
    case "number": {
      const bounds = ofKind(schema.checks, "bound");
      return [
        type,
        ...bounds.map(
          ({ side, value }) => `${side === "low" ? ">=" : "<="} ${value}`,
        ),
      ].join(" ");
    }
    case "string": {
      const format = noteIn(schema, "format");
      return format === null ? "string" : `string (${format})`;
    }
    case "array": {
      const items = showSchema(itemsIn(schema));
      const text = /^[\w$."]+$/.test(items) ? items : `(${items})`;
      const max = ofKind(schema.checks, "size")[0]?.max ?? null;
      return max === null ? `${text}[]` : `${text}[] (at most ${max})`;
    }
    case "object": {
      const rest = restIn(schema);
      const others =
        rest === null ? [] : [`[key: string]: ${showSchema(rest)}`];
      const members = [...propertiesIn(schema).map(showProperty), ...others];
      return members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
    }
    case "null":
    case "boolean":
      return type;
    default:
      return type satisfies never;
  }
}

export function showProperty({ name, optional, schema }: Property): string {
  const key = isName(name) ? name : JSON.stringify(name);
  return `${key}${optional ? "?" : ""}: ${showSchema(schema)}`;
}
