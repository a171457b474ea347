import type { Scope } from "../../diagnostics.js";
import type { Schema } from "../../ir/constraint.js";
import { annotations } from "../../ir/constraint/annotations.js";
import type { Declaration } from "../../ir/model.js";
import { propertiesIn, typeIn } from "../../ir/constraint/form.js";
import {
  dialectNamed,
  documentContext,
  type Dialect,
} from "../json-schema/context.js";
import { readSchema } from "../json-schema/schema.js";
import { weakened } from "../snapshot/weaken.js";
import { containers, revisionPolicy } from "./policy.js";
import {
  show,
  stringOf,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  type Locations,
} from "./text/tree.js";

/**
 * The named types of a schema file as declarations, in the order of the text.
 */
export function readDefinitions(
  root: JsonNode,
  locations: Locations,
  scope: Scope,
): readonly Declaration[] | null {
  if (root.kind !== "object") {
    scope.error(
      "MG203",
      locations(root.at),
      `expected an object with definitions, got ${show(root)}`,
      "pass a schema file of the protocol",
    );
    return null;
  }
  const definitions = definitionsIn(root, locations, scope);
  if (definitions === null) return null;
  reportRoot(root, locations, scope);
  const overApproximated = new Set<Schema>();
  const dialect = dialectOf(root, locations, scope);
  const policy = revisionPolicy([...definitions.keys()], overApproximated);
  const context = documentContext(root, dialect, locations, scope, policy);
  const schemas = [...definitions].map(([name, { value }]) => {
    const schema = readSchema(
      { ...context, scope: scope.in(`definition ${name}`) },
      value,
    );
    return { key: name, label: name, schema };
  });
  return weakened(schemas, overApproximated, scope).map(
    ({ key: name, schema }) => ({
      kind: isInterface(schema) ? "interface" : "alias",
      name,
      bases: [],
      schema,
    }),
  );
}

/** An object with named members, and no condition on its other members. */
function isInterface(schema: Schema): boolean {
  const isPlain = schema.checks.every((check) => {
    if (check.kind !== "members")
      return check.kind === "type" || check.kind === "required";
    return (
      check.patterns.length === 0 &&
      (check.rest === null || check.rest.checks.length === 0)
    );
  });
  return (
    isPlain && typeIn(schema) === "object" && propertiesIn(schema).length > 0
  );
}

function definitionsIn(
  root: JsonObject,
  locations: Locations,
  scope: Scope,
): ReadonlyMap<string, JsonMember> | null {
  const definitions = new Map<string, JsonMember>();
  let hasContainer = false;
  let isEmpty = true;
  for (const container of containers) {
    const node = root.members.get(container)?.value;
    if (node === undefined) continue;
    hasContainer = true;
    isEmpty &&= node.kind === "object" && node.members.size === 0;
    if (node.kind !== "object") {
      scope.error(
        "MG203",
        locations(node.at),
        `"${container}": expected an object of schemas by name, got ${show(node)}`,
      );
      continue;
    }
    for (const [name, definition] of node.members) {
      if (!definitions.has(name)) definitions.set(name, definition);
      else
        scope.error(
          "MG202",
          locations(definition.at),
          `the type "${name}" is defined twice`,
          "keep one of them",
        );
    }
  }
  if (hasContainer && !isEmpty) return definitions;
  const hint = 'put the types under "definitions" or "$defs"';
  const place = locations(root.at);
  if (hasContainer)
    scope.error("MG117", place, "the file has no declarations", hint);
  else scope.error("MG203", place, "this file defines no types", hint);
  return null;
}

/** Warns of keywords at the root, which would describe the file itself. */
function reportRoot(
  root: JsonObject,
  locations: Locations,
  scope: Scope,
): void {
  const expected: ReadonlySet<string> = new Set([
    "$schema",
    "$id",
    ...containers,
  ]);
  for (const [keyword, { at }] of root.members) {
    if (expected.has(keyword) || annotations.has(keyword)) continue;
    scope.warn(
      "MG205",
      locations(at),
      `"${keyword}" at the root is ignored`,
      "move it into a definition, because only definitions are read",
    );
  }
}

function dialectOf(
  root: JsonObject,
  locations: Locations,
  scope: Scope,
): Dialect {
  const value = root.members.get("$schema")?.value;
  if (value === undefined) return "2020-12";
  const dialect = dialectNamed(stringOf(value));
  if (dialect !== null) return dialect;
  const message = `the dialect ${show(value)} is unknown; the schema is read as 2020-12`;
  scope.warn("MG208", locations(value.at), message, "use draft-07 or 2020-12");
  return "2020-12";
}
