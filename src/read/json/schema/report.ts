import { nearest } from "../../nearest.js";
import type { JsonObject } from "../text/tree.js";
import type { SchemaContext } from "./context.js";
import { annotations, byType, general, typeOf, unchecked } from "./keywords.js";

/** Every keyword of a schema that will not be read as it stands gets its diagnostic here. */
export function reportKeywords(context: SchemaContext, node: JsonObject, siblings: "read" | "ignored"): void {
  const { scope, places } = context;
  for (const [keyword, { at }] of node.members) {
    if (annotations.has(keyword) || keyword === "$ref") continue;
    if (unchecked.has(keyword)) {
      const hint = "values that it would refuse are accepted";
      scope.warn("MG205", places(at), `the keyword "${keyword}" is left unchecked`, hint);
    } else if (!general.has(keyword) && !typeOf.has(keyword)) {
      const known = [...general, ...typeOf.keys(), ...unchecked, ...annotations];
      const meant = nearest(keyword, known);
      const hint =
        meant === null
          ? 'it is ignored; members of an object stand in "properties"'
          : `did you mean "${meant}"?`;
      scope.warn("MG205", places(at), `"${keyword}" is no keyword of JSON Schema that is known here`, hint);
    } else if (siblings === "ignored") {
      const message = `"${keyword}" stands beside a "$ref", where draft-07 ignores it`;
      scope.note("MG207", places(at), message, 'join the two in an "allOf"');
    } else reportIdle(context, node, keyword, at);
  }
}

/** A keyword that speaks of another type than the schema's own has no effect. */
function reportIdle(context: SchemaContext, node: JsonObject, keyword: string, at: number): void {
  const speaksOf = typeOf.get(keyword);
  const type = node.members.get("type")?.value;
  if (speaksOf === undefined || type === undefined) return;
  const names = type.kind === "array" ? type.items : [type];
  const speaks = names.some((name) => {
    if (name.kind !== "scalar" || typeof name.value !== "string") return true;
    return name.value === speaksOf || (name.value === "integer" && byType.integer.includes(keyword));
  });
  if (speaks) return;
  const message = `"${keyword}" speaks of a value of type "${speaksOf}", which this schema never accepts`;
  context.scope.warn("MG208", context.places(at), message, "remove it, or correct the type");
}
