import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import type { Base, InterfaceDeclaration } from "../../ir/model.js";
import { readDoc } from "./jsdoc.js";
import { nameOf, readMembers } from "./types/members.js";
import { at, textOf, type Reading } from "./reading.js";

/** Reads `interface X extends A, Omit<B, "c"> { … }`. */
export function readInterface(
  reading: Reading,
  node: ts.InterfaceDeclaration,
  scope: Scope,
): InterfaceDeclaration {
  const bases: Base[] = [];
  for (const clause of node.heritageClauses ?? []) {
    for (const entry of clause.types) {
      const base = readBase(reading, entry, scope);
      if (base !== null) bases.push(base);
    }
  }
  const doc = readDoc(reading, node, scope);
  const { properties, rest } = readMembers({ reading, scope, depth: 0 }, node.members);
  for (const member of node.members) {
    const name = member.name === undefined ? null : nameOf(reading, member.name);
    if (name !== null) reading.places.set(at(reading, member), node.name.text, name);
  }
  return { kind: "interface", name: node.name.text, doc, bases, properties, rest };
}

function readBase(reading: Reading, node: ts.ExpressionWithTypeArguments, scope: Scope): Base | null {
  const { ts } = reading;
  const use = (name: ts.Identifier): string => {
    const original = reading.imported.get(name.text) ?? name.text;
    reading.uses.push({ name: original, location: at(reading, name), scope });
    return original;
  };
  const [first, second] = node.typeArguments ?? [];
  if (ts.isIdentifier(node.expression)) {
    if (first === undefined) return { name: use(node.expression), omit: [] };
    const omitted = second === undefined ? null : literalNames(reading, second);
    const builtIn = node.expression.text === "Omit" && !reading.declared.has("Omit");
    if (builtIn && omitted !== null && ts.isTypeReferenceNode(first) && ts.isIdentifier(first.typeName)) {
      return { name: use(first.typeName), omit: omitted };
    }
  }
  scope.error(
    "MG108",
    at(reading, node),
    `cannot extend "${textOf(reading, node)}"`,
    'a base is a named type of this file or `Omit<Name, "member">`',
  );
  return null;
}

/** The names in `"a" | "b"`; null for any other type. */
function literalNames(reading: Reading, node: ts.TypeNode): string[] | null {
  const { ts } = reading;
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return [node.literal.text];
  if (!ts.isUnionTypeNode(node)) return null;
  const parts = node.types.map((part) => literalNames(reading, part));
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}
