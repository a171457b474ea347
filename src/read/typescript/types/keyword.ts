import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import type { Reading } from "../reading.js";

/** Reads `string`, `number`, `boolean`, `unknown`, `any` and `object`; null for any other node. */
export function readKeyword({ ts }: Reading, node: ts.TypeNode): Type | null {
  switch (node.kind) {
    case ts.SyntaxKind.StringKeyword:
      return { kind: "string", format: null, known: [] };
    case ts.SyntaxKind.NumberKeyword:
      return { kind: "number", integer: false, minimum: null, maximum: null };
    case ts.SyntaxKind.BooleanKeyword:
      return { kind: "boolean" };
    // In JSON, `any` and `unknown` are the same set of values.
    case ts.SyntaxKind.UnknownKeyword:
    case ts.SyntaxKind.AnyKeyword:
      return { kind: "unknown" };
    case ts.SyntaxKind.ObjectKeyword:
      return { kind: "object", properties: [], rest: null };
    default:
      return null;
  }
}
