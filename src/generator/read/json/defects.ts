import type { Scope } from "../../diagnostics.js";
import { integers } from "../../ir/facts.js";
import type { Loaded } from "../load.js";
import { parseJson } from "./text/parse.js";
import { pointerSteps, resolve } from "./text/pointer.js";
import {
  keyOf,
  member,
  placedAt,
  show,
  stringOf,
  type JsonMember,
  type JsonNode,
  locationsIn,
} from "./text/tree.js";

/**
 * The only rule: the generator of the official files writes each number without
 * a tag as an integer.
 */
const rule = "untagged-number-is-integer";

/**
 * Corrects the known defects of a schema file. They are a list of rows, applied
 * in order:
 *
 * - `{ pointer, found, right, reason }`: replaces the value `found` at the
 *   pointer with `right`.
 * - `{ rule, reason }`: makes each integer a number of any kind, except in
 *   types whose numbers are integers according to the specification.
 *
 * A row that matches nothing is an error, so that no list outlives the defects
 * it records.
 */
export function correct(
  root: JsonNode,
  { text, file }: Pick<Loaded, "file" | "text">,
  scope: Scope,
): JsonNode {
  const at = locationsIn(text, file);
  const rows = parseJson(text, at, scope);
  if (rows === null) return root;
  if (rows.kind !== "array") {
    scope.error(
      "MG209",
      at(rows.at),
      `expected a list of defects, got ${show(rows)}`,
      null,
    );
    return root;
  }
  let result = root;
  for (const row of rows.items) {
    const corrected = applyRow(result, row);
    if (typeof corrected !== "string") result = corrected;
    else
      scope.error("MG209", at(row.at), corrected, "correct or remove the row");
  }
  return result;
}

/** The corrected root, or what is wrong with the row. */
function applyRow(root: JsonNode, row: JsonNode): JsonNode | string {
  const form =
    'a row is { "pointer", "found", "right", "reason" } or { "rule", "reason" }';
  const size =
    row.kind === "object" && stringOf(member(row, "reason")) !== null
      ? row.members.size
      : 0;
  const named = stringOf(member(row, "rule"));
  if (named !== null && size === 2) {
    if (named !== rule)
      return `unknown rule "${named}"; the only one is ${rule}`;
    return (
      withAnyNumbers(root) ?? `the rule "${rule}" found nothing to correct`
    );
  }
  const pointer = stringOf(member(row, "pointer"));
  const [found, right] = [member(row, "found"), member(row, "right")];
  if (pointer === null || found === null || right === null || size !== 4)
    return `cannot read the row ${show(row)}: ${form}`;
  const steps = pointerSteps(pointer);
  if (steps === null)
    return `the row for ${pointer} matches nothing: it is not a JSON pointer`;
  const present = resolve(root, steps);
  if (present !== null && keyOf(found) === keyOf(present))
    return changed(root, (node) =>
      node === present ? placedAt(right, present.at) : null,
    );
  const got = present === null ? "nothing" : show(present);
  return `the row for ${pointer} matches nothing: expected ${show(found)} there, got ${got}`;
}

/** Null if there was nothing to correct. */
function withAnyNumbers(root: JsonNode): JsonNode | null {
  let count = 0;
  const corrected = changed(root, (node, name) => {
    if (integers.includes(name)) return node;
    if (name !== "type" || stringOf(node) !== "integer") return null;
    count += 1;
    return { kind: "scalar", at: node.at, value: "number" };
  });
  return count === 0 ? null : corrected;
}

/**
 * A copy with another node wherever `change` returns one; `name` is that of the
 * innermost member around the node.
 */
function changed(
  node: JsonNode,
  change: (node: JsonNode, name: string) => JsonNode | null,
  name = "",
): JsonNode {
  const result = change(node, name);
  if (result !== null) return result;
  if (node.kind === "scalar") return node;
  if (node.kind === "array")
    return {
      ...node,
      items: node.items.map((item) => changed(item, change, name)),
    };
  const members = new Map<string, JsonMember>();
  for (const [key, { at, value }] of node.members)
    members.set(key, { at, value: changed(value, change, key) });
  return { ...node, members };
}
