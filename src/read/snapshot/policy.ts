import { anything, type Schema } from "../../ir/constraint.js";
import { reportUnchecked, type SchemaContext, type SchemaPolicy } from "../json-schema/context.js";
import { targetOf } from "../json-schema/reference.js";
import { member, show, type JsonNode } from "../json/text/tree.js";
import { nearest } from "../nearest.js";

/** The limits of one schema: the number of values in its text, and the nesting of schemas. */
export const limits = { nodes: 10_000, depth: 64 } as const;

/** A schema that a reference refers to. */
export interface Part {
  readonly label: string;
  readonly node: JsonNode;
  readonly isEmbedded: boolean;
  schema: Schema | null;
}

/**
 * The policy for the schemas of a server. A mistake is a warning: the keyword restricts nothing, so that no valid
 * value is rejected. Adds the targets of references to `parts`, and schemas that accept too much to
 * `overApproximated`.
 */
export function snapshotPolicy(
  rootKey: string,
  parts: Map<string, Part>,
  overApproximated: Set<Schema>,
): SchemaPolicy {
  const malformed: SchemaPolicy["malformed"] = (context, node, name, expected) => {
    const message = `"${name}" is ${show(node)}, expected ${expected}; it is not checked`;
    context.own.isOverApproximated = true;
    context.scope.warn("MG305", context.locationAt(node.at), message);
  };
  /** A schema without checks. */
  const uncheckedSchema = (): Schema => {
    const schema = { ...anything };
    overApproximated.add(schema);
    return schema;
  };
  return {
    malformed,
    prepare: (context, node) => {
      if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
      if (node.kind !== "object") {
        malformed(context, node, "schema", "an object, true or false");
        return uncheckedSchema();
      }
      if (context.depth <= limits.depth) return node;
      const message = `schemas are nested more than ${limits.depth} levels deep; this one is not checked`;
      reportUnchecked(context, node, message, "flatten the schema");
      return uncheckedSchema();
    },
    reference: (context, node, ref) => {
      const target = targetOf(context, ref);
      if (target === null) {
        reportMissingTarget(context, node, ref);
        return [];
      }
      const key = `${rootKey}${target.pointer}`;
      if (!parts.has(key)) parts.set(key, { ...target, schema: null });
      return [{ kind: "reference", key }];
    },
    finish: (context, _node, schema) => {
      if (context.own.isOverApproximated) overApproximated.add(schema);
      return schema;
    },
  };
}

function reportMissingTarget(context: SchemaContext, node: JsonNode, ref: string): void {
  context.own.isOverApproximated = true;
  const isLocal = ref.startsWith("#");
  const suggestion = isLocal ? nearest(ref, definitionsIn(context.root)) : null;
  context.scope.warn(
    "MG306",
    context.locationAt(node.at),
    isLocal
      ? `the reference ${show(node)} has no target; it is not checked`
      : `the reference ${show(node)} leads out of this schema; it is not checked, because its target is not fetched`,
    suggestion === null ? null : `did you mean "${suggestion}"?`,
  );
}

function definitionsIn(root: JsonNode): string[] {
  return ["$defs", "definitions"].flatMap((container) => {
    const node = member(root, container);
    return node?.kind === "object" ? [...node.members.keys()].map((name) => `#/${container}/${name}`) : [];
  });
}
