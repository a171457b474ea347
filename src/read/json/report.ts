import { nearest } from "../nearest.js";
import type { JsonObject } from "./text/tree.js";
import type { SchemaContext } from "../json-schema/context.js";
import { annotations, byType, general, typeOf, unchecked } from "./keywords.js";

/** Reports each keyword of a schema that is ignored or not checked. */
export function reportKeywords(context: SchemaContext, node: JsonObject, siblings: "read" | "ignored"): void {
  const { scope, locationAt: locations } = context;
  for (const [keyword, { at }] of node.members) {
    if (annotations.has(keyword) || keyword === "$ref") continue;
    if (unchecked.has(keyword)) {
      const message = `the keyword "${keyword}" is not checked; values that violate it are accepted`;
      scope.warn("MG205", locations(at), message, null);
    } else if (!general.has(keyword) && !typeOf.has(keyword)) {
      const keywords = [...general, ...typeOf.keys(), ...unchecked, ...annotations];
      const suggestion = nearest(keyword, keywords);
      const hint =
        suggestion === null
          ? 'put the members of an object into "properties"'
          : `did you mean "${suggestion}"?`;
      scope.warn("MG205", locations(at), `the keyword "${keyword}" is unknown and ignored`, hint);
    } else if (siblings === "ignored") {
      const message = `"${keyword}" is ignored next to a "$ref" in draft-07`;
      scope.note("MG207", locations(at), message, 'combine both in an "allOf"');
    } else reportInapplicable(context, node, keyword, at);
  }
}

/** Reports a keyword that applies to another type than the schema's own. */
function reportInapplicable(context: SchemaContext, node: JsonObject, keyword: string, at: number): void {
  const appliesTo = typeOf.get(keyword);
  const type = node.members.get("type")?.value;
  if (appliesTo === undefined || type === undefined) return;
  const names = type.kind === "array" ? type.items : [type];
  const applies = names.some((name) => {
    if (name.kind !== "scalar" || typeof name.value !== "string") return true;
    return name.value === appliesTo || (name.value === "integer" && byType.integer.includes(keyword));
  });
  if (applies) return;
  const message = `"${keyword}" applies to type "${appliesTo}", which this schema never accepts`;
  context.scope.warn("MG208", context.locationAt(at), message, "remove it, or correct the type");
}
