import type { Check, PatternProperty, Schema, SchemaProperty } from "../../../ir/constraint.js";
import type { JsonNode, JsonObject } from "../../json/text/tree.js";
import { evaluatedMembers } from "./evaluated.js";
import { keyword, membersIn, namesIn } from "./keyword.js";
import { deeper, unchecked, type Reading } from "./reading.js";
import { readSchema } from "./schema.js";
import { readPattern, readSize } from "./string.js";

export function readMemberChecks(reading: Reading, node: JsonObject): Check[] {
  const required = namesIn(reading, keyword(node, "required"), "required");
  return [
    ...(required.length === 0 ? [] : [{ kind: "required" as const, names: required }]),
    ...readMembers(reading, node),
    ...readNames(reading, node),
    ...readSize(reading, node, "object", "minProperties", "maxProperties"),
    ...readDependencies(reading, node),
    ...readUnevaluated(reading, node),
  ];
}

function readMembers(reading: Reading, node: JsonObject): Check[] {
  const properties = membersIn(reading, node, "properties").map(([name, value]): SchemaProperty => ({
    name,
    schema: readSchema(deeper(reading, `member ${name}`), value),
  }));
  const patterns: PatternProperty[] = [];
  let isSure = true;
  for (const [pattern, value] of membersIn(reading, node, "patternProperties")) {
    const longest = readPattern(reading, value, pattern);
    // Members of whose names it is unknown whether a pattern speaks of them must not be judged by the rest.
    if (longest !== null) isSure = false;
    if (longest === undefined) continue;
    const schema = readSchema(deeper(reading, `members ${pattern}`), value);
    patterns.push({ pattern, longest, schema });
  }
  const others = keyword(node, "additionalProperties");
  let rest: Schema | null = null;
  if (others !== undefined && isSure) rest = readSchema(deeper(reading, "additionalProperties"), others);
  else if (others !== undefined) {
    const message = '"additionalProperties" depends on a pattern that is not checked; it is left unchecked';
    unchecked(reading, others, message, null);
  }
  if (properties.length === 0 && patterns.length === 0 && rest === null) return [];
  return [{ kind: "members", properties, patterns, rest }];
}

function readNames(reading: Reading, node: JsonObject): Check[] {
  const value = keyword(node, "propertyNames");
  if (value === undefined) return [];
  return [{ kind: "names", schema: readSchema(deeper(reading, "propertyNames"), value) }];
}

/** What must hold when a member is there; draft-07 has one word for both kinds. */
function readDependencies(reading: Reading, node: JsonObject): Check[] {
  const read = (name: string, member: string, value: JsonNode): Check => {
    const isList = name === "dependentRequired" || (name === "dependencies" && value.kind === "array");
    return {
      kind: "dependent",
      member,
      names: isList ? namesIn(reading, value, name) : [],
      schema: isList ? null : readSchema(deeper(reading, `${name} ${member}`), value),
    };
  };
  const keywords =
    reading.dialect === "draft-07" ? ["dependencies"] : ["dependentRequired", "dependentSchemas"];
  return keywords.flatMap((name) =>
    membersIn(reading, node, name).map(([member, value]) => read(name, member, value)),
  );
}

function readUnevaluated(reading: Reading, node: JsonObject): Check[] {
  const value = keyword(node, "unevaluatedProperties");
  if (value === undefined || reading.dialect === "draft-07") return [];
  const known = evaluatedMembers(reading, node);
  const sure = known?.patterns.map((pattern) => ({ pattern, longest: readPattern(reading, value, pattern) }));
  if (known === null || sure === undefined || sure.some(({ longest }) => longest !== null)) {
    const message = '"unevaluatedProperties" depends on which branch an object takes; it is left unchecked';
    unchecked(reading, value, message, null);
    return [];
  }
  if (known.all) return [];
  const any: Schema = { doc: { text: "", tags: [] }, checks: [] };
  return [
    {
      kind: "members",
      properties: [...known.names].map((name) => ({ name, schema: any })),
      patterns: sure.map(({ pattern }) => ({ pattern, longest: null, schema: any })),
      rest: readSchema(deeper(reading, "unevaluatedProperties"), value),
    },
  ];
}
