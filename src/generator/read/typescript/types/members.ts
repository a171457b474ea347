import type { ts } from "ts-morph";
import type { Code } from "../../../diagnostics.js";
import { anything, type Schema } from "../../../ir/constraint.js";
import {
  constantIn,
  objectSchema,
  type Property,
} from "../../../ir/constraint/form.js";
import { readDoc } from "../jsdoc.js";
import { at, textOf, type ParseContext } from "../parse-context.js";
import { applyTags } from "../tags.js";
import { readOptional, readType, type TypeContext } from "./index.js";

/** The members of an interface or of an anonymous object. */
interface Members {
  readonly properties: Property[];
  readonly rest: Schema | null;
}

/**
 * Reads `{ a: A; [key: string]: B }`; with only an index signature it is a map.
 */
export function readObject(
  context: TypeContext,
  node: ts.TypeLiteralNode,
): Schema {
  const { properties, rest } = readMembers(context, node.members);
  return objectSchema(properties, rest);
}

export function readMembers(
  context: TypeContext,
  nodes: readonly ts.TypeElement[],
): Members {
  const { parseContext, scope } = context;
  const { ts } = parseContext;
  const properties: Property[] = [];
  const names = new Set<string>();
  let rest: Schema | null = null;
  for (const node of nodes) {
    const fail = (code: Code, message: string, hint: string): void =>
      scope.error(code, at(parseContext, node), message, hint);
    if (ts.isIndexSignatureDeclaration(node)) {
      if (rest !== null)
        fail(
          "MG107",
          "the type has a second index signature",
          "keep one of them",
        );
      else rest = readIndex(context, node);
      continue;
    }
    const property = ts.isPropertySignature(node)
      ? readProperty(context, node)
      : null;
    if (property === null) {
      fail(
        "MG106",
        `cannot read the member "${textOf(parseContext, node)}"`,
        "write it as `name: T`, `name?: T` or `[key: string]: T`",
      );
    } else if (names.has(property.name)) {
      fail(
        "MG107",
        `the member "${property.name}" is declared twice`,
        "keep one of them",
      );
    } else {
      names.add(property.name);
      properties.push(property);
    }
  }
  return { properties, rest };
}

/**
 * A member's wire name; null when it is computed from anything but a constant
 * of the file.
 */
export function nameOf(
  { ts, constants }: Pick<ParseContext, "ts" | "constants">,
  node: ts.PropertyName,
): string | null {
  if (ts.isComputedPropertyName(node) && ts.isIdentifier(node.expression)) {
    const constant = constants.get(node.expression.text);
    const value = constant && constantIn(constant.schema);
    return typeof value === "string" ? value : null;
  }
  if (
    ts.isIdentifier(node) ||
    ts.isStringLiteral(node) ||
    ts.isNumericLiteral(node)
  )
    return node.text;
  return null;
}

function readProperty(
  context: TypeContext,
  node: ts.PropertySignature,
): Property | null {
  const { parseContext } = context;
  const name = nameOf(parseContext, node.name);
  if (name === null) return null;
  const scope = context.scope.in(`member ${name}`);
  const doc = readDoc(parseContext, node, scope);
  const optional = node.questionToken !== undefined;
  if (node.type === undefined) {
    scope.error(
      "MG104",
      at(parseContext, node),
      `the member "${name}" has no type`,
      "write one, or `unknown` for any value",
    );
    return { name, optional, schema: { ...anything, doc } };
  }
  const schema = (optional ? readOptional : readType)(
    { ...context, scope },
    node.type,
  );
  return {
    name,
    optional,
    schema: applyTags(schema, doc, at(parseContext, node), scope),
  };
}

function readIndex(
  context: TypeContext,
  node: ts.IndexSignatureDeclaration,
): Schema {
  const { parseContext } = context;
  const key = node.parameters[0]?.type;
  const scope = context.scope.in("the index signature");
  if (
    node.parameters.length !== 1 ||
    key?.kind !== parseContext.ts.SyntaxKind.StringKeyword
  ) {
    scope.error(
      "MG106",
      at(parseContext, node),
      `cannot read the index signature "${textOf(parseContext, node)}"`,
      "write one string key: `[key: string]: T`",
    );
  }
  return readType({ ...context, scope }, node.type);
}
