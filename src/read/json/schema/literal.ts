import type { Type } from "../../../ir/model.js";
import { union } from "../../typescript/types/normal.js";
import { sameValue, show, type JsonObject, type JsonScalar } from "../text/tree.js";
import { malformed, widened, type SchemaContext } from "./context.js";
import type { TypeName } from "../../../ir/constraint.js";

/** Reads `const` and `enum`. Returns null without them, or if the model cannot express their values. */
export function readValues(
  context: SchemaContext,
  node: JsonObject,
  types: readonly TypeName[] | null,
): Type | null {
  const only = node.members.get("const")?.value;
  const list = node.members.get("enum")?.value;
  if (list !== undefined && (list.kind !== "array" || list.items.length === 0)) {
    malformed(context, list, "enum", "a list of at least one value");
  }
  const listed = list?.kind === "array" ? list.items : [];
  const values = only === undefined ? listed : [only];
  if (values.length === 0) return null;
  if (only !== undefined && listed.length > 0 && !listed.some((value) => sameValue(value, only))) {
    malformed(context, only, "const", 'a value that the "enum" beside it lists');
  }
  const literals: Type[] = [];
  for (const value of values) {
    if (value.kind !== "scalar") {
      widened(
        context,
        value,
        `the value ${show(value)} is not checked`,
        'describe it with "properties" or "items"',
      );
      return null;
    }
    if (types !== null && !types.some((type) => isOf(value, type))) {
      const expected = types.map((type) => `"${type}"`).join(" or ");
      malformed(context, value, only === undefined ? "enum" : "const", `a value of type ${expected}`);
    }
    literals.push({ kind: "literal", value: value.value, constant: null });
  }
  return union(literals);
}

function isOf(value: JsonScalar, type: TypeName): boolean {
  switch (type) {
    case "null":
      return value.value === null;
    case "integer":
      return Number.isInteger(value.value);
    case "number":
    case "string":
    case "boolean":
      return typeof value.value === type;
    case "array":
    case "object":
      return false;
    default:
      return type satisfies never;
  }
}
