import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import { anything } from "../../ir/constraint.js";
import { objectSchema } from "../../ir/constraint/form.js";
import type { Base, Declaration } from "../../ir/model.js";
import { readDoc } from "./jsdoc.js";
import { nameOf, readMembers } from "./types/members.js";
import { at, textOf, Unreadable, type ParseContext } from "./parse-context.js";

/**
 * Reads `interface X extends A, Omit<B, "c"> { … }`, and all declarations of
 * the name together.
 */
export function readInterface(
  parseContext: ParseContext,
  name: string,
  nodes: readonly ts.InterfaceDeclaration[],
  scope: Scope,
): Declaration {
  const members = nodes.flatMap((node) => [...node.members]);
  const bases: Base[] = [];
  for (const clause of nodes.flatMap((node) => node.heritageClauses ?? [])) {
    for (const entry of clause.types) {
      const base = readBase(parseContext, entry, scope);
      if (base !== null) bases.push(base);
    }
  }
  const [doc = anything.doc] = nodes
    .map((node) => readDoc(parseContext, node, scope))
    .filter(({ text, tags }) => text !== "" || tags.length > 0);
  const { properties, rest } = readMembers(
    { parseContext, scope, depth: 0 },
    members,
  );
  for (const member of members) {
    const memberName =
      member.name === undefined ? null : nameOf(parseContext, member.name);
    if (memberName !== null)
      parseContext.locations.set(at(parseContext, member), name, memberName);
  }
  return {
    kind: "interface",
    name,
    bases,
    schema: objectSchema(properties, rest, doc),
  };
}

function readBase(
  parseContext: ParseContext,
  node: ts.ExpressionWithTypeArguments,
  scope: Scope,
): Base | null {
  const { ts } = parseContext;
  const use = (name: ts.Identifier): string => {
    const original = parseContext.imported.get(name.text) ?? name.text;
    parseContext.uses.push({
      name: original,
      location: at(parseContext, name),
      scope,
    });
    return original;
  };
  const [first, second] = node.typeArguments ?? [];
  if (ts.isIdentifier(node.expression)) {
    if (first === undefined) return { name: use(node.expression), omit: [] };
    const names =
      second === undefined ? null : literalNames(parseContext, second);
    const isBuiltIn =
      node.expression.text === "Omit" && !parseContext.declared.has("Omit");
    if (
      isBuiltIn &&
      names !== null &&
      ts.isTypeReferenceNode(first) &&
      ts.isIdentifier(first.typeName)
    ) {
      return { name: use(first.typeName), omit: names };
    }
  }
  try {
    const name = parseContext.resolver.nameOf(scope, node);
    if (name !== null) return { name, omit: [] };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  scope.error(
    "MG108",
    at(parseContext, node),
    `cannot extend "${textOf(parseContext, node)}"`,
    'extend a named type of this file or `Omit<Name, "member">`',
  );
  return null;
}

/** The names in `"a" | "b"`; null for any other type. */
function literalNames(
  parseContext: ParseContext,
  node: ts.TypeNode,
): string[] | null {
  const { ts } = parseContext;
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal))
    return [node.literal.text];
  if (!ts.isUnionTypeNode(node)) return null;
  const parts = node.types.map((part) => literalNames(parseContext, part));
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}
