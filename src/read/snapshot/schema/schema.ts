import type { Doc } from "../../../ir/model.js";
import { anything, type Check, type Schema, type TypeName } from "../../../ir/constraint.js";
import { isTypeName, typeNames } from "../../json/schema/keywords.js";
import { show, stringOf, type JsonNode, type JsonObject } from "../../json/text/tree.js";
import { toJson } from "../value.js";
import { readArrayChecks } from "./array.js";
import { readBranches } from "./branches.js";
import { keyword, numberIn } from "./keyword.js";
import { readMemberChecks } from "./members.js";
import { budget, malformed, unchecked, type Reading } from "./reading.js";
import { isIdentified, readReference, unfollowed } from "./reference.js";
import { readStringChecks } from "./string.js";

const never: Schema = { doc: anything.doc, checks: [{ kind: "never" }] };

/** A schema of a tool as conditions. What cannot be checked is reported and restricts nothing. */
export function readSchema(outer: Reading, node: JsonNode): Schema {
  if (node.kind === "scalar" && node.value === true) return anything;
  if (node.kind === "scalar" && node.value === false) return never;
  if (node.kind !== "object") {
    malformed(outer, node, "schema", "an object, true or false");
    return anything;
  }
  if (outer.depth > budget.depth) {
    unchecked(
      outer,
      node,
      `schemas lie more than ${budget.depth} deep inside each other; this one is left unchecked`,
      "flatten the schema",
    );
    return anything;
  }
  const isEmbedded = outer.isEmbedded || (node !== outer.root && isIdentified(node));
  const reading: Reading = { ...outer, isEmbedded, own: { isOverApproximated: false } };
  const schema: Schema = { doc: readDoc(node), checks: readChecks(reading, node) };
  if (reading.own.isOverApproximated) reading.overApproximated.add(schema);
  return schema;
}

function readChecks(reading: Reading, node: JsonObject): Check[] {
  const reference = keyword(node, "$ref");
  if (reference !== undefined && reading.dialect === "draft-07") return readReference(reading, reference);
  unfollowed(reading, node);
  return [
    ...(reference === undefined ? [] : readReference(reading, reference)),
    ...readTypes(reading, node),
    ...readValues(reading, node),
    ...readNumberChecks(reading, node),
    ...readStringChecks(reading, node),
    ...readArrayChecks(reading, node),
    ...readMemberChecks(reading, node),
    ...readBranches(reading, node),
  ];
}

/** Words for people; whatever is no text says nothing. */
export function readDoc(node: JsonNode): Doc {
  if (node.kind !== "object") return anything.doc;
  const text = stringOf(keyword(node, "description") ?? null) ?? "";
  const deprecated = keyword(node, "deprecated");
  const isDeprecated = deprecated?.kind === "scalar" && deprecated.value === true;
  return { text: text.trim(), tags: isDeprecated ? [{ name: "deprecated", text: "" }] : [] };
}

function readTypes(reading: Reading, node: JsonObject): Check[] {
  const value = keyword(node, "type");
  if (value === undefined) return [];
  const names = (value.kind === "array" ? value.items : [value]).map(stringOf);
  const types = names.filter((name): name is TypeName => name !== null && isTypeName(name));
  if (types.length < names.length || types.length === 0) {
    malformed(reading, value, "type", `one of ${typeNames().join(", ")}, or a list of them`);
    return [];
  }
  // An integer is a number: beside "number", "integer" adds nothing.
  const kept = types.filter((type) => type !== "integer" || !types.includes("number"));
  return [{ kind: "type", types: [...new Set(kept)] }];
}

function readValues(reading: Reading, node: JsonObject): Check[] {
  const checks: Check[] = [];
  const only = keyword(node, "const");
  if (only !== undefined) checks.push({ kind: "values", values: [toJson(only)] });
  const list = keyword(node, "enum");
  if (list?.kind === "array" && list.items.length > 0) {
    checks.push({ kind: "values", values: list.items.map(toJson) });
  } else if (list !== undefined) malformed(reading, list, "enum", "a list of at least one value");
  return checks;
}

function readNumberChecks(reading: Reading, node: JsonObject): Check[] {
  const bounds = (
    [
      ["minimum", "low", false],
      ["maximum", "high", false],
      ["exclusiveMinimum", "low", true],
      ["exclusiveMaximum", "high", true],
    ] as const
  ).flatMap(([name, side, open]): Check[] => {
    const value = numberIn(reading, node, name);
    return value === null ? [] : [{ kind: "bound", side, value, open }];
  });
  const of = numberIn(reading, node, "multipleOf");
  if (of === null || of > 0) return of === null ? bounds : [...bounds, { kind: "multiple", of }];
  const value = keyword(node, "multipleOf");
  if (value !== undefined) malformed(reading, value, "multipleOf", `more than 0 (found ${show(value)})`);
  return bounds;
}
