import type { Scope } from "../../diagnostics.js";
import { rules } from "./rules.js";
import { parseJson } from "./text/parse.js";
import { places, type Places } from "./text/place.js";
import { pointerSteps, resolve } from "./text/pointer.js";
import { replaceAt } from "./text/replace.js";
import { member, placedAt, sameValue, show, stringOf, type JsonNode, type JsonObject } from "./text/tree.js";

/** A ledger of defects as it stands beside a schema: `json-defects.json`. */
export interface Ledger {
  readonly text: string;
  /** How diagnostics name it. */
  readonly file: string;
}

/**
 * The corrected root of a schema file. A ledger is a list of rows, applied in their order:
 *
 * - `{ pointer, found, right, reason }`: at the pointer stands `found`, and `right` belongs there. Without `found`,
 *   nothing may stand there yet; without `right`, what stands there goes.
 * - `{ rule, reason }`: a correction of the whole file, by its name in `rules.ts`.
 *
 * A row that matches nothing is an error, so that no ledger outlives the defects it records.
 */
export function applyLedger(root: JsonNode, ledger: Ledger, scope: Scope): JsonNode {
  const at = places(ledger.text, ledger.file);
  const rows = parseJson(ledger.text, at, scope);
  if (rows === null) return root;
  if (rows.kind !== "array") {
    scope.error("MG209", at(rows.at), `found ${show(rows)} where a list of defects was expected`, null);
    return root;
  }
  let corrected = root;
  for (const row of rows.items) {
    if (row.kind === "object" && wellFormed(row, at, scope)) corrected = applyRow(corrected, row, at, scope);
    else if (row.kind !== "object") {
      scope.error("MG209", at(row.at), `found ${show(row)} where a row of defects was expected`, null);
    }
  }
  return corrected;
}

const pointerRow: ReadonlySet<string> = new Set(["pointer", "found", "right", "reason"]);
const ruleRow: ReadonlySet<string> = new Set(["rule", "reason"]);

function wellFormed(row: JsonObject, at: Places, scope: Scope): boolean {
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

function applyRow(root: JsonNode, row: JsonObject, at: Places, scope: Scope): JsonNode {
  const named = stringOf(member(row, "rule"));
  return named === null ? applyPointer(root, row, at, scope) : applyRule(root, row, named, at, scope);
}

function applyRule(root: JsonNode, row: JsonObject, name: string, at: Places, scope: Scope): JsonNode {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) {
    scope.error(
      "MG209",
      at(row.at),
      `no rule is called "${name}"`,
      `the rules are ${Object.keys(rules).join(", ")}`,
    );
    return root;
  }
  const corrected = rule(root);
  if (corrected !== null) return corrected;
  scope.error("MG209", at(row.at), `the rule "${name}" found nothing to correct`, "remove the row");
  return root;
}

function applyPointer(root: JsonNode, row: JsonObject, at: Places, scope: Scope): JsonNode {
  const pointer = stringOf(member(row, "pointer")) ?? "";
  const found = member(row, "found");
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
  if (steps === null) return fail("this is no JSON pointer");
  const present = resolve(root, steps);
  if (found === null && present !== null)
    return fail(`${show(present)} stands there, where nothing was expected`);
  if (found !== null && present === null)
    return fail(`nothing stands there, where ${show(found)} was expected`);
  if (found !== null && present !== null && !sameValue(found, present)) {
    return fail(`${show(present)} stands there, where ${show(found)} was expected`);
  }
  const corrected = replaceAt(root, steps, (old) =>
    right === null ? null : placedAt(right, old?.at ?? root.at),
  );
  return corrected ?? fail("what should hold it is not there");
}
