import type { Check, Schema } from "../../../ir/constraint.js";
import type { JsonObject } from "../../json/text/tree.js";
import { keyword, listIn } from "./keyword.js";
import { deeper, type Reading } from "./reading.js";
import { readSchema } from "./schema.js";

const kinds = { allOf: "all", anyOf: "any", oneOf: "one" } as const;

/** Schemas that are put together, tried, or turned round. */
export function readBranches(reading: Reading, node: JsonObject): Check[] {
  const lists = (["allOf", "anyOf", "oneOf"] as const).flatMap((name): Check[] => {
    const items = listIn(reading, node, name);
    if (items.length === 0) return [];
    const schemas = items.map((item, index) => readSchema(deeper(reading, `${name} ${index}`), item));
    return [{ kind: kinds[name], schemas }];
  });
  const at = (name: string): Schema | null => {
    const value = keyword(node, name);
    return value === undefined ? null : readSchema(deeper(reading, name), value);
  };
  const not = at("not");
  const test = at("if");
  const then = test === null ? null : at("then");
  const otherwise = test === null ? null : at("else");
  return [
    ...lists,
    ...(not === null ? [] : [{ kind: "not" as const, schema: not }]),
    ...(test === null || (then === null && otherwise === null)
      ? []
      : [{ kind: "when" as const, test, then, otherwise }]),
  ];
}
