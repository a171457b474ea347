import type { Scope } from "../../diagnostics.js";
import { rules } from "./rules.js";
import { parseJson } from "./text/parse.js";
import { locationsIn, type Locations } from "./text/location.js";
import { pointerSteps, resolve } from "./text/pointer.js";
import { replaceAt } from "./text/replace.js";
import { member, placedAt, sameValue, show, stringOf, type JsonNode, type JsonObject } from "./text/tree.js";

/** A file of known defects of a schema: `json-defects.json`. */
export interface Ledger {
  readonly text: string;
  /** The path in diagnostics. */
  readonly file: string;
}

/**
 * Applies a ledger to the root of a schema file. A ledger is a list of rows, applied in order:
 *
 * - `{ pointer, found, right, reason }`: replaces the value `found` at the pointer with `right`. Without `found`, adds `right`;
 *   without `right`, removes the value.
 * - `{ rule, reason }`: a correction of the whole file, by its name in `rules.ts`.
 *
 * A row that matches nothing is an error, so that no ledger outlives the defects it records.
 */
export function applyLedger(root: JsonNode, ledger: Ledger, scope: Scope): JsonNode {
  const at = locationsIn(ledger.text, ledger.file);
  const rows = parseJson(ledger.text, at, scope);
  if (rows === null) return root;
  if (rows.kind !== "array") {
    scope.error("MG209", at(rows.at), `expected a list of defects, got ${show(rows)}`, null);
    return root;
  }
  let result = root;
  for (const row of rows.items) {
    if (row.kind === "object" && wellFormed(row, at, scope)) result = applyRow(result, row, at, scope);
    else if (row.kind !== "object") {
      scope.error("MG209", at(row.at), `expected a row of defects, got ${show(row)}`, null);
    }
  }
  return result;
}

const pointerRow: ReadonlySet<string> = new Set(["pointer", "found", "right", "reason"]);
const ruleRow: ReadonlySet<string> = new Set(["rule", "reason"]);

function wellFormed(row: JsonObject, at: Locations, scope: Scope): boolean {
  const fits = (allowed: ReadonlySet<string>): boolean =>
    [...row.members.keys()].every((name) => allowed.has(name));
  const isRule = stringOf(member(row, "rule")) !== null && fits(ruleRow);
  const isPointer =
    stringOf(member(row, "pointer")) !== null &&
    fits(pointerRow) &&
    (row.members.has("found") || row.members.has("right"));
  if ((isRule || isPointer) && stringOf(member(row, "reason")) !== null) return true;
  const hint = 'a row is { "pointer", "found", "right", "reason" } or { "rule", "reason" }';
  scope.error("MG209", at(row.at), `cannot read the row ${show(row)}`, hint);
  return false;
}

function applyRow(root: JsonNode, row: JsonObject, at: Locations, scope: Scope): JsonNode {
  const rule = stringOf(member(row, "rule"));
  return rule === null ? applyPointer(root, row, at, scope) : applyRule(root, row, rule, at, scope);
}

function applyRule(root: JsonNode, row: JsonObject, name: string, at: Locations, scope: Scope): JsonNode {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) {
    scope.error(
      "MG209",
      at(row.at),
      `unknown rule "${name}"`,
      `the rules are ${Object.keys(rules).join(", ")}`,
    );
    return root;
  }
  const corrected = rule(root);
  if (corrected !== null) return corrected;
  scope.error("MG209", at(row.at), `the rule "${name}" found nothing to correct`, "remove the row");
  return root;
}

function applyPointer(root: JsonNode, row: JsonObject, at: Locations, scope: Scope): JsonNode {
  const pointer = stringOf(member(row, "pointer")) ?? "";
  const oldValue = member(row, "found");
  const right = member(row, "right");
  const steps = pointerSteps(pointer);
  const fail = (problem: string): JsonNode => {
    scope.error(
      "MG209",
      at(row.at),
      `the row for ${pointer} matches nothing: ${problem}`,
      "correct or remove the row",
    );
    return root;
  };
  if (steps === null) return fail("it is not a JSON pointer");
  const present = resolve(root, steps);
  if (oldValue === null && present !== null) return fail(`expected nothing there, got ${show(present)}`);
  if (oldValue !== null && present === null) return fail(`expected ${show(oldValue)} there, got nothing`);
  if (oldValue !== null && present !== null && !sameValue(oldValue, present)) {
    return fail(`expected ${show(oldValue)} there, got ${show(present)}`);
  }
  const corrected = replaceAt(root, steps, (old) =>
    right === null ? null : placedAt(right, old?.at ?? root.at),
  );
  return corrected ?? fail("its parent does not exist");
}
