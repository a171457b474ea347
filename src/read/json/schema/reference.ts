import type { Type } from "../../../ir/model.js";
import { stringOf, type JsonNode } from "../text/tree.js";
import { malformed, type SchemaContext } from "./context.js";
import { readType } from "./type.js";

/** How many references into the middle of a schema are followed in a file, and how many inside each other. */
const mostFollowed = 10_000;
const deepest = 20;

/** `$ref`: a named type, or a schema elsewhere in the text, which is read as if it stood here. Nothing is fetched. */
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
        return fail(
          `the reference "${ref}" leads back to itself`,
          "give the schema a name among the definitions",
        );
      }
      // Each such reference may hold several more, so that a small text could ask for an endless answer.
      context.followed.count += 1;
      if (context.followed.count > mostFollowed || context.following.size >= deepest) {
        return fail(
          `the reference "${ref}" is one too many that leads into the middle of a schema`,
          "give what it leads to a name among the definitions",
        );
      }
      return readType({ ...context, following: new Set([...context.following, ref]) }, target.node);
    }
    default:
      return target satisfies never;
  }
}
