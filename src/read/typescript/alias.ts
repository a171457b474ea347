import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import type { AliasDeclaration } from "../../ir/model.js";
import { readDoc } from "./jsdoc.js";
import { at, type Reading } from "./reading.js";
import { applyTags } from "./tags.js";
import { readType } from "./types/index.js";

/** Reads `type X = …`. */
export function readAlias(reading: Reading, node: ts.TypeAliasDeclaration, scope: Scope): AliasDeclaration {
  const doc = readDoc(reading, node, scope);
  const read = readType({ reading, scope, depth: 0 }, node.type);
  return {
    kind: "alias",
    name: node.name.text,
    doc,
    type: applyTags(read, doc, at(reading, node.name), scope),
  };
}
