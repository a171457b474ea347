import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import { union } from "../../ir/combine.js";
import { anything, type Check, type Schema } from "../../ir/constraint.js";
import {
  objectSchema,
  ofValue,
  type Property,
  reference,
  schemaOf,
} from "../../ir/constraint/form.js";
import type { Declaration } from "../../ir/model.js";
import { checkerOf, isUnbounded } from "./checker.js";
import { readDoc } from "./jsdoc.js";
import {
  at,
  type Compiler,
  Unreadable,
  type FileContext,
  type TypeResolver,
} from "./parse-context.js";
import { patternSafety } from "../json-schema/pattern/safety.js";
import { applyTags } from "./tags.js";

/** How deep resolved types may nest, and how many of them one file may have. */
const maxDepth = 50;
const maxTypes = 20_000;
/** The maximum length of the name of an instance of a generic type. */
const maxName = 200;

const otherRoad = "write the members out";

/**
 * What the compiler says about the syntax that mcpgen does not read itself. The
 * program is made for the first node that needs it.
 */
export class Resolver implements TypeResolver {
  readonly #parseContext: FileContext;
  #checker: ts.TypeChecker | null = null;
  #types = 0;
  #depth = 0;
  readonly #instances = new Map<string, ts.Type>();
  /** Instances of generic types, and types of namespaces. */
  readonly declarations: Declaration[] = [];

  constructor(parseContext: FileContext) {
    this.#parseContext = parseContext;
  }

  /**
   * Reads the type of a node. Throws an `Unreadable` if it is no type of JSON
   * values, or costs too much.
   */
  read(scope: Scope, node: ts.Node): Schema {
    return this.#guarded(scope, node, (found) => {
      this.#refuseErrorsIn(node);
      const type = unwrapped(this.#parseContext.ts, found);
      // What a declaration consists of has the name of the declaration.
      const isBody =
        this.#parseContext.ts.isEnumDeclaration(node) ||
        (type.aliasSymbol !== undefined &&
          type.aliasSymbol === ownerSymbol(node));
      return isBody ? this.#structure(scope, type) : this.#schema(scope, type);
    });
  }

  /**
   * The name of the declaration that a node stands for, such as
   * `Page<Tool>`; null if it stands for none.
   */
  nameOf(scope: Scope, node: ts.Node): string | null {
    return this.#guarded(scope, node, (type) => this.#name(scope, type));
  }

  #guarded<T>(scope: Scope, node: ts.Node, read: (type: ts.Type) => T): T {
    try {
      return read(this.#prepare(scope, node).getTypeAtLocation(node));
    } catch (error) {
      // The checker recurses on nested types.
      if (error instanceof RangeError)
        throw new Unreadable("name the inner types and refer to them");
      // It throws where it has no place to report a type that is too large.
      if (error instanceof TypeError) throw new Unreadable(otherRoad);
      throw error;
    }
  }

  /** The checker; a note tells where it is needed first. */
  #prepare(scope: Scope, node: ts.Node): ts.TypeChecker {
    if (this.#checker !== null) return this.#checker;
    const { ts, source, isWhole } = this.#parseContext;
    if (!isWhole) throw new Unreadable("correct the syntax errors first");
    if (isUnbounded(ts, source)) throw new Unreadable(otherRoad);
    this.#checker = checkerOf(ts, source);
    scope.note(
      "MG123",
      at(this.#parseContext, node),
      "this type and others of the file are read as the TypeScript compiler resolves them, which takes longer and keeps fewer names",
    );
    return this.#checker;
  }

  get #ready(): ts.TypeChecker {
    if (this.#checker === null) throw new TypeError("There is no checker.");
    return this.#checker;
  }

  #schema(scope: Scope, found: ts.Type): Schema {
    const type = unwrapped(this.#parseContext.ts, found);
    const name = this.#name(scope, type);
    return name === null ? this.#structure(scope, type) : reference(name);
  }

  /**
   * The name of a type: that of its declaration, or of an instance, which
   * becomes a declaration because it may contain itself. Null for a type
   * without a name.
   */
  #name(scope: Scope, type: ts.Type): string | null {
    const { ts, source } = this.#parseContext;
    const checker = this.#ready;
    if (checker.isArrayType(type) || checker.isTupleType(type)) return null;
    const symbol = symbolOf(ts, type);
    if (symbol === undefined) return null;
    const parts = this.#argumentsOf(type);
    for (const part of parts) this.#refuseErrors(part);
    const parent = symbol.declarations?.[0]?.parent;
    if (parts.length === 0 && parent === source) return symbol.name;
    const { NoTruncation, UseFullyQualifiedType } = ts.TypeFormatFlags;
    const name = checker
      .typeToString(type, undefined, NoTruncation | UseFullyQualifiedType)
      .replaceAll(/import\("[^"]*"\)\./g, "");
    if (name.length > maxName) throw new Unreadable("name the types inside");
    const known = this.#instances.get(name);
    if (known === undefined) this.#declare(scope, type, name);
    // The compiler may have several types of one text, such as those that it
    // finds inside a conditional type.
    else if (symbolOf(ts, known) !== symbol)
      throw new Unreadable("give each type a name of its own");
    return name;
  }

  #argumentsOf(type: ts.Type): readonly ts.Type[] {
    const { Reference } = this.#parseContext.ts.ObjectFlags;
    const { objectFlags } = type as ts.ObjectType;
    if (type.aliasTypeArguments !== undefined) return type.aliasTypeArguments;
    return objectFlags & Reference
      ? this.#ready.getTypeArguments(type as ts.TypeReference)
      : [];
  }

  #declare(scope: Scope, type: ts.Type, name: string): void {
    const { ts, locations } = this.#parseContext;
    this.#instances.set(name, type);
    const [declaration] = symbolOf(ts, type)?.declarations ?? [];
    if (declaration?.getSourceFile() === this.#parseContext.source)
      locations.set(at(this.#parseContext, declaration), name);
    const schema = this.#structure(scope, type);
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0;
    const kind = isObject ? "interface" : "alias";
    this.declarations.push({ kind, name, bases: [], schema });
  }

  /** The compiler may resolve a type although it does not find a part of it. */
  #refuseErrorsIn(node: ts.Node): void {
    const { ts } = this.#parseContext;
    if (ts.isTypeNode(node) && !ts.isTemplateLiteralTypeSpan(node)) {
      const type = this.#ready.getTypeAtLocation(node);
      this.#refuseErrors(type);
    }
    ts.forEachChild(node, (child) => {
      this.#refuseErrorsIn(child);
    });
  }

  #refuseErrors(type: ts.Type): void {
    if (intrinsicOf(type) === "error")
      throw new Unreadable("declare the types that it names in this file");
  }

  #structure(scope: Scope, type: ts.Type): Schema {
    if (++this.#types > maxTypes)
      throw new Unreadable(`name the inner types; ${otherRoad}`, true);
    if (this.#depth >= maxDepth)
      throw new Unreadable("name the inner types and refer to them");
    this.#depth += 1;
    try {
      return this.#simple(type) ?? this.#composed(scope, type);
    } finally {
      this.#depth -= 1;
    }
  }

  /** A type without parts; null for any other. */
  #simple(type: ts.Type): Schema | null {
    const { TypeFlags } = this.#parseContext.ts;
    this.#refuseErrors(type);
    if (type.isStringLiteral() || type.isNumberLiteral())
      return ofValue(type.value);
    if (type.flags & TypeFlags.TemplateLiteral)
      return templateOf(type as ts.TemplateLiteralType);
    if (type.flags & TypeFlags.BooleanLiteral)
      return ofValue(intrinsicOf(type) === "true");
    switch (type.flags & ~TypeFlags.Union) {
      case TypeFlags.Any:
      case TypeFlags.Unknown:
        return anything;
      case TypeFlags.Null:
        return ofValue(null);
      case TypeFlags.Never:
        return schemaOf([{ kind: "never" }]);
      case TypeFlags.Boolean:
        return ofType("boolean");
      case TypeFlags.String:
      case TypeFlags.StringMapping:
        return ofType("string");
      case TypeFlags.Number:
        return ofType("number");
      case TypeFlags.NonPrimitive:
        return ofType("object");
      default:
        return null;
    }
  }

  #composed(scope: Scope, type: ts.Type): Schema {
    const { ts } = this.#parseContext;
    const checker = this.#ready;
    if (type.isUnion()) return this.#union(scope, type);
    if (checker.isTupleType(type))
      return this.#tuple(scope, type as ts.TupleTypeReference);
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      const rest = item === undefined ? null : this.#schema(scope, item);
      return schemaOf([
        { kind: "type", types: ["array"] },
        { kind: "items", first: [], rest },
      ]);
    }
    if (type.flags & ts.TypeFlags.Index)
      return this.#keys(scope, type as ts.IndexType);
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0;
    const isJoined =
      type.isIntersection() &&
      type.types.every(
        (part) => (unwrapped(ts, part).flags & ts.TypeFlags.Object) !== 0,
      );
    const isCallable =
      type.getCallSignatures().length + type.getConstructSignatures().length;
    if ((isObject || isJoined) && !isCallable) return this.#object(scope, type);
    throw new Unreadable(otherRoad);
  }

  /** `keyof T`, which the compiler leaves as it is inside a condition. */
  #keys(scope: Scope, { type }: ts.IndexType): Schema {
    const checker = this.#ready;
    const owner = unwrapped(this.#parseContext.ts, type);
    return union([
      ...checker.getPropertiesOfType(owner).map(({ name }) => ofValue(name)),
      ...checker
        .getIndexInfosOfType(owner)
        .map(({ keyType }) => this.#schema(scope, keyType)),
    ]);
  }

  /**
   * The type of a member or an item that may be absent: the compiler adds
   * `undefined` to it.
   */
  #optional(scope: Scope, type: ts.Type): Schema {
    const { Undefined } = this.#parseContext.ts.TypeFlags;
    return type.isUnion()
      ? this.#union(scope, type, ({ flags }) => !(flags & Undefined))
      : this.#schema(scope, type);
  }

  /** A union by the names that its declaration writes. */
  #union(
    scope: Scope,
    type: ts.UnionType,
    isPresent: (part: ts.Type) => boolean = () => true,
  ): Schema {
    const { ts } = this.#parseContext;
    const { origin } = type as { readonly origin?: ts.Type };
    const written = origin?.isUnion() === true ? origin.types : type.types;
    const parts = written.filter(isPresent);
    const booleans = parts.filter(
      ({ flags }) => flags & ts.TypeFlags.BooleanLiteral,
    );
    const schemas = parts
      .filter((part) => booleans.length < 2 || !booleans.includes(part))
      .map((part) => this.#schema(scope, part));
    return union(
      booleans.length < 2 ? schemas : [...schemas, ofType("boolean")],
    );
  }

  #tuple(scope: Scope, type: ts.TupleTypeReference): Schema {
    const { ts } = this.#parseContext;
    const { elementFlags, minLength } = type.target;
    const items = this.#ready.getTypeArguments(type);
    const open = elementFlags.findIndex(
      (flags) => flags & ts.ElementFlags.Variable,
    );
    if (open >= 0 && open < elementFlags.length - 1)
      throw new Unreadable("write the rest of a tuple last");
    const schemas = items.map((item, i) =>
      (elementFlags[i] ?? 0) & ts.ElementFlags.Optional
        ? this.#optional(scope, item)
        : this.#schema(scope, item),
    );
    const rest = open < 0 ? null : (schemas.pop() ?? null);
    const max = open < 0 ? schemas.length : null;
    const checks: Check[] = [{ kind: "type", types: ["array"] }];
    if (schemas.length > 0 || rest !== null)
      checks.push({ kind: "items", first: schemas, rest });
    if (minLength > 0 || max !== null)
      checks.push({ kind: "size", of: "array", min: minLength, max });
    return schemaOf(checks);
  }

  #object(scope: Scope, type: ts.Type): Schema {
    const checker = this.#ready;
    const { ts } = this.#parseContext;
    const properties = checker
      .getPropertiesOfType(type)
      .map((symbol) => this.#property(scope, symbol));
    const indexes = checker.getIndexInfosOfType(type);
    const [index] = indexes;
    if (
      indexes.length > 1 ||
      (index !== undefined && !(index.keyType.flags & ts.TypeFlags.String))
    )
      throw new Unreadable("write one string key: `[key: string]: T`");
    const rest = index === undefined ? null : this.#schema(scope, index.type);
    return objectSchema(properties, rest);
  }

  #property(scope: Scope, symbol: ts.Symbol): Property {
    const { ts, source } = this.#parseContext;
    const { name } = symbol;
    if (name.startsWith("__@")) throw new Unreadable("use names of text");
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const type = this.#ready.getTypeOfSymbol(symbol);
    const schema = optional
      ? this.#optional(scope, type)
      : this.#schema(scope, type);
    const [declaration] = symbol.declarations ?? [];
    if (declaration?.getSourceFile() !== source)
      return { name, optional, schema };
    const memberScope = scope.in(`member ${name}`);
    const doc = readDoc(this.#parseContext, declaration, memberScope);
    const location = at(this.#parseContext, declaration);
    return {
      name,
      optional,
      schema: applyTags(schema, doc, location, memberScope),
    };
  }
}

/** The name of a type that the compiler itself declares. */
function intrinsicOf(type: ts.Type): string | undefined {
  const { intrinsicName } = type as { readonly intrinsicName?: string };
  return intrinsicName;
}

/** A type itself, where the compiler has noted what a condition says of it. */
function unwrapped(ts: Compiler, type: ts.Type): ts.Type {
  let own = type;
  while (own.flags & ts.TypeFlags.Substitution)
    own = (own as ts.SubstitutionType).baseType;
  return own;
}

function ofType(type: "boolean" | "number" | "object" | "string"): Schema {
  return schemaOf([{ kind: "type", types: [type] }]);
}

function ownerSymbol(node: ts.Node): ts.Symbol | undefined {
  return (node.parent as { readonly symbol?: ts.Symbol }).symbol;
}

/**
 * The symbol that names a type: its alias, or its interface or enumeration;
 * undefined for a type without a name.
 */
function symbolOf(ts: Compiler, type: ts.Type): ts.Symbol | undefined {
  if (type.aliasSymbol !== undefined) return type.aliasSymbol;
  const named = ts.SymbolFlags.Interface | ts.SymbolFlags.Enum;
  const symbol = type.getSymbol();
  return symbol !== undefined && symbol.flags & named ? symbol : undefined;
}

/** The texts of a template literal type in their order. */
function templateOf({ texts }: ts.TemplateLiteralType): Schema {
  const escaped = texts.map((text) =>
    text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`),
  );
  const source = `^${escaped.join(String.raw`[\s\S]*`)}$`;
  const safety = patternSafety(source);
  if (safety.kind === "unsafe") throw new Unreadable("write `string`");
  const { maxLength } = safety;
  return schemaOf([
    { kind: "type", types: ["string"] },
    { kind: "pattern", source, maxLength },
  ]);
}
