import { anything, unreadSchema, type Schema } from "../../ir/constraint.js";
import { withoutAnnotations } from "../../ir/constraint/annotations.js";
import {
  addUnchecked,
  type SchemaContext,
  type SchemaPolicy,
} from "../json-schema/context.js";
import { type Resource, startOf, targetOf } from "../json-schema/reference.js";
import { pointerOf } from "../json/text/pointer.js";
import { member, show, toJson, type JsonNode } from "../json/text/tree.js";
import { nearest } from "../nearest.js";
import type { Origin } from "./impossible.js";

/**
 * The limits of one schema: the number of values in its text, and the nesting
 * of schemas.
 */
export const limits = { nodes: 10_000, depth: 64 } as const;

/** A schema that a reference refers to. */
export interface Part {
  readonly label: string;
  readonly node: JsonNode;
  readonly resource: Resource;
  schema: Schema | null;
}

/**
 * The policy for the schemas of a server. A mistake is a warning: the keyword
 * restricts nothing, so that no valid value is rejected. Adds the targets of
 * references to `parts`, schemas that accept too much to `overApproximated`,
 * and each schema to `origins`.
 */
export function snapshotPolicy(
  rootKey: string,
  parts: Map<string, Part>,
  overApproximated: Set<Schema>,
  origins: Map<Schema, Origin>,
): SchemaPolicy {
  const malformed: SchemaPolicy["malformed"] = (
    context,
    node,
    name,
    expected,
  ) => {
    const message = `"${name}" is ${show(node)}, expected ${expected}; it is not checked`;
    addUnchecked(context, name, toJson(node));
    context.scope.warn("MG305", context.locationAt(node.at), message);
  };
  return {
    mixesDialects: (hasDialect) => !hasDialect,
    malformed,
    prepare: (context, node) => {
      if (node.kind === "scalar" && typeof node.value === "boolean")
        return node.value;
      if (node.kind === "object" && context.depth <= limits.depth) return node;
      const at = context.locationAt(node.at);
      if (node.kind !== "object") {
        const message = `"schema" is ${show(node)}, expected an object, true or false; it is not checked`;
        context.scope.warn("MG305", at, message);
      } else {
        const message = `schemas are nested more than ${limits.depth} levels deep; this one is not checked`;
        context.scope.warn("MG308", at, message, "flatten the schema");
      }
      const schema = uncheckedSchema(node);
      overApproximated.add(schema);
      return schema;
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
    afterRead: (context, node, schema) => {
      if (context.own.isOverApproximated) overApproximated.add(schema);
      origins.set(schema, { scope: context.scope, at: node.at });
      return schema;
    },
  };
}

/** Replaces a schema that is not read: accepts any value. */
export function uncheckedSchema(node: JsonNode): Schema {
  const value = withoutAnnotations(toJson(node));
  return {
    ...anything,
    notes: [{ keyword: unreadSchema, value, isCondition: true }],
  };
}

function reportMissingTarget(
  context: SchemaContext,
  node: JsonNode,
  ref: string,
): void {
  addUnchecked(context, "$ref", toJson(node));
  const isLocal = startOf(context, ref) !== null;
  const suggestion = isLocal
    ? similarReference(ref, definitionsIn(context.resource.node, ref))
    : null;
  context.scope.warn(
    "MG306",
    context.locationAt(node.at),
    isLocal
      ? `the reference ${show(node)} has no target; it is not checked`
      : `the reference ${show(node)} leads out of this schema; it is not checked, because its target is not fetched`,
    suggestion === null ? null : `did you mean "${suggestion}"?`,
  );
}

/** A reference to the same name in another container, or the nearest one. */
function similarReference(
  ref: string,
  others: readonly string[],
): string | null {
  const name = ref.slice(ref.lastIndexOf("/"));
  return others.find((other) => other.endsWith(name)) ?? nearest(ref, others);
}

/** The references to the definitions of a document, apart from one. */
function definitionsIn(root: JsonNode, except: string): string[] {
  return ["$defs", "definitions"].flatMap((container) => {
    const node = member(root, container);
    const names = node?.kind === "object" ? [...node.members.keys()] : [];
    return names
      .map((name) => `#${pointerOf([container, name]).replaceAll("%", "%25")}`)
      .filter((ref) => ref !== except);
  });
}
