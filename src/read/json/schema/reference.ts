import type { Type } from "../../../ir/model.js";
import { stringOf, type JsonNode } from "../text/tree.js";
import { malformed, type SchemaContext } from "./context.js";
import { readType } from "./type.js";

/** Maximum number of inlined references in a file, and their maximum depth. */
const maxFollowed = 10_000;
const maxDepth = 20;

/** Reads `$ref`: a reference to a named type, or any other schema of the file, which is inlined. Nothing is fetched. */
export function readReference(context: SchemaContext, node: JsonNode): Type {
  const ref = stringOf(node);
  if (ref === null) {
    malformed(context, node, "$ref", "a text that starts with #");
    return { kind: "unknown" };
  }
  const target = context.target(ref);
  const fail = (problem: string, hint: string): Type => {
    context.scope.error("MG204", context.places(node.at), problem, hint);
    return { kind: "unknown" };
  };
  switch (target.kind) {
    case "named":
      return { kind: "reference", name: target.name };
    case "nowhere":
      return fail(target.problem, target.hint);
    case "place": {
      if (context.following.has(ref)) {
        return fail(`the reference "${ref}" is circular`, "give the schema a name among the definitions");
      }
      // Inlined schemas may contain further references, so a small file could expand exponentially.
      context.followed.count += 1;
      if (context.followed.count > maxFollowed || context.following.size >= maxDepth) {
        return fail(
          `too many references to schemas without a name: "${ref}"`,
          "give the target a name among the definitions",
        );
      }
      return readType({ ...context, following: new Set([...context.following, ref]) }, target.node);
    }
    default:
      return target satisfies never;
  }
}
