import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import type { ConstantDeclaration } from "../../ir/model.js";
import { readDoc } from "./jsdoc.js";
import { at, Places, textOf, type Reading } from "./reading.js";
import { literalValue } from "./types/literal.js";

/** Reads `const X = "text"` or `const X = -1`; several in one statement share its doc comment. */
export function readConstants(
  reading: Pick<Reading, "ts" | "source" | "file">,
  node: ts.VariableStatement,
  scopeOf: (name: string) => Scope,
): ConstantDeclaration[] {
  const { ts } = reading;
  const whole: Reading = {
    ...reading,
    constants: new Map(),
    declared: new Set(),
    imported: new Map(),
    places: new Places(),
    uses: [],
  };
  const constants: ConstantDeclaration[] = [];
  const fixed = (node.declarationList.flags & ts.NodeFlags.Const) !== 0;
  for (const entry of node.declarationList.declarations) {
    const scope = scopeOf(entry.name.getText(reading.source));
    const value = entry.initializer === undefined ? undefined : valueOf(ts, entry.initializer);
    const usable = typeof value === "string" || typeof value === "number";
    if (!ts.isIdentifier(entry.name) || !fixed || !usable) {
      scope.error(
        "MG111",
        at(whole, entry),
        `cannot read the constant "${textOf(whole, entry)}"`,
        'a constant is `export const NAME = "text"` or `= -1`',
      );
      continue;
    }
    constants.push({ kind: "constant", name: entry.name.text, doc: readDoc(whole, node, scope), value });
  }
  return constants;
}

/** The literal's value, with or without `as const`. */
function valueOf(ts: Reading["ts"], node: ts.Expression): ReturnType<typeof literalValue> {
  return literalValue(ts, ts.isAsExpression(node) ? node.expression : node);
}
