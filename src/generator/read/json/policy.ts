import { anything, type Check, type Schema } from "../../ir/constraint.js";
import { annotations } from "../../ir/constraint/annotations.js";
import { isOf } from "../../ir/json/value.js";
import { nearest } from "../nearest.js";
import type { SchemaContext, SchemaPolicy } from "../json-schema/context.js";
import { keyword, typesOf } from "../json-schema/keyword.js";
import { targetOf } from "../json-schema/reference.js";
import {
  isOldTuple,
  keywordsOfTypes,
  keywordUse,
  readSchema,
} from "../json-schema/schema.js";
import { pointerSteps } from "./text/pointer.js";
import {
  keyOf,
  show,
  toJson,
  type JsonNode,
  type JsonObject,
} from "./text/tree.js";

/**
 * The keywords that hold the named types of a file, in draft-07 and 2020-12.
 */
export const containers = ["definitions", "$defs"] as const;

/** Maximum number of inlined references in a file, and their maximum depth. */
const maxInlined = 10_000;
const maxDepth = 20;

/**
 * The policy for the schema of a revision. A mistake is an error. Adds schemas
 * that accept too much to `overApproximated`. References to schemas without a
 * name are inlined; `openReferences` has those whose inlining has started, to
 * detect cycles.
 */
export function revisionPolicy(
  names: readonly string[],
  overApproximated: Set<Schema>,
  inlined: { count: number } = { count: 0 },
  openReferences: ReadonlySet<string> = new Set(),
): SchemaPolicy {
  const reference = (
    context: SchemaContext,
    node: JsonNode,
    ref: string,
  ): readonly Check[] => {
    const fail = (problem: string, hint: string): readonly Check[] => {
      context.scope.error(
        "MG204",
        context.locationAt(node.at),
        `${problem}: "${ref}"`,
        hint,
      );
      return [];
    };
    const target = targetOf(context, ref);
    if (target === null && !ref.startsWith("#"))
      return fail(
        "the reference is to another file, which is not fetched",
        "copy the definition into this file",
      );
    if (target === null) {
      const suggestion = nearest(ref.slice(ref.lastIndexOf("/") + 1), names);
      const hint =
        suggestion === null
          ? "define it, or correct the reference"
          : `did you mean "${suggestion}"?`;
      return fail("the reference has no target", hint);
    }
    const [container, name, ...others] = pointerSteps(target.pointer) ?? [];
    if (container === undefined)
      return fail(
        "the reference is to the whole file, which is not a type",
        "refer to one of its definitions",
      );
    if (
      name !== undefined &&
      others.length === 0 &&
      containers.some((word) => word === container)
    )
      return [{ kind: "reference", key: name }];
    if (openReferences.has(ref))
      return fail(
        "the reference is circular",
        "give the schema a name among the definitions",
      );
    // Inlined schemas may contain further references, so a small file could
    // expand exponentially.
    inlined.count += 1;
    if (inlined.count > maxInlined || openReferences.size >= maxDepth)
      return fail(
        "too many references to schemas without a name",
        "give the target a name among the definitions",
      );
    const open = new Set([...openReferences, ref]);
    const policy = revisionPolicy(names, overApproximated, inlined, open);
    const schema = readSchema({ ...context, policy }, target.node);
    context.own.isOverApproximated ||= overApproximated.has(schema);
    const { checks, notes } = schema;
    return notes === undefined
      ? checks
      : [{ kind: "all", schemas: [{ ...anything, checks, notes }] }];
  };
  return {
    mixesDialects: () => true,
    malformed,
    reference,
    prepare: (context, node) => {
      if (node.kind === "scalar" && typeof node.value === "boolean")
        return node.value;
      if (node.kind === "object") {
        for (const [name, { at }] of node.members)
          reportKeyword(context, node, name, at);
        reportValues(context, node);
        return node;
      }
      const at = context.locationAt(node.at);
      context.scope.error(
        "MG203",
        at,
        `expected a schema, got ${show(node)}`,
        "a schema is an object",
      );
      return true;
    },
    afterRead: (
      { dialect, own },
      node,
      { notes: all = [], checks, ...schema },
    ) => {
      // The doc has the description. Keywords that only describe, such as
      // `format`, reject nothing.
      const notes = all
        .filter(
          ({ keyword }) =>
            !["description", "deprecated"].includes(keyword) &&
            !keyword.startsWith("mcpgen:"),
        )
        .map((note) =>
          keywordUse(dialect, note.keyword) === "described"
            ? { ...note, isCondition: false }
            : note,
        );
      const result: Schema = {
        ...schema,
        // `{ properties: {}, additionalProperties: true }` means "any object",
        // not a map.
        checks: node.members.has("properties")
          ? checks.filter((check) => !allowsAnyMember(check))
          : checks,
        ...(notes.length > 0 && { notes }),
      };
      if (own.isOverApproximated) overApproximated.add(result);
      return result;
    },
  };
}

function allowsAnyMember(check: Check): boolean {
  if (
    check.kind !== "members" ||
    check.properties.length + check.patterns.length > 0
  )
    return false;
  return check.rest?.checks.length === 0;
}

/** Reports a keyword whose value has the wrong type. */
function malformed(
  context: SchemaContext,
  node: JsonNode,
  keyword: string,
  expected: string,
): void {
  const at = context.locationAt(node.at);
  context.scope.error(
    "MG203",
    at,
    `"${keyword}": expected ${expected}, got ${show(node)}`,
    null,
  );
}

/**
 * Reports a keyword that is unknown, ignored, not checked, or that never
 * applies.
 */
function reportKeyword(
  context: SchemaContext,
  node: JsonObject,
  name: string,
  at: number,
): void {
  const { scope, locationAt, dialect } = context;
  const location = locationAt(at);
  const use = keywordUse(dialect, name);
  const types = keyword(node, "type");
  const type = keywordsOfTypes.get(name);
  if (use === "unknown") {
    const suggestion = nearest(name, [
      ...keywordsOfTypes.keys(),
      ...annotations,
      "type",
      "enum",
      "const",
      "anyOf",
    ]);
    const hint =
      suggestion === null
        ? 'put the members of an object into "properties"'
        : `did you mean "${suggestion}"?`;
    scope.warn(
      "MG205",
      location,
      `the keyword "${name}" is unknown and ignored`,
      hint,
    );
  } else if (use === "unchecked" && !isOldTuple(node, name)) {
    scope.warn(
      "MG205",
      location,
      `the keyword "${name}" is not checked; values that violate it are accepted`,
      null,
    );
  } else if (
    dialect === "draft-07" &&
    node.members.has("$ref") &&
    name !== "$ref" &&
    !annotations.has(name)
  ) {
    scope.note(
      "MG207",
      location,
      `"${name}" is ignored next to a "$ref" in draft-07`,
      'combine both in an "allOf"',
    );
  } else if (type !== undefined && types !== undefined) {
    const listed = typesOf(types).filter((one) => one !== null);
    const applies =
      listed.length === 0 ||
      listed.some(
        (one) => one === type || (one === "integer" && type === "number"),
      );
    const message = `"${name}" applies to type "${type}", which this schema never accepts`;
    if (!applies)
      scope.warn("MG208", location, message, "remove it, or correct the type");
  } else if (name === "properties" || name === "items") {
    const message = `"${name}" has no "type" next to it, so that values of other types than "${type}" are accepted`;
    scope.note("MG207", location, message, `write "type": "${type}"`);
  }
}

const valueTypes = [
  ["description", "string", "a string"],
  ["format", "string", "a string"],
  ["nullable", "boolean", "true or false"],
] as const;

/**
 * Reports values that contradict other keywords of the schema, and annotations
 * of the wrong type.
 */
function reportValues(context: SchemaContext, node: JsonObject): void {
  for (const [name, type, expected] of valueTypes) {
    const value = keyword(node, name);
    if (
      value !== undefined &&
      !(value.kind === "scalar" && typeof value.value === type)
    )
      malformed(context, value, name, expected);
  }
  const only = keyword(node, "const");
  const list = keyword(node, "enum");
  const items = list?.kind === "array" ? list.items : [];
  if (
    only !== undefined &&
    items.length > 0 &&
    !items.map(keyOf).includes(keyOf(only))
  )
    malformed(
      context,
      only,
      "const",
      'a value that the "enum" beside it lists',
    );
  const type = keyword(node, "type");
  const types =
    type === undefined ? [] : typesOf(type).filter((one) => one !== null);
  for (const value of only === undefined ? items : [only]) {
    const json = toJson(value);
    if (types.length === 0 || types.some((name) => isOf(name, json))) continue;
    const expected = types.map((name) => `"${name}"`).join(" or ");
    malformed(
      context,
      value,
      only === undefined ? "enum" : "const",
      `a value of type ${expected}`,
    );
  }
}
