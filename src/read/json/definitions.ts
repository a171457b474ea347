import type { Scope } from "../../diagnostics.js";
import type { Declaration } from "../../ir/model.js";
import { nearest } from "../nearest.js";
import { dialectNamed, type Dialect } from "./dialect.js";
import type { SchemaContext, Target } from "./schema/context.js";
import { annotations } from "./schema/keywords.js";
import { readDoc } from "./schema/object.js";
import { readType } from "./schema/type.js";
import type { Places } from "./text/place.js";
import { localRef, resolve } from "./text/pointer.js";
import { show, stringOf, type JsonMember, type JsonNode, type JsonObject } from "./text/tree.js";

/** The keywords that hold the named types of a file, in draft-07 and 2020-12. */
const containers = ["definitions", "$defs"] as const;

/** The named types of a schema file as declarations, in the order of the text. */
export function readDefinitions(root: JsonNode, places: Places, scope: Scope): readonly Declaration[] | null {
  if (root.kind !== "object") {
    scope.error(
      "MG203",
      places(root.at),
      `expected a schema file, got ${show(root)}`,
      "a schema file is an object",
    );
    return null;
  }
  const definitions = gather(root, places, scope);
  if (definitions === null) return null;
  reportRoot(root, places, scope);
  const context: SchemaContext = {
    places,
    dialect: dialectOf(root, places, scope),
    target: (ref) => findTarget(root, definitions, ref),
    scope,
    following: new Set(),
    followed: { count: 0 },
  };
  return [...definitions].map(([name, { value }]) => readDefinition(context, name, value));
}

function readDefinition(context: SchemaContext, name: string, node: JsonNode): Declaration {
  const inside: SchemaContext = { ...context, scope: context.scope.in(`definition ${name}`) };
  const type = readType(inside, node);
  const doc = readDoc(inside, node);
  // An object with named members becomes an interface; any other type becomes an alias.
  if (type.kind === "object" && type.properties.length > 0) {
    return { kind: "interface", name, doc, bases: [], properties: type.properties, rest: type.rest };
  }
  return { kind: "alias", name, doc, type };
}

function gather(root: JsonObject, places: Places, scope: Scope): ReadonlyMap<string, JsonMember> | null {
  const found = new Map<string, JsonMember>();
  let any = false;
  for (const container of containers) {
    const node = root.members.get(container)?.value;
    if (node === undefined) continue;
    any = true;
    if (node.kind !== "object") {
      scope.error(
        "MG203",
        places(node.at),
        `"${container}": expected an object of schemas by name, got ${show(node)}`,
      );
      continue;
    }
    for (const [name, definition] of node.members) {
      if (!found.has(name)) found.set(name, definition);
      else
        scope.error(
          "MG202",
          places(definition.at),
          `the type "${name}" is defined twice`,
          "keep one of them",
        );
    }
  }
  if (any) return found;
  const hint = 'a schema of the protocol keeps its types under "definitions" or "$defs"';
  scope.error("MG203", places(root.at), "this file defines no types", hint);
  return null;
}

/** Warns of keywords at the root, which would describe the file itself. */
function reportRoot(root: JsonObject, places: Places, scope: Scope): void {
  const expected: ReadonlySet<string> = new Set(["$schema", "$id", ...containers]);
  for (const [keyword, { at }] of root.members) {
    if (expected.has(keyword) || annotations.has(keyword)) continue;
    scope.warn("MG205", places(at), `"${keyword}" at the root is ignored`, "only the definitions are read");
  }
}

function dialectOf(root: JsonObject, places: Places, scope: Scope): Dialect {
  const named = root.members.get("$schema")?.value;
  if (named === undefined) return "2020-12";
  const known = dialectNamed(stringOf(named));
  if (known !== null) return known;
  const message = `unknown dialect ${show(named)}; read as 2020-12`;
  scope.warn("MG208", places(named.at), message, "use draft-07 or 2020-12");
  return "2020-12";
}

function findTarget(root: JsonNode, definitions: ReadonlyMap<string, JsonMember>, ref: string): Target {
  if (!ref.startsWith("#")) {
    const problem = `the reference "${ref}" is to another file, which is not fetched`;
    return { kind: "nowhere", problem, hint: "copy the definition into this file" };
  }
  const steps = localRef(ref);
  const node = steps === null ? null : resolve(root, steps);
  if (steps === null || node === null) {
    const last = steps?.at(-1) ?? ref;
    const meant = nearest(last, definitions.keys());
    const hint = meant === null ? "define it, or correct the reference" : `did you mean "${meant}"?`;
    return { kind: "nowhere", problem: `the reference "${ref}" has no target`, hint };
  }
  if (steps.length === 0) {
    const problem = `the reference "${ref}" is to the whole file, which is not a type`;
    return { kind: "nowhere", problem, hint: "refer to one of its definitions" };
  }
  const [container, name] = steps;
  const isDefinition = steps.length === 2 && containers.some((word) => word === container);
  return isDefinition && name !== undefined ? { kind: "named", name } : { kind: "place", node };
}
