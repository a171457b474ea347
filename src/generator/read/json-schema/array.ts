import { anything, type Check, type Schema } from "../../ir/constraint.js";
import { flagOf, type JsonNode, type JsonObject } from "../json/text/tree.js";
import { evaluatedItems } from "./evaluated.js";
import { countIn, keyword, listIn, valueIn } from "./keyword.js";
import {
  inside,
  isDraft,
  reportUnchecked,
  type SchemaContext,
} from "./context.js";
import { readSchema } from "./schema.js";
import { readSize } from "./string.js";

export function readArrayChecks(
  context: SchemaContext,
  node: JsonObject,
): Check[] {
  return [
    ...readItems(context, node),
    ...readSize(context, node, "array"),
    ...readUnique(context, node),
    ...readContains(context, node),
    ...readUnevaluated(context, node),
  ];
}

/**
 * The schemas of the first items and of the rest. The keywords
 * differ before 2020-12.
 */
function readItems(context: SchemaContext, node: JsonObject): Check[] {
  const items = keyword(node, "items");
  const isOld = isDraft(context.dialect);
  const hasTuples = isOld || context.dialect === "2019-09";
  if (items?.kind === "array" && (hasTuples || mayBeOld(context))) {
    const message =
      '"items" is a list, as in draft-07, and is read as "prefixItems"';
    const hint = 'write "prefixItems", or the "$schema" of draft-07';
    if (!hasTuples)
      context.scope.note("MG305", context.locationAt(items.at), message, hint);
    return itemsCheck(
      context,
      "items",
      items.items,
      keyword(node, "additionalItems"),
    );
  }
  const first = isOld ? [] : listIn(context, node, "prefixItems");
  if (items?.kind === "array") {
    context.policy.malformed(
      context,
      items,
      "items",
      'one schema (use "prefixItems" for a list)',
    );
    return itemsCheck(context, "prefixItems", first, undefined);
  }
  return itemsCheck(context, "prefixItems", first, items);
}

/** True if the document may have keywords of an older dialect. */
function mayBeOld({ policy, root }: SchemaContext): boolean {
  const hasDialect =
    root.kind !== "object" || keyword(root, "$schema") !== undefined;
  return policy.mixesDialects(hasDialect);
}

function itemsCheck(
  context: SchemaContext,
  name: string,
  first: readonly JsonNode[],
  rest: JsonNode | undefined,
): Check[] {
  if (first.length === 0 && rest === undefined) return [];
  const schemas = first.map((item, index) =>
    readSchema(inside(context, `${name} ${index}`), item),
  );
  return [
    {
      kind: "items",
      first: schemas,
      rest: rest ? readSchema(inside(context, "items"), rest) : null,
    },
  ];
}

function readUnique(context: SchemaContext, node: JsonObject): Check[] {
  const isUnique = valueIn(
    context,
    keyword(node, "uniqueItems"),
    "uniqueItems",
    "true or false",
    flagOf,
  );
  return isUnique === true ? [{ kind: "unique" }] : [];
}

function readContains(context: SchemaContext, node: JsonObject): Check[] {
  const value = keyword(node, "contains");
  if (value === undefined) return [];
  const isOld = isDraft(context.dialect);
  const min = isOld ? 1 : (countIn(context, node, "minContains") ?? 1);
  const max = isOld ? null : countIn(context, node, "maxContains");
  const schema: Schema = readSchema(inside(context, "contains"), value);
  return [{ kind: "contains", schema, min, max }];
}

function readUnevaluated(context: SchemaContext, node: JsonObject): Check[] {
  const value = keyword(node, "unevaluatedItems");
  if (value === undefined || isDraft(context.dialect)) return [];
  const evaluated = evaluatedItems(context, node);
  if (evaluated === null) {
    const message =
      '"unevaluatedItems" is not checked, because it depends on the branch that an array matches';
    reportUnchecked(context, "unevaluatedItems", value, message);
    return [];
  }
  if (evaluated.all) return [];
  const rest = readSchema(inside(context, "unevaluatedItems"), value);
  return [
    {
      kind: "items",
      first: Array.from({ length: evaluated.count }, () => anything),
      rest,
    },
  ];
}
