import {
  anything,
  type Check,
  type PatternProperty,
  type Schema,
  type SchemaProperty,
} from "../../ir/constraint.js";
import { toJson, type JsonNode, type JsonObject } from "../json/text/tree.js";
import { evaluatedMembers } from "./evaluated.js";
import { keyword, membersIn, namesIn } from "./keyword.js";
import {
  inside,
  isDraft,
  reportUnchecked,
  type SchemaContext,
} from "./context.js";
import { readSchema } from "./schema.js";
import { readPattern, readSize } from "./string.js";

export function readMemberChecks(
  context: SchemaContext,
  node: JsonObject,
): Check[] {
  const required = namesIn(context, keyword(node, "required"), "required");
  return [
    ...(required.length === 0
      ? []
      : [{ kind: "required" as const, names: required }]),
    ...readMembers(context, node),
    ...readNames(context, node),
    ...readSize(context, node, "object"),
    ...readDependencies(context, node),
    ...readUnevaluated(context, node),
  ];
}

function readMembers(context: SchemaContext, node: JsonObject): Check[] {
  const properties = membersIn(context, node, "properties").map(
    ([name, value]): SchemaProperty => ({
      name,
      schema: readSchema(inside(context, `member ${name}`), value),
    }),
  );
  const patterns: PatternProperty[] = [];
  let arePatternsExact = true;
  for (const [pattern, value] of membersIn(
    context,
    node,
    "patternProperties",
  )) {
    const maxLength = readPattern(
      context,
      value,
      pattern,
      "patternProperties",
      { [pattern]: toJson(value) },
    );
    // If it is unknown whether a pattern matches a name, the rest must not
    // restrict the member.
    if (maxLength !== null) arePatternsExact = false;
    if (maxLength === undefined) continue;
    const schema = readSchema(inside(context, `members ${pattern}`), value);
    patterns.push({ pattern, maxLength, schema });
  }
  const others = keyword(node, "additionalProperties");
  let rest: Schema | null = null;
  if (others !== undefined && arePatternsExact)
    rest = readSchema(inside(context, "additionalProperties"), others);
  else if (others !== undefined) {
    const message =
      '"additionalProperties" is not checked, because it depends on a pattern that is not checked';
    reportUnchecked(context, "additionalProperties", others, message);
  }
  if (properties.length === 0 && patterns.length === 0 && rest === null)
    return [];
  return [{ kind: "members", properties, patterns, rest }];
}

function readNames(context: SchemaContext, node: JsonObject): Check[] {
  const value = keyword(node, "propertyNames");
  if (value === undefined) return [];
  return [
    {
      kind: "names",
      schema: readSchema(inside(context, "propertyNames"), value),
    },
  ];
}

/**
 * The checks that apply if a member is present. Draft-07 has one keyword for
 * both kinds.
 */
function readDependencies(context: SchemaContext, node: JsonObject): Check[] {
  const dependency = (name: string, member: string, value: JsonNode): Check => {
    const isList =
      name === "dependentRequired" ||
      (name === "dependencies" && value.kind === "array");
    return {
      kind: "dependent",
      member,
      names: isList ? namesIn(context, value, name) : [],
      schema: isList
        ? null
        : readSchema(inside(context, `${name} ${member}`), value),
    };
  };
  const keywords = isDraft(context.dialect)
    ? ["dependencies"]
    : ["dependentRequired", "dependentSchemas"];
  return keywords.flatMap((name) =>
    membersIn(context, node, name).map(([member, value]) =>
      dependency(name, member, value),
    ),
  );
}

function readUnevaluated(context: SchemaContext, node: JsonObject): Check[] {
  const value = keyword(node, "unevaluatedProperties");
  if (value === undefined || isDraft(context.dialect)) return [];
  const evaluated = evaluatedMembers(context, node);
  const patterns = evaluated?.patterns.map((pattern) => ({
    pattern,
    maxLength: readPattern(
      context,
      value,
      pattern,
      "unevaluatedProperties",
      toJson(value),
    ),
  }));
  if (
    evaluated === null ||
    patterns === undefined ||
    patterns.some(({ maxLength }) => maxLength !== null)
  ) {
    const message =
      '"unevaluatedProperties" is not checked, because it depends on the branch that an object matches';
    reportUnchecked(context, "unevaluatedProperties", value, message);
    return [];
  }
  if (evaluated.all) return [];
  return [
    {
      kind: "members",
      properties: [...evaluated.names].map((name) => ({
        name,
        schema: anything,
      })),
      patterns: patterns.map(({ pattern }) => ({
        pattern,
        maxLength: null,
        schema: anything,
      })),
      rest: readSchema(inside(context, "unevaluatedProperties"), value),
    },
  ];
}
