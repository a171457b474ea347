import type { Scope } from "../../diagnostics.js";
import type { Schema } from "../../ir/constraint.js";
import type { Declaration, Type } from "../../ir/model.js";
import { docOf, typeOf } from "../../ir/type-of.js";
import { nearest } from "../nearest.js";
import { ownState, type SchemaContext, dialectNamed, type Dialect } from "../json-schema/context.js";
import { readSchema } from "../json-schema/schema.js";
import { annotations } from "./keywords.js";
import { revisionPolicy, type FileSchemas, type Target } from "./policy.js";
import { localRef, resolve } from "./text/pointer.js";
import {
  show,
  stringOf,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  type Locations,
} from "./text/tree.js";

/** The keywords that hold the named types of a file, in draft-07 and 2020-12. */
const containers = ["definitions", "$defs"] as const;

/** The named types of a schema file as declarations, in the order of the text. */
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
  const file: FileSchemas = {
    target: (ref) => findTarget(root, definitions, ref),
    targets: new Map(),
    inlined: { count: 0 },
    origins: new Map(),
  };
  const context: SchemaContext = {
    locationAt: locations,
    scope,
    dialect: dialectOf(root, locations, scope),
    root,
    depth: 0,
    isEmbedded: false,
    policy: revisionPolicy(file),
    own: ownState(),
  };
  const onConflict = (schema: Schema): void => {
    const origin = file.origins.get(schema);
    const message = "the model cannot express these conditions together; only the first is checked";
    if (origin !== undefined)
      origin.scope.warn("MG206", locations(origin.at), message, "combine them into one schema");
  };
  return [...definitions].map(([name, { value }]) => {
    const schema = readSchema({ ...context, scope: scope.in(`definition ${name}`) }, value);
    return declarationOf(name, schema, typeOf(schema, { targets: file.targets, onConflict }));
  });
}

/** An object with named members becomes an interface; any other type becomes an alias. */
function declarationOf(name: string, schema: Schema, type: Type): Declaration {
  const doc = docOf(schema);
  if (type.kind === "object" && type.properties.length > 0) {
    return { kind: "interface", name, doc, bases: [], properties: type.properties, rest: type.rest };
  }
  return { kind: "alias", name, doc, type };
}

function definitionsIn(
  root: JsonObject,
  locations: Locations,
  scope: Scope,
): ReadonlyMap<string, JsonMember> | null {
  const definitions = new Map<string, JsonMember>();
  let hasContainer = false;
  for (const container of containers) {
    const node = root.members.get(container)?.value;
    if (node === undefined) continue;
    hasContainer = true;
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
  if (hasContainer) return definitions;
  const hint = 'put the types under "definitions" or "$defs"';
  scope.error("MG203", locations(root.at), "this file defines no types", hint);
  return null;
}

/** Warns of keywords at the root, which would describe the file itself. */
function reportRoot(root: JsonObject, locations: Locations, scope: Scope): void {
  const expected: ReadonlySet<string> = new Set(["$schema", "$id", ...containers]);
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

function dialectOf(root: JsonObject, locations: Locations, scope: Scope): Dialect {
  const value = root.members.get("$schema")?.value;
  if (value === undefined) return "2020-12";
  const dialect = dialectNamed(stringOf(value));
  if (dialect !== null) return dialect;
  const message = `the dialect ${show(value)} is unknown; the schema is read as 2020-12`;
  scope.warn("MG208", locations(value.at), message, "use draft-07 or 2020-12");
  return "2020-12";
}

function findTarget(root: JsonNode, definitions: ReadonlyMap<string, JsonMember>, ref: string): Target {
  if (!ref.startsWith("#")) {
    const problem = `the reference "${ref}" is to another file, which is not fetched`;
    return { kind: "none", problem, hint: "copy the definition into this file" };
  }
  const steps = localRef(ref);
  const node = steps === null ? null : resolve(root, steps);
  if (steps === null || node === null) {
    const last = steps?.at(-1) ?? ref;
    const suggestion = nearest(last, definitions.keys());
    const hint =
      suggestion === null ? "define it, or correct the reference" : `did you mean "${suggestion}"?`;
    return { kind: "none", problem: `the reference "${ref}" has no target`, hint };
  }
  if (steps.length === 0) {
    const problem = `the reference "${ref}" is to the whole file, which is not a type`;
    return { kind: "none", problem, hint: "refer to one of its definitions" };
  }
  const [container, name] = steps;
  const isDefinition = steps.length === 2 && containers.some((word) => word === container);
  return isDefinition && name !== undefined ? { kind: "named", name } : { kind: "unnamed", node };
}
