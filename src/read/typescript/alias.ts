import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import type { AliasDeclaration } from "../../ir/model.js";
import { readDoc } from "./jsdoc.js";
import { at, type ParseContext } from "./parse-context.js";
import { applyTags } from "./tags.js";
import { readType } from "./types/index.js";

/** Reads `type X = …`. */
export function readAlias(
  parseContext: ParseContext,
  node: ts.TypeAliasDeclaration,
  scope: Scope,
): AliasDeclaration {
  const doc = readDoc(parseContext, node, scope);
  const type = readType({ parseContext, scope, depth: 0 }, node.type);
  return {
    kind: "alias",
    name: node.name.text,
    doc,
    type: applyTags(type, doc, at(parseContext, node.name), scope),
  };
}
