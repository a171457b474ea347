import { anything, type Check, type Schema } from "../../ir/constraint.js";
import { annotations } from "../../ir/constraint/annotations.js";
import { isOf } from "../../ir/json/value.js";
import { nearest, suggestion } from "../nearest.js";
import type {
  Dialect,
  SchemaContext,
  SchemaPolicy,
} from "../json-schema/context.js";
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

/** What the references of one file lead to. */
interface Targets {
  readonly names: readonly string[];
  readonly overApproximated: Set<Schema>;
  readonly inlined: { count: number };
  /** The references whose inlining has started, to detect cycles. */
  readonly open: ReadonlySet<string>;
}

/**
 * The policy for the schema of a revision. A mistake is an error. Adds schemas
 * that accept too much to `overApproximated`. References to schemas without a
 * name are inlined.
 */
export const revisionPolicy = (
  names: readonly string[],
  overApproximated: Set<Schema>,
): SchemaPolicy =>
  policyOf({
    names,
    overApproximated,
    inlined: { count: 0 },
    open: new Set(),
  });

const policyOf = (targets: Targets): SchemaPolicy => ({
  mixesDialects: () => true,
  malformed,
  reference: (context, node, ref) => readReference(targets, context, node, ref),
  prepare,
  afterRead: ({ dialect, own }, node, schema) => {
    const result = withoutDescriptions(dialect, node, schema);
    if (own.isOverApproximated) targets.overApproximated.add(result);
    return result;
  },
});

/** The named type, or the conditions of a schema without a name. */
function readReference(
  targets: Targets,
  context: SchemaContext,
  node: JsonNode,
  ref: string,
): readonly Check[] {
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
    const last = ref.slice(ref.lastIndexOf("/") + 1);
    return fail(
      "the reference has no target",
      suggestion(last, targets.names, JSON.stringify) ??
        "define it, or correct the reference",
    );
  }
  const [container, name, ...others] = pointerSteps(target.pointer) ?? [];
  if (container === undefined)
    return fail(
      "the reference is to the whole file, which is not a type",
      "refer to one of its definitions",
    );
  const isNamed = containers.some((word) => word === container);
  if (isNamed && name !== undefined && others.length === 0)
    return [{ kind: "reference", key: name }];
  if (targets.open.has(ref))
    return fail(
      "the reference is circular",
      "give the schema a name among the definitions",
    );
  // Inlined schemas may contain further references, so a small file could
  // expand exponentially.
  targets.inlined.count += 1;
  if (targets.inlined.count > maxInlined || targets.open.size >= maxDepth)
    return fail(
      "too many references to schemas without a name",
      "give the target a name among the definitions",
    );
  const policy = policyOf({
    ...targets,
    open: new Set([...targets.open, ref]),
  });
  const schema = readSchema({ ...context, policy }, target.node);
  context.own.isOverApproximated ||= targets.overApproximated.has(schema);
  const { checks, notes } = schema;
  return notes === undefined
    ? checks
    : [{ kind: "all", schemas: [{ ...anything, checks, notes }] }];
}

/** An object whose keywords are reported, or a boolean. */
function prepare(context: SchemaContext, node: JsonNode): JsonObject | boolean {
  if (node.kind === "scalar" && typeof node.value === "boolean")
    return node.value;
  if (node.kind === "object") {
    for (const [name, { at }] of node.members)
      reportKeyword(context, node, name, at);
    reportValues(context, node);
    return node;
  }
  const at = context.locationAt(node.at);
  const message = `expected a schema, got ${show(node)}`;
  context.scope.error("MG203", at, message, "a schema is an object");
  return true;
}

/**
 * A schema as a revision has it. The doc has the description. Keywords that
 * only describe, such as `format`, reject nothing.
 */
function withoutDescriptions(
  dialect: Dialect,
  node: JsonObject,
  { notes: all = [], checks, ...schema }: Schema,
): Schema {
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
  return {
    ...schema,
    // `{ properties: {}, additionalProperties: true }` means "any object",
    // not a map.
    checks: node.members.has("properties")
      ? checks.filter((check) => !allowsAnyMember(check))
      : checks,
    ...(notes.length > 0 && { notes }),
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

const commonKeywords = ["type", "enum", "const", "anyOf"];

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
    const known = [
      ...keywordsOfTypes.keys(),
      ...annotations,
      ...commonKeywords,
    ];
    // A short name is a member rather than the beginning of a keyword.
    const near = nearest(name, known);
    const hint =
      near === null
        ? 'put the members of an object into "properties"'
        : `did you mean ${JSON.stringify(near)}?`;
    const message = `the keyword "${name}" is unknown and ignored`;
    scope.warn("MG205", location, message, hint);
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
