import type { ts } from "ts-morph";
import type { Property, Type } from "../../../ir/model.js";
import { at, type Reading } from "../reading.js";
import { readArray } from "./array.js";
import { readType, type TypeContext } from "./index.js";
import { refuse } from "./refuse.js";

/**
 * Reads a type by its name, and `Array<T>`, `ReadonlyArray<T>` and `Record<K, V>` unless the file declares that name
 * itself.
 */
export function readReference(context: TypeContext, node: ts.TypeReferenceNode): Type {
  const { reading, scope } = context;
  if (!reading.ts.isIdentifier(node.typeName)) return refuse(context, node, "name a type of this file");
  const name = reading.imported.get(node.typeName.text) ?? node.typeName.text;
  const [first, second, ...more] = node.typeArguments ?? [];
  if (first === undefined) {
    reading.uses.push({ name, location: at(reading, node), scope });
    return { kind: "reference", name };
  }
  if (!reading.declared.has(name) && more.length === 0) {
    if (second === undefined && (name === "Array" || name === "ReadonlyArray"))
      return readArray(context, first);
    if (second !== undefined && name === "Record") return readRecord(context, node, first, second);
  }
  return refuse(context, node);
}

/** `Record<string, V>` is a map, and `Record<"a" | "b", V>` an object with these members. */
function readRecord(
  context: TypeContext,
  node: ts.TypeReferenceNode,
  key: ts.TypeNode,
  value: ts.TypeNode,
): Type {
  // An object without known members: any object may have members that its schema does not name.
  if (value.kind === context.reading.ts.SyntaxKind.NeverKeyword) {
    return { kind: "object", properties: [], rest: null };
  }
  const member = readType(context, value);
  const keys = keyNames(context.reading, key);
  if (keys === "any") return { kind: "record", member };
  if (keys === null) return refuse(context, node, "use string or string literals as keys of a Record");
  const properties = [...new Set(keys)].map((name): Property => ({
    name,
    optional: false,
    type: member,
    doc: { text: "", tags: [] },
  }));
  return { kind: "object", properties, rest: null };
}

/** The literal keys; "any" if every string is a key; null if a key is not a string. */
function keyNames(reading: Reading, node: ts.TypeNode): readonly string[] | "any" | null {
  const { ts } = reading;
  if (node.kind === ts.SyntaxKind.StringKeyword) return "any";
  if (ts.isParenthesizedTypeNode(node)) return keyNames(reading, node.type);
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return [node.literal.text];
  if (!ts.isUnionTypeNode(node)) return null;
  const parts = node.types.map((part) => keyNames(reading, part));
  if (parts.includes(null)) return null;
  if (parts.includes("any")) return "any";
  return parts.flatMap((part) => (part === null || part === "any" ? [] : part));
}
